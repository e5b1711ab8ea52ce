import {
  allContainers,
  type Container,
  containerNamed,
  type ContainerStateTerminated,
  type ContainerStateWaiting,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  runsToCompletion,
  type Time,
} from '../../api/index.js';
import { type Clock, untilAborted } from '../../clock/clock.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { containerProbes } from '../../kubelet/prober/probe-of.js';
import type { EngineListener } from '../../kubelet/traced-runtime.js';
import {
  type AttachedRun,
  attachedRun,
  type ExternalContainer,
  type ExternalContainers,
  localBackings,
  LOST,
  type OnStarted,
  type Run,
  type RunExit,
} from '../../runtime/backing.js';
import { localNode } from '../../runtime/host.js';
import { LocalRuntime, type LocalRuntimeOptions } from '../../runtime/local-runtime.js';
import type { ClusterAttempts } from './cluster-attempts.js';

/** Milliseconds that the cluster's kubelet may take to stop a container, beyond a probe's period and the grace period. */
const STOP_WAIT = 2000;

interface ClusterContainerOptions {
  readonly clock: Clock;
  readonly pod: Pod;
  readonly name: string;
  readonly exec: ClusterAttempts['exec'];
  readonly release: string;
  readonly onNote: (text: string) => void;
}

/** A container of a cluster's pod: it lives as the cluster's kubelet reports, and kprobe never stops it. */
class ClusterContainer implements ExternalContainer {
  #status: ContainerStatus | undefined;
  #run: (AttachedRun & { containerID: string }) | undefined;
  #starts = 0;

  constructor(private readonly options: ClusterContainerOptions) {}

  nextID(): string {
    return `${this.options.name}-${this.#starts++}`;
  }

  /** Applies a report of the cluster's kubelet. Returns true when it has started the container. */
  observe(status: ContainerStatus): boolean {
    this.#status = status;
    const [run, containerID] = [this.#run, this.#runningID];
    if (containerID === run?.containerID) return false;
    if (run?.hasEnded === false) run.end(this.#end());
    return containerID !== undefined;
  }

  get isRunning(): boolean {
    return this.#runningID !== undefined;
  }

  /** Returns undefined where the cluster's kubelet has started a run that kprobe has not taken over yet. */
  waitingState(): ContainerStateWaiting | undefined {
    const [run, containerID] = [this.#run, this.#runningID];
    if (containerID === undefined) return this.#status?.state.waiting ?? {};
    return run?.containerID === containerID && !run.hasEnded ? {} : undefined;
  }

  get startedAt(): Time | undefined {
    const { startedAt } = this.#status?.state.running ?? {};
    const isNew = this.#runningID !== this.#run?.containerID;
    return isNew && startedAt !== undefined
      ? Math.min(startedAt, this.options.clock.now())
      : undefined;
  }

  /** Takes over the run that the cluster's kubelet has started: kprobe starts nothing. */
  launch(): Promise<Run> {
    const { clock, name } = this.options;
    const containerID = this.#runningID;
    if (containerID === undefined) {
      return Promise.reject(new RuntimeError(`the cluster's kubelet has not started ${name}`));
    }
    const { startedAt } = this;
    const { started = false } = this.#status ?? {};
    const run = Object.assign(attachedRun(clock), { containerID, startedAt, started });
    run.stop = (grace) => this.#stop(run, grace);
    this.#run = run;
    return Promise.resolve(run);
  }

  get hasSucceeded(): boolean {
    return this.#status?.state.terminated?.exitCode === 0;
  }

  readonly exec: ExternalContainer['exec'] = (command, { timeoutSeconds, signal }) => {
    const { name, exec } = this.options;
    const stopped = { kind: 'error', message: 'the container or kprobe has stopped' } as const;
    return untilAborted(signal, exec(name, command, timeoutSeconds), stopped);
  };

  /** The id of the container while it runs: each run has another one. */
  get #runningID(): string | undefined {
    const { state, containerID = '' } = this.#status ?? {};
    return state?.running === undefined ? undefined : containerID;
  }

  #end(): RunExit {
    const { state, lastTerminationState } = this.#status ?? {};
    const end: ContainerStateTerminated =
      state?.terminated ?? lastTerminationState?.terminated ?? LOST;
    const { exitCode, finishedAt, reason, message } = end;
    return {
      exitCode,
      finishedAt: finishedAt ?? this.options.clock.now(),
      message: message ?? '',
      restartedBy: 'cluster',
      ...(reason !== undefined && { reason }),
    };
  }

  /** Waits for the cluster's kubelet to stop the container; if it does not, only the simulated run ends. */
  #stop(run: AttachedRun, gracePeriodSeconds: number): void {
    const { clock, name, pod, release, onNote } = this.options;
    const end = { exitCode: 143, message: '' };
    if (run.hasEnded) return;
    onNote(`the kubelet of v${release} would now kill ${name}: kprobe leaves it alone`);
    const container = containerNamed(pod.spec, name);
    const probes = container === undefined ? [] : containerProbes(container);
    const periods = probes.map(({ probe }) => probe.periodSeconds);
    const seconds = Math.max(0, ...periods) + gracePeriodSeconds;
    clock.setTimeout(
      () => {
        if (run.hasEnded) return;
        onNote(`the cluster's kubelet has not killed ${name}: its restart is simulated`);
        run.end({ ...end, finishedAt: clock.now() });
      },
      seconds * 1000 + STOP_WAIT,
    );
  }
}

interface ClusterContainersOptions extends Omit<ClusterContainerOptions, 'name' | 'onNote'> {
  readonly status: PodStatus;
}

/** The containers of a cluster's pod. Nothing in the cluster is started or stopped. */
export class ClusterContainers implements ExternalContainers {
  readonly #containers: ReadonlyMap<string, ClusterContainer>;
  #onNote: (text: string) => void = () => undefined;
  #onStarted: OnStarted = () => Promise.resolve();
  #isTakenOver = false;
  #lost: string | undefined;

  constructor(private readonly options: ClusterContainersOptions) {
    const { status, ...shared } = options;
    const onNote = (text: string): void => this.#onNote(text);
    this.#containers = new Map(
      allContainers(options.pod.spec).map(({ name }) => [
        name,
        new ClusterContainer({ ...shared, name, onNote }),
      ]),
    );
    this.observe(status);
  }

  /** Returns undefined for an init container that has succeeded in the cluster: here it completes as soon as it starts. */
  find({ spec }: Pod, { name }: Container): ClusterContainer | undefined {
    const container = this.#containers.get(name);
    const isComplete = container?.hasSucceeded === true && runsToCompletion(spec, name);
    return isComplete ? undefined : container;
  }

  follow(listener: EngineListener, onStarted: OnStarted): void {
    this.#onNote = (text) => listener.onNote('info', text);
    this.#onStarted = onStarted;
  }

  status(): Promise<void> {
    return this.#lost === undefined
      ? Promise.resolve()
      : Promise.reject(new RuntimeError(this.#lost));
  }

  /** Hands over the containers that run already, as a kubelet finds them after its restart. */
  async refresh(): Promise<void> {
    if (this.#isTakenOver) return;
    this.#isTakenOver = true;
    const { pod } = this.options;
    for (const container of allContainers(pod.spec)) {
      const external = this.#containers.get(container.name);
      if (external?.isRunning === true) await this.#onStarted(external, { pod, container });
    }
  }

  /** Takes the state of the connection to the API server: an error while it is lost. */
  connection(error: string | undefined): void {
    this.#lost = error;
  }

  observe({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): void {
    for (const status of [...initContainerStatuses, ...containerStatuses]) {
      const container = this.#containers.get(status.name);
      if (container?.observe(status) === true) void this.#onStarted(container);
    }
  }
}

interface ClusterRuntimeOptions extends Pick<LocalRuntimeOptions, 'clock' | 'host' | 'listener'> {
  readonly containers: ClusterContainers;
  readonly status: PodStatus;
}

export function clusterRuntime({ status, containers, ...options }: ClusterRuntimeOptions) {
  const address = status.podIP ?? '';
  return new LocalRuntime({
    ...options,
    name: 'cluster',
    address,
    node: localNode(status.hostIP ?? address),
    external: containers,
    backingFor: localBackings(),
    config: { configMaps: [], secrets: [] },
  });
}
