import type {
  RuntimeContainerState,
  RuntimeContainerStatus,
  RuntimePod,
  RuntimePodStatus,
  RuntimeSandboxStatus,
} from '../../../kubelet/ports.js';
import { START_ERROR } from '../../backing.js';
import type { ContainerOutput } from '../engine.js';
import { engineState, type Inspected } from '../inspect.js';
import type { ContainerLabels, SandboxLabels } from './labels.js';
import { LOOPBACK } from './pod-routes.js';

/** The pods that kprobe made, as the engine lists them. */
export class KnownPods {
  /** Containers by id, oldest first. */
  readonly containers = new Map<string, KnownContainer>();
  readonly sandboxes = new Map<string, KnownSandbox>();

  list(states: ReadonlyMap<string, string>): readonly RuntimePod[] {
    const listed = this.#all().filter(({ id }) => states.has(id));
    const uids = new Set(listed.map(({ labels }) => labels.uid));
    return [...uids].map((uid) => this.#pod(uid, states));
  }

  idsOf(uid: string): readonly string[] {
    const members = this.#all().filter(({ labels }) => labels.uid === uid);
    return members.map(({ id }) => id);
  }

  #all(): readonly (KnownSandbox | KnownContainer)[] {
    return [...this.sandboxes.values(), ...this.containers.values()];
  }

  sandboxesOf(uid: string): readonly KnownSandbox[] {
    return [...this.sandboxes.values()].filter(({ labels }) => labels.uid === uid).reverse();
  }

  containersOf(uid: string): readonly KnownContainer[] {
    return [...this.containers.values()].filter(({ labels }) => labels.uid === uid).reverse();
  }

  containersIn(sandboxID: string): readonly KnownContainer[] {
    return [...this.containers.values()].filter(({ labels }) => labels.sandboxID === sandboxID);
  }

  status(uid: string, inspected: readonly Inspected[]): RuntimePodStatus {
    const byID = new Map(inspected.map((each) => [each.id, each]));
    const sandboxStatuses = this.sandboxesOf(uid).flatMap((sandbox) => {
      const seen = byID.get(sandbox.id);
      return seen === undefined ? [] : [sandboxStatus(sandbox, seen)];
    });
    const containerStatuses = this.containersOf(uid).flatMap((known) => {
      const seen = byID.get(known.id);
      return seen === undefined ? [] : [containerStatus(known, seen)];
    });
    const [latest] = sandboxStatuses;
    const ips = latest?.state === 'ready' ? latest.ips : [];
    return { uid, ips, sandboxStatuses, containerStatuses };
  }

  #pod(uid: string, states: ReadonlyMap<string, string>): RuntimePod {
    return {
      uid,
      containers: this.containersOf(uid)
        .filter(({ id }) => states.has(id))
        .map((known) => ({
          id: known.id,
          name: known.labels.container,
          state: containerState(states.get(known.id) ?? '', known),
          sandboxID: known.labels.sandboxID,
        })),
      sandboxes: this.sandboxesOf(uid)
        .filter(({ id }) => states.has(id))
        .map(({ id }) => ({ id, state: states.get(id) === 'running' ? 'ready' : 'notReady' })),
    };
  }
}

function sandboxStatus(
  { id, labels: { attempt }, hostNetwork }: KnownSandbox,
  { state, ips }: Inspected,
): RuntimeSandboxStatus {
  return {
    id,
    attempt,
    hostNetwork,
    state: state === 'running' ? 'ready' : 'notReady',
    ips: hostNetwork ? [] : ips.length > 0 ? ips : [LOOPBACK],
  };
}

/** Ports toKubeContainerStatus (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
function containerStatus(known: KnownContainer, seen: Inspected): RuntimeContainerStatus {
  const { id, labels, failed, message } = known;
  const state = containerState(seen.state, known);
  const { container: name, sandboxID, imageRef, hash, restartCount } = labels;
  const base = { id, state, name, sandboxID, image: seen.image, imageRef, hash, restartCount };
  if (failed !== undefined) {
    return { ...base, ...START_ERROR, message: failed.message, finishedAt: failed.at };
  }
  const started = seen.startedAt === undefined ? {} : { startedAt: seen.startedAt };
  if (state !== 'exited') return { ...base, ...started, exitCode: 0, reason: '', message: '' };
  return {
    ...base,
    ...started,
    exitCode: seen.exitCode,
    reason: endReason(known, seen),
    message: message ?? seen.error,
    ...(seen.finishedAt !== undefined && { finishedAt: seen.finishedAt }),
  };
}

/** Returns containerd's name for the end of a container. */
function endReason(known: KnownContainer, { exitCode, oomKilled }: Inspected): string {
  if (oomKilled || known.oomKilled === true) return 'OOMKilled';
  return exitCode === 0 ? 'Completed' : 'Error';
}

export interface KnownContainer {
  readonly id: string;
  readonly labels: ContainerLabels;
  readonly policy: 'File' | 'FallbackToLogsOnError';
  readonly tty: boolean;
  oomKilled?: boolean;
  /** The last signal that its engine sent to it. */
  signal?: number | undefined;
  /** The container was started, and its end has not been reported. */
  running: boolean;
  /** The container's end was reported. An engine with a full disk may still list it as running. */
  ended?: true;
  failed?: { readonly message: string; readonly at: number };
  /** The termination message, which is read once. */
  message?: string;
  output?: ContainerOutput;
}

interface KnownSandbox {
  readonly id: string;
  readonly labels: SandboxLabels;
  readonly hostNetwork: boolean;
}

export function containerState(
  text: string,
  { failed, ended }: Pick<KnownContainer, 'failed' | 'ended'> = {},
): RuntimeContainerState {
  const state = engineState(text);
  if (failed !== undefined || ended === true || state === 'dead') return 'exited';
  return state === 'paused' || state === 'restarting' ? 'running' : state;
}
