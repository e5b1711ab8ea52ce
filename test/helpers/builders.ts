import type {
  Container,
  ContainerRestartRule,
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  ObjectMeta,
  Pod,
  PodCondition,
  PodSpec,
  PodStatus,
  Probe,
} from '../../src/api/index.js';
import { hashContainer } from '../../src/kubelet/containers/container-hash.js';
import type {
  RuntimeContainerStatus,
  RuntimePod,
  RuntimePodStatus,
  RuntimeSandboxStatus,
} from '../../src/kubelet/ports.js';

/** What a built pod differs in from a pod `default/web` with one container, `app`. */
export interface PodOverrides {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Partial<PodSpec>;
  readonly status?: PodStatus;
}

export function buildPod({ metadata, spec, status }: PodOverrides = {}): Pod {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'uid-1', ...metadata },
    spec: { containers: [buildContainer()], restartPolicy: 'Always', ...spec },
    status: { phase: 'Pending', ...status },
  };
}

/** A pod as a manifest file brings it. */
export function buildStaticPod(overrides: PodOverrides = {}): Pod {
  const annotations = { 'kubernetes.io/config.source': 'file' };
  return buildPod({ ...overrides, metadata: { annotations, ...overrides.metadata } });
}

export function buildContainer(overrides: Partial<Container> = {}): Container {
  return { name: 'app', image: 'app:1', ...overrides };
}

/** An init container that is kept running. */
export function buildSidecar(overrides: Partial<Container> = {}): Container {
  return buildContainer({ name: 'sidecar', restartPolicy: 'Always', ...overrides });
}

/** An exec probe with the API's defaults. */
export function buildProbe(overrides: Partial<Probe> = {}): Probe {
  return {
    exec: { command: ['check'] },
    initialDelaySeconds: 0,
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...overrides,
  };
}

/** A rule for the exit codes given. */
export function onExit(
  action: ContainerRestartRule['action'],
  ...values: readonly number[]
): ContainerRestartRule {
  return { action, exitCodes: { operator: 'In', values } };
}

export const RUNNING: ContainerState = { running: { startedAt: 0 } };
export const NOTHING: ContainerState = {};

export function waiting(reason = ''): ContainerState {
  return { waiting: { reason } };
}

export function terminated(
  exitCode: number,
  overrides: Partial<ContainerStateTerminated> = {},
): ContainerState {
  return { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', ...overrides } };
}

/** A running container's status in the API's words. */
export function buildContainerStatus(overrides: Partial<ContainerStatus> = {}): ContainerStatus {
  const name = overrides.name ?? 'app';
  return {
    name,
    state: RUNNING,
    lastTerminationState: NOTHING,
    ready: false,
    restartCount: 0,
    image: 'app:1',
    imageID: 'app:1',
    containerID: `test://${name}-1`,
    ...overrides,
  };
}

export function condition(
  type: string,
  status: PodCondition['status'],
  overrides: Partial<PodCondition> = {},
): PodCondition {
  return { type, status, ...overrides };
}

/** A running container as the runtime shows it; its hash is that of `buildContainer` with its name and image. */
export function buildRuntimeContainer(
  overrides: Partial<RuntimeContainerStatus> = {},
): RuntimeContainerStatus {
  const { name = 'app', image = 'app:1' } = overrides;
  return {
    id: `${name}-1`,
    name,
    state: 'running',
    sandboxID: 'sandbox-1',
    image,
    imageRef: image,
    hash: hashContainer({ name, image }),
    restartCount: 0,
    startedAt: 0,
    exitCode: 0,
    reason: '',
    message: '',
    ...overrides,
  };
}

/** A container that has ended. */
export function buildExited(
  exitCode: number,
  overrides: Partial<RuntimeContainerStatus> = {},
): RuntimeContainerStatus {
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return buildRuntimeContainer({ state: 'exited', exitCode, reason, finishedAt: 0, ...overrides });
}

export function buildSandbox(overrides: Partial<RuntimeSandboxStatus> = {}): RuntimeSandboxStatus {
  return {
    id: 'sandbox-1',
    state: 'ready',
    attempt: 0,
    hostNetwork: false,
    ips: ['10.0.0.1'],
    ...overrides,
  };
}

/** A pod as the runtime shows it: with a sandbox that is ready, and no containers. */
export function buildRuntimePodStatus(overrides: Partial<RuntimePodStatus> = {}): RuntimePodStatus {
  return {
    uid: 'uid-1',
    ips: ['10.0.0.1'],
    sandboxStatuses: [buildSandbox()],
    containerStatuses: [],
    ...overrides,
  };
}

/** A pod in a listing: with a sandbox that is ready, and no containers. */
export function buildRuntimePod(overrides: Partial<RuntimePod> = {}): RuntimePod {
  return {
    uid: 'uid-1',
    containers: [],
    sandboxes: [{ id: 'sandbox-1', state: 'ready' }],
    ...overrides,
  };
}
