import { containerNamed, type ContainerStatus, type Pod, type PodStatus } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import type { EngineListener } from '../../kubelet/traced-runtime.js';
import { FoundRuntime } from '../../runtime/found-runtime.js';
import { type Host, localNode } from '../../runtime/host.js';
import {
  type AttachedRun,
  attachedRun,
  type EngineStandIn,
  localStandIns,
  type Run,
  type RunEnd,
} from '../../runtime/stand-in.js';
import type { ClusterAttempts } from './cluster-attempts.js';

/** Milliseconds, beside a probe's period and the grace period, in which the cluster's kubelet may stop a container as well. */
const STOP_WAIT = 2000;
/** The exit code of an unreported end. */
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
  /** It was not running at its first start. */
  #isLate = false;
  #wake: () => void = () => undefined;
  #starts = 0;

  constructor(options: ClusterContainerOptions) {
    this.#options = options;
  }

  nextID(): string {
    return `${this.#options.name}-${this.#starts++}`;
  }

  /** Applies a report of the cluster's kubelet. Returns true when it has started the container again. */
  observe(status: ContainerStatus): boolean {
    this.#status = status;
    const [run, life] = [this.#run, this.#life];
    this.#wake();
    if (life === run?.life) return false;
    if (run?.hasEnded === false) run.end(this.#end());
    return (run !== undefined || this.#isLate) && !this.#isLaunching && life !== undefined;
  }

  /** Waits until the cluster's kubelet has started it: kprobe starts nothing. */
  async launch(): Promise<Run> {
    const { clock, name } = this.#options;
    this.#isLaunching = true;
    try {
      // Before its first run, the other containers of the pod must not wait for it.
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

  /** Identity of the current run. */
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

interface ClusterRuntimeOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly exec: ClusterAttempts['exec'];
  readonly listener: EngineListener;
}

/** The containers of a cluster's pod. Nothing in the cluster is started or stopped. */
export class ClusterRuntime extends FoundRuntime {
  readonly #containers: ReadonlyMap<string, ClusterContainer>;
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
    const node = localNode(status.hostIP ?? address);
    super({
      ...{ name: 'cluster', address, clock, host, listener, node },
      find: (_, { name }) => containers.get(name),
      standInFor: localStandIns(),
      config: { configMaps: [], secrets: [] },
    });
    this.#containers = containers;
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
      const container = this.#containers.get(status.name);
      if (container?.observe(status) === true) void this.adopt(container);
    }
  }

  /** Leaves everything as it is, also a start that waits for the cluster's kubelet. */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}
