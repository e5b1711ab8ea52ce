import type { Container, Pod } from '../../api/index.js';
import { fnv1a, goJson } from '../../go/text.js';
import type { Result } from '../../trace/event.js';
import type { RuntimeContainerStatus } from '../ports.js';

/** Seconds: the shortest grace period of a container. */
export const MINIMUM_GRACE_PERIOD = 2;

/**
 * Returns the grace period in seconds: the deletion's, that of the probe that failed, or the pod's. Ports
 * setTerminationGracePeriod (pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function setTerminationGracePeriod(
  pod: Pod,
  container: Container,
  reason: ContainerKillReason,
): number {
  const { deletionGracePeriodSeconds } = pod.metadata;
  if (deletionGracePeriodSeconds !== undefined) return deletionGracePeriodSeconds;
  const { terminationGracePeriodSeconds } = pod.spec;
  if (terminationGracePeriodSeconds === undefined) return MINIMUM_GRACE_PERIOD;
  const probe =
    reason === 'StartupProbe'
      ? container.startupProbe
      : reason === 'LivenessProbe'
        ? container.livenessProbe
        : undefined;
  return probe?.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds;
}

/** Reason of a kill, which determines the grace period. Ports containerKillReason (kuberuntime_manager.go). */
export type ContainerKillReason =
  | 'StartupProbe'
  | 'LivenessProbe'
  | 'FailedPostStartHook'
  | 'RestartAllContainers'
  | 'Unknown'
  | '';

/** Ports containerToKillInfo (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export interface ContainerToKillInfo {
  readonly id: string;
  readonly container: Container;
  readonly message: string;
  readonly reason: ContainerKillReason;
}

/** Probe results of running containers, by the runtime's id. */
export interface ProbeVerdicts {
  readonly liveness: (id: string) => Result | undefined;
  readonly startup: (id: string) => Result | undefined;
}

/** Kills a container in an unknown state before it is started again. */
export function killUnknown(
  container: Container,
  status: RuntimeContainerStatus,
  what = 'Container',
): ContainerToKillInfo {
  const message = `${what} is in "${status.state}" state, try killing it before restart`;
  return { id: status.id, container, message, reason: 'Unknown' };
}

/**
 * Returns the container hash in hexadecimal: FNV-1a over Go's print of the bytes of its name and image as JSON, the only two
 * fields whose change restarts a container. Ports HashContainer (pkg/kubelet/container/helpers.go).
 */
export function hashContainer(container: Container): string {
  const known = hashes.get(container);
  if (known !== undefined) return known;
  const { image, name } = container;
  const bytes = new TextEncoder().encode(goJson({ image, name }));
  const hash = fnv1a(`([]uint8)[${bytes.join(' ')}]`).toString(16);
  hashes.set(container, hash);
  return hash;
}

/** Hashes by container: specs are immutable, and each sync needs them. */
const hashes = new WeakMap<Container, string>();

/** Returns whether the name or image has changed. Ports containerChanged (kuberuntime_manager.go). */
export function containerChanged(container: Container, status: RuntimeContainerStatus): boolean {
  return hashContainer(container) !== status.hash;
}
