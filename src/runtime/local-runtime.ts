import type { Container, ContainerStateWaiting, Pod, Time } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import { hashContainer } from '../kubelet/containers/container-hash.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Inspection,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../kubelet/ports.js';
import { RuntimePods } from '../kubelet/runtime-pods.js';
import type { EngineListener } from '../kubelet/traced-runtime.js';
import { markVariable, newMark, Watchdog } from '../process/watchdog.js';
import {
  attachedRun,
  type Backing,
  type BackingFor,
  completedRun,
  type ContainerContext,
  type ExternalContainer,
  type ExternalContainers,
  type LocalExec,
  type PodContainer,
  type Run,
  type RunCommand,
} from './backing.js';
import {
  type ConfigSource,
  type EnvironmentNode,
  makeEnvironmentVariables,
} from './environment/environment-variables.js';
import { definedEnv, type Host, workingDirectory } from './host.js';
import { LocalContainer, type LocalContainerOptions } from './local-container.js';
import { factsOfMachine, throttledRead } from './process-facts.js';
import { startProcess } from './process-run.js';

/** Seconds between TERM and KILL when the runtime closes. */
const CLOSE_GRACE_PERIOD = 2;

export interface LocalRuntimeOptions {
  /** The scheme of container ids, such as `process` when a process runs in place of a container. */
  readonly name: string;
  /** The address of every pod: its ports are probed there. */
  readonly address: string;
  readonly clock: Clock;
  readonly host: Host;
  readonly backingFor: BackingFor;
  readonly node: EnvironmentNode;
  readonly config: ConfigSource;
  /** Runs the commands of probes and hooks; without it, they are refused. */
  readonly exec?: LocalExec;
  /** Containers that kprobe and others start; they take precedence over `backingFor`. */
  readonly external?: ExternalContainers;
  readonly listener: EngineListener;
}

/** The answer to calls while the runtime closes: none, since the end of kprobe is no failure of a start or a command. */
const NO_ANSWER = new Promise<never>(() => undefined);

/** The context of a command in an external container, where the container gives it its environment. */
const NO_CONTEXT: ContainerContext = { env: {}, cwd: '/' };

/** The options of a container that follow from its backing. */
type BackingOptions = Pick<LocalContainerOptions, 'launch'> & Partial<LocalContainerOptions>;

/** A runtime whose containers are processes, servers that run already, or external containers. */
export class LocalRuntime implements Runtime {
  readonly name: string;
  readonly #pods = new RuntimePods<LocalContainer>();
  readonly #mark = newMark('KPROBE_MARK_CONTAINER');
  readonly #watchdog: Watchdog;
  readonly #exec: RunCommand | undefined;
  readonly #factsOfMachine: typeof factsOfMachine;
  /** The last configuration of each external container, for its next run, even one that kprobe does not start. */
  readonly #configs = new Map<ExternalContainer, ContainerConfig>();
  #closing: Promise<void> | undefined;

  constructor(private readonly options: LocalRuntimeOptions) {
    this.name = options.name;
    const { clock, exec } = options;
    const watchdog = new Watchdog(clock, this.#mark);
    this.#watchdog = watchdog;
    this.#factsOfMachine = throttledRead(clock, factsOfMachine);
    this.#exec = exec && ((command, context) => (watchdog.start(), exec.run(command, context)));
    options.external?.follow(options.listener, (container, first) => this.#adopt(container, first));
  }

  async status(): Promise<void> {
    await this.options.external?.status();
  }

  async getPods(uid?: string): Promise<readonly RuntimePod[]> {
    await this.options.external?.refresh();
    return this.#pods.list(uid);
  }

  getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    return Promise.resolve(this.#pods.status(uid, this.#podIPs(uid)));
  }

  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const id = this.#pods.addSandbox(pod, attempt);
    return Promise.resolve({ id, ips: this.#podIPs(pod.metadata.uid) });
  }

  async stopPodSandbox(id: string): Promise<void> {
    await Promise.all(this.#pods.stopSandbox(id).map((container) => container.stop(0)));
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.stopPodSandbox(id);
    for (const container of this.#pods.stopSandbox(id)) this.#pods.remove(container.id);
    this.#pods.removeSandbox(id);
  }

  waitingState(pod: Pod, container: Container): ContainerStateWaiting | undefined {
    const external = this.options.external?.find(pod, container);
    const waiting = external?.waitingState?.();
    if (external === undefined || waiting === undefined) return undefined;
    // With its configuration known, even the first run is adopted as soon as it has started.
    if (!this.#configs.has(external))
      this.#configs.set(external, this.#firstConfig({ pod, container }));
    return waiting;
  }

  #firstConfig({ pod, container }: PodContainer): ContainerConfig {
    const { uid } = pod.metadata;
    return {
      pod,
      container,
      sandboxID: this.#pods.latestSandbox(uid) ?? '',
      restartCount: -1,
      hash: hashContainer(container),
      imageRef: container.image,
      podIPs: this.#podIPs(uid),
    };
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    if (this.#isClosing) return NO_ANSWER;
    const external = this.options.external?.find(config.pod, config.container);
    if (external !== undefined) this.#configs.set(external, config);
    const backing: Backing =
      external === undefined
        ? this.options.backingFor(config.pod, config.container)
        : { kind: 'external', container: external };
    const id = external?.nextID() ?? this.#pods.newID(config.container.name);
    this.#pods.add(await this.#create(id, config, backing));
    return id;
  }

  async startContainer(id: string): Promise<void> {
    if (this.#isClosing) return NO_ANSWER;
    await this.#pods.get(id).start();
  }

  startedAt(id: string): Time | undefined {
    return this.#pods.find(id)?.startedAt;
  }

  async stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    await this.#pods.get(id).stop(gracePeriodSeconds);
  }

  async removeContainer(id: string): Promise<void> {
    await this.#pods.find(id)?.stop(0);
    this.#pods.remove(id);
  }

  inspect(id: string): Inspection {
    return this.#pods.find(id)?.inspect();
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    if (this.#isClosing) return NO_ANSWER;
    const result = await this.#pods.get(id).exec(command, timeoutSeconds);
    // After a failed hook, the kubelet would stop the container.
    return this.#closing !== undefined && this.options.external !== undefined ? NO_ANSWER : result;
  }

  /**
   * Ends everything that the runtime started: TERM, and KILL after the grace period. Resolves when all is gone; another
   * call can only shorten the grace period.
   */
  close(gracePeriodSeconds = CLOSE_GRACE_PERIOD): Promise<void> {
    const external = this.#closing === undefined ? this.options.external?.close?.() : undefined;
    const closing = this.#pods.containers.map((each) => each.close(gracePeriodSeconds));
    this.#closing ??= Promise.all([this.#closeWhenEnded(closing), external]).then(() => undefined);
    return this.#closing;
  }

  async #closeWhenEnded(closing: readonly Promise<void>[]): Promise<void> {
    await Promise.all(closing);
    await this.options.exec?.close();
    await this.#watchdog.close();
  }

  async #create(id: string, config: ContainerConfig, backing: Backing): Promise<LocalContainer> {
    const { clock, listener } = this.options;
    return new LocalContainer({
      id,
      config,
      clock,
      exec: this.#exec,
      context: () => this.#context(id, config),
      onExit: (exited, exit) => listener.onExit(exited, exit),
      ...(await this.#optionsOf(backing, id, config)),
    });
  }

  /** Rejects with a RuntimeError `configuration` when a process could not be given its environment. */
  async #optionsOf(backing: Backing, id: string, config: ContainerConfig): Promise<BackingOptions> {
    const { clock, host, listener } = this.options;
    switch (backing.kind) {
      case 'attached': {
        // The server has its environment already; the one of the container is for commands only.
        const inspect = this.#factsOfMachine;
        return { launch: () => Promise.resolve({ ...attachedRun(clock), inspect }) };
      }
      case 'completed':
        return { launch: () => Promise.resolve(completedRun(clock)) };
      case 'external':
        return {
          exec: backing.container.exec,
          context: () => Promise.resolve(NO_CONTEXT),
          launch: () => backing.container.launch(),
          isExternal: true,
        };
      case 'process': {
        const { argv, persistent } = backing;
        const { terminationMessagePolicy, lifecycle } = config.container;
        const context = await this.#context(id, config);
        const start = (): Promise<Run> =>
          startProcess({
            clock,
            host,
            argv,
            context,
            watchdog: this.#watchdog,
            mark: this.#mark + id,
            fallbackToLogsOnError: terminationMessagePolicy === 'FallbackToLogsOnError',
            stopSignal: lifecycle?.stopSignal,
            onLine: (stream, text) =>
              listener.onOutput(persistent?.containerID ?? id, stream, text),
          });
        const launch = (): Promise<Run> => persistent?.launch(id, start) ?? start();
        return { context: () => Promise.resolve(context), launch };
      }
    }
  }

  /** Rejects with the kubelet's text when the container's environment cannot be made. */
  async #context(
    id: string,
    { pod, container, podIPs }: ContainerConfig,
  ): Promise<ContainerContext> {
    const { host, node, config } = this.options;
    const environment = makeEnvironmentVariables({ pod, container, podIPs, node, config });
    if (!environment.ok) throw new RuntimeError(environment.error, 'configuration');
    const mark = markVariable(this.#mark + id);
    return {
      // Searches may read only the beginning, so the mark comes first; it comes last too, so that nothing overrides it.
      env: { ...mark, ...definedEnv(host), ...Object.fromEntries(environment.value), ...mark },
      cwd: await workingDirectory(host, container.workingDir),
    };
  }

  /** Adds a run that somebody else started, which the kubelet finds at its next relist. */
  async #adopt(container: ExternalContainer, first?: PodContainer): Promise<void> {
    if (first !== undefined && this.#pods.latestSandbox(first.pod.metadata.uid) === undefined) {
      await this.runPodSandbox(first.pod, 0);
    }
    const last = this.#configs.get(container) ?? (first && this.#firstConfig(first));
    if (last === undefined) return;
    const { pod, container: spec, restartCount } = last;
    try {
      const id = await this.createContainer({ ...last, restartCount: restartCount + 1 });
      const { startedAt } = container;
      const found = { pod, container: spec.name, running: true, startedAt };
      this.options.listener.onFound(id, found);
      await this.startContainer(id);
    } catch (error) {
      // The run has ended by now; the next inspection shows its end.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }

  #podIPs(uid: string): readonly string[] {
    const ips = this.options.external?.podIPs?.(uid) ?? [];
    return ips.length === 0 ? [this.options.address] : ips;
  }

  get #isClosing(): boolean {
    return this.#closing !== undefined;
  }
}
