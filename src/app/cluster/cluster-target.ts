import { containerNamed, type ContainerStatus, type Pod, type PodStatus } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { type ContainerConfig, RuntimeError } from '../../kubelet/ports.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import type { EngineListener } from '../../kubelet/traced-runtime.js';
import { configSource } from '../../runtime/environment/config.js';
import { type Host, localNode } from '../../runtime/host.js';
import { LocalRuntime } from '../../runtime/local-runtime.js';
import {
  type AttachedRun,
  attachedRun,
  type EngineStandIn,
  localStandIns,
  type Run,
  type RunEnd,
  type StandInFor,
} from '../../runtime/stand-in.js';
import type { ClusterAttempts } from './cluster-attempts.js';

/** Milliseconds, beside a probe's period and the grace period, in which the cluster's kubelet may stop a container as well. */
const STOP_WAIT = 2000;
/** The exit code of an end that nobody reported. */
const UNKNOWN_EXIT = 137;

interface ClusterContainerOptions {
  readonly clock: Clock;
  readonly pod: Pod;
  readonly name: string;
  readonly exec: ClusterAttempts['exec'];
  readonly onNote: (text: string) => void;
}

/** A container of a cluster's pod: it lives as the cluster's kubelet reports, and kprobe never stops it. */
class ClusterContainer implements EngineStandIn {
  readonly #options: ClusterContainerOptions;
  #status: ContainerStatus | undefined;
  #run: (AttachedRun & { life: string }) | undefined;
  #isLaunching = false;
  /** It did not run when it was to start for the first time. */
  #isLate = false;
  #wake: () => void = () => undefined;
  #starts = 0;

  constructor(options: ClusterContainerOptions) {
    this.#options = options;
  }

  nextID(): string {
    return `${this.#options.name}-${this.#starts++}`;
  }

  /** Takes what the cluster's kubelet reports. Returns true when it has started the container again. */
  observe(status: ContainerStatus): boolean {
    this.#status = status;
    const [run, life] = [this.#run, this.#life];
    this.#wake();
    if (life === run?.life) return false;
    if (run?.hasEnded === false) run.end(this.#end());
    return (run !== undefined || this.#isLate) && !this.#isLaunching && life !== undefined;
  }

  /** Waits until the cluster's kubelet has started it: a start of our own is none. */
  async launch(): Promise<Run> {
    const { clock, name } = this.#options;
    this.#isLaunching = true;
    try {
      // Before its first run, the other containers of the pod are not to wait for it.
      while (this.#run !== undefined && this.#life === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#isLaunching = false;
    }
    const life = this.#life;
    if (life === undefined) {
      this.#isLate = true;
      const { reason = 'it is not running' } = this.#status?.state.waiting ?? {};
      throw new RuntimeError(`the cluster's kubelet has not started ${name}: ${reason}`);
    }
    const { startedAt = clock.now() } = this.#status?.state.running ?? {};
    const isNew = life !== this.#run?.life;
    const begin = isNew ? Math.min(startedAt, clock.now()) : clock.now();
    const run = Object.assign(attachedRun(clock), { life, startedAt: begin });
    run.stop = (grace) => this.#stop(run, grace);
    this.#run = run;
    return run;
  }

  readonly exec: EngineStandIn['exec'] = (command, { timeoutSeconds }) =>
    this.#options.exec(this.#options.name, command, timeoutSeconds);

  /** Identity of the run that goes on now. */
  get #life(): string | undefined {
    const { state, containerID = '' } = this.#status ?? {};
    return state?.running === undefined ? undefined : containerID;
  }

  #end(): RunEnd {
    const { state, lastTerminationState } = this.#status ?? {};
    const { exitCode, finishedAt, reason, message } =
      state?.terminated ?? lastTerminationState?.terminated ?? {};
    return {
      exitCode: exitCode ?? UNKNOWN_EXIT,
      finishedAt: finishedAt ?? this.#options.clock.now(),
      message: message ?? '',
      ...(reason === undefined ? {} : { reason }),
    };
  }

  /** Waits for the cluster's kubelet to stop it; without that, only the simulated run ends. */
  #stop(run: AttachedRun, gracePeriodSeconds: number): void {
    const { clock, name, pod, onNote } = this.#options;
    const end = { exitCode: 143, message: '' };
    if (run.hasEnded) return;
    onNote(`the kubelet of v1.36 would now kill ${name}: kprobe leaves it alone`);
    const container = containerNamed(pod.spec, name);
    const periods = PROBE_TYPES.map((type) => container && probeOf(container, type)?.periodSeconds);
    const seconds = Math.max(...periods.map((period) => period ?? 0)) + gracePeriodSeconds;
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

export interface ClusterRuntimeOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly exec: ClusterAttempts['exec'];
  readonly listener: EngineListener;
}

/** The containers of a cluster's pod. Nothing in the cluster is started or stopped. */
export class ClusterRuntime extends LocalRuntime {
  readonly #containers: ReadonlyMap<string, ClusterContainer>;
  readonly #listener: EngineListener;
  /** The last configuration of each container, for the run that the cluster's kubelet starts. */
  readonly #configs = new Map<string, ContainerConfig>();
  #lost: string | undefined;

  constructor({ clock, host, pod, status, exec, listener }: ClusterRuntimeOptions) {
    const address = status.podIP ?? '';
    const { spec } = pod;
    const sidecars = (spec.initContainers ?? []).filter((one) => one.restartPolicy === 'Always');
    const onNote = (text: string): void => listener.onNote('info', text);
    const containers = new Map(
      [...sidecars, ...spec.containers].map(({ name }) => [
        name,
        new ClusterContainer({ clock, pod, name, exec, onNote }),
      ]),
    );
    const others = localStandIns();
    const standInFor: StandInFor = (of, container) => {
      const own = containers.get(container.name);
      return own === undefined ? others(of, container) : { kind: 'engine', container: own };
    };
    const node = localNode(status.hostIP ?? address);
    super({
      ...{ name: 'cluster', address, clock, host, standInFor, listener, node },
      config: configSource([], []),
    });
    this.#containers = containers;
    this.#listener = listener;
    this.observe(status);
  }

  override status(): Promise<void> {
    return this.#lost === undefined
      ? Promise.resolve()
      : Promise.reject(new RuntimeError(this.#lost));
  }

  /** Takes the state of the connection to the API server: an error while it is lost. */
  connection(error: string | undefined): void {
    this.#lost = error;
  }

  observe({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): void {
    for (const status of [...initContainerStatuses, ...containerStatuses]) {
      if (this.#containers.get(status.name)?.observe(status) === true) {
        void this.#adopt(status.name).catch((error: unknown) => {
          // It has ended by now: the next status shows it.
          if (!(error instanceof RuntimeError)) throw error;
        });
      }
    }
  }

  /** Leaves everything as it is, also a start that waits for the cluster's kubelet. */
  override close(): Promise<void> {
    return Promise.resolve();
  }

  override createContainer(config: ContainerConfig): Promise<string> {
    this.#configs.set(config.container.name, config);
    return super.createContainer(config);
  }

  /** Adds a run that the cluster's kubelet started before the engine's did. */
  async #adopt(name: string): Promise<void> {
    const last = this.#configs.get(name);
    if (last === undefined) return;
    const config = { ...last, restartCount: last.restartCount + 1 };
    const id = await this.createContainer(config);
    this.#listener.onFound(id, { pod: config.pod, container: name, running: true });
    await this.startContainer(id);
  }
}
