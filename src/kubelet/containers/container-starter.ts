import type { Container, Pod } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { formatDuration } from '../../go/duration.js';
import type { EmitEvent, EventType } from '../../trace/event.js';
import type { EventRecorder } from '../event-recorder.js';
import { formatPod, podKey } from '../pod-name.js';
import {
  type ContainerConfig,
  type Runtime,
  RuntimeError,
  type RuntimePodStatus,
} from '../ports.js';
import type { ReleaseBehavior } from '../release.js';
import { findContainerStatusByName } from '../runtime-pod-status.js';
import {
  ignoreFailure,
  runtimeErrorMessage,
  type StartError,
  type StartErrorReason,
} from '../sync-result.js';
import type { Backoff } from './backoff.js';
import { hashContainer } from './container-hash.js';
import type { ContainerKiller } from './container-killer.js';
import type { HookRunner } from './hook-runner.js';
import type { ImageManager } from './image-manager.js';

/** Milliseconds between two checks of a container that another kubelet starts. */
const WAITING_PERIOD = 1000;

export interface ContainerStarterOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly recorder: EventRecorder;
  /** Delays of containers in CrashLoopBackOff. */
  readonly backOff: Backoff;
  readonly images: ImageManager | undefined;
  readonly hooks: HookRunner;
  readonly killer: ContainerKiller;
  readonly behavior: ReleaseBehavior;
  readonly emit: EmitEvent;
}

interface StartRequest extends Omit<ContainerConfig, 'restartCount' | 'hash' | 'imageRef'> {
  readonly podStatus: RuntimePodStatus;
}

export class ContainerStarter {
  constructor(private readonly options: ContainerStarterOptions) {}

  /** Resolves with the error of a start that failed or is delayed. Ports SyncPod's start (kuberuntime_manager.go). */
  async start(request: StartRequest): Promise<StartError | undefined> {
    const delay = this.#waitingError(request) ?? this.#doBackOff(request);
    if (delay !== undefined) return delay;
    try {
      return await this.#startContainer(request);
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      return { reason: error.reason, message: error.message };
    }
  }

  /** Returns the state of a container that another kubelet starts, and checks it again soon. */
  #waitingError({ pod, container }: StartRequest): StartError | undefined {
    const { clock, runtime } = this.options;
    const waiting = runtime.waitingState?.(pod, container);
    if (waiting === undefined) return undefined;
    const { reason = '', message = '' } = waiting;
    return { reason, message, backoffUntil: clock.now() + WAITING_PERIOD };
  }

  /** Returns the error of a container in back-off, which counts from the end of its latest run. Ports doBackOff. */
  #doBackOff({ pod, container, podStatus }: StartRequest): StartError | undefined {
    const { clock, backOff, behavior, recorder, emit } = this.options;
    const last = podStatus.containerStatuses.find(
      (c) => c.name === container.name && c.state === 'exited',
    );
    if (last === undefined) return undefined;
    const finishedAt = last.finishedAt ?? clock.now();
    const key = backoffKey(pod, container, behavior);
    if (!backOff.isInBackOffSince(key, finishedAt)) {
      backOff.next(key, finishedAt);
      return undefined;
    }
    const failed = `failed container ${container.name} in pod ${formatPod(pod)}`;
    recorder.containerEvent(pod, container, 'Warning', 'BackOff', `Back-off restarting ${failed}`);
    const delay = backOff.get(key);
    const until = finishedAt + delay;
    emit({ kind: 'backOff', pod: podKey(pod), container: container.name, delay, until });
    const message = `back-off ${formatDuration(delay)} restarting failed container=${container.name} pod=${formatPod(pod)}`;
    return { reason: 'CrashLoopBackOff', message, backoffUntil: until };
  }

  /** Ports startContainer (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
  async #startContainer(request: StartRequest): Promise<StartError | undefined> {
    const { runtime, behavior } = this.options;
    const { name } = request.container;
    const imageRef = await this.#ensureImage(request);
    const id = await this.#create(request, imageRef);
    this.#record(
      request,
      'Normal',
      'Created',
      behavior.shortContainerEvents ? 'Container created' : `Created container: ${name}`,
    );
    try {
      await runtime.startContainer(id);
    } catch (error) {
      const message = runtimeErrorMessage(error);
      // Events name the container, not its id.
      const eventMessage = message.replaceAll(id, request.container.name);
      throw this.#failed(request, 'RunContainerError', message, eventMessage);
    }
    this.#record(
      request,
      'Normal',
      'Started',
      behavior.shortContainerEvents ? 'Container started' : `Started container ${name}`,
    );
    return this.#postStart(request, id);
  }

  async #ensureImage(request: StartRequest): Promise<string> {
    const { pod, container } = request;
    const ensured = await this.options.images?.ensureImageExists(pod, container);
    if (ensured?.kind !== 'failed') return ensured?.imageRef ?? container.image;
    this.#record(request, 'Warning', 'Failed', `Error: ${ensured.reason}`);
    throw new StartFailure(ensured.reason, ensured.message);
  }

  async #create(request: StartRequest, imageRef: string): Promise<string> {
    const { pod, container, podStatus, sandboxID, podIPs } = request;
    const last = findContainerStatusByName(podStatus, container.name);
    const restartCount = last === undefined ? 0 : last.restartCount + 1;
    const hash = hashContainer(container);
    const config = { pod, container, sandboxID, restartCount, hash, imageRef, podIPs };
    try {
      return await this.options.runtime.createContainer(config);
    } catch (error) {
      const isConfig = error instanceof RuntimeError && error.code === 'configuration';
      const reason = isConfig ? 'CreateContainerConfigError' : 'CreateContainerError';
      throw this.#failed(request, reason, runtimeErrorMessage(error));
    }
  }

  /** Runs the postStart hook; if it fails, the container is killed. */
  async #postStart(request: StartRequest, id: string): Promise<StartError | undefined> {
    const { hooks, killer } = this.options;
    const { pod, container, podIPs } = request;
    const handler = container.lifecycle?.postStart;
    if (handler === undefined) return undefined;
    const error = await hooks.run({ name: 'postStart', pod, container, id, handler, podIPs });
    if (error === undefined) return undefined;
    this.#record(request, 'Warning', 'FailedPostStartHook', 'PostStartHook failed');
    const reason = 'FailedPostStartHook';
    await ignoreFailure(
      killer.killContainer({ pod, container, id, message: reason, reason, podIPs }),
    );
    return { reason: 'PostStartHookError', message: error };
  }

  #failed(
    request: StartRequest,
    reason: StartErrorReason,
    message: string,
    eventMessage = message,
  ): StartFailure {
    this.#record(request, 'Warning', 'Failed', `Error: ${eventMessage}`);
    return new StartFailure(reason, message);
  }

  #record(
    { pod, container }: StartRequest,
    type: EventType,
    reason: string,
    message: string,
  ): void {
    this.options.recorder.containerEvent(pod, container, type, reason, message);
  }
}

/** Failure of a step of a start. It is caught in this file. */
class StartFailure extends Error {
  constructor(
    readonly reason: StartErrorReason,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the key of a container's back-off; a new image or new resources end it. Ports GetBackoffKey (helpers.go). */
function backoffKey(
  { metadata }: Pod,
  { name, image, resources = {} }: Container,
  { backOffByResources }: ReleaseBehavior,
): string {
  const { name: podName, namespace, uid } = metadata;
  const fields = [podName, namespace, uid, name, image];
  return [...fields, ...(backOffByResources ? [JSON.stringify(resources)] : [])].join('/');
}

/**
 * Returns the error of a container that must not run as its image's user, or undefined. Ports verifyRunAsNonRoot
 * (pkg/kubelet/kuberuntime/security_context.go).
 */
export function verifyRunAsNonRoot(
  pod: Pod,
  container: Container,
  imageUser: string,
): string | undefined {
  const podContext = pod.spec.securityContext ?? {};
  const containerContext = container.securityContext ?? {};
  const runAsNonRoot = containerContext.runAsNonRoot ?? podContext.runAsNonRoot ?? false;
  if (!runAsNonRoot) return undefined;
  const subject = `(pod: "${formatPod(pod)}", container: ${container.name})`;
  const runAsUser = containerContext.runAsUser ?? podContext.runAsUser;
  if (runAsUser !== undefined) {
    return runAsUser === 0 ? `container's runAsUser breaks non-root policy ${subject}` : undefined;
  }
  const [user = ''] = imageUser.split(':');
  const uid = parseUID(user);
  if (user === '' || uid === 0n) {
    return `container has runAsNonRoot and image will run as root ${subject}`;
  }
  if (uid === undefined) {
    return `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root ${subject}`;
  }
  if (uid > 0n && uid <= MAX_USER_ID) return undefined;
  return `container has runAsNonRoot and image has an invalid user id (${uid}). (Must be 1-(${MAX_USER_ID})): must be between 0 and ${MAX_USER_ID}, inclusive ${subject}`;
}

const MAX_USER_ID = 2n ** 31n - 1n;

/** Parses a user id; undefined for a user name, and for a number that is no int64. */
function parseUID(user: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(user)) return undefined;
  const uid = BigInt(user);
  return BigInt.asIntN(64, uid) === uid ? uid : undefined;
}
