import type { Container, ContainerStateWaiting, Pod } from '../api/index.js';
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

interface LocalPod {
  readonly sandboxes: LocalSandbox[];
  readonly containers: LocalContainer[];
}

interface LocalSandbox {
  readonly id: string;
  readonly pod: Pod;
  readonly attempt: number;
  ready: boolean;
}

/** The context of a command in an external container, where the container gives it its environment. */
const NO_CONTEXT: ContainerContext = { env: {}, cwd: '/' };

/** A runtime whose containers are processes, servers that run already, or external containers. */
export class LocalRuntime implements Runtime {
  readonly name: string;
  readonly #pods = new Map<string, LocalPod>();
  readonly #sandboxes = new Map<string, LocalSandbox>();
  readonly #containers = new Map<string, LocalContainer>();
  readonly #mark = newMark('KPROBE_MARK_CONTAINER');
  readonly #watchdog: Watchdog;
  readonly #exec: RunCommand | undefined;
  readonly #factsOfMachine: typeof factsOfMachine;
  /** The last configuration of each external container, for its next run, even one that kprobe does not start. */
  readonly #configs = new Map<ExternalContainer, ContainerConfig>();
  #nextID = 0;
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
    const uids = uid === undefined ? [...this.#pods.keys()] : [uid];
    return uids.flatMap((each) => this.#list(each));
  }

  #list(uid: string): RuntimePod | [] {
    const { sandboxes, containers } = this.#podOf(uid);
    const pod = sandboxes[0]?.pod ?? containers[0]?.config.pod;
    if (pod === undefined) return [];
    const { name, namespace } = pod.metadata;
    return {
      uid,
      name,
      namespace,
      containers: containers.map(({ id, state, config: { container, sandboxID } }) => {
        return { id, state, name: container.name, sandboxID };
      }),
      sandboxes: sandboxes.map(({ id, ready }) => ({ id, state: sandboxState(ready) })),
    };
  }

  getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const addresses = this.#podIPs(uid);
    const { sandboxes, containers } = this.#podOf(uid);
    return Promise.resolve({
      uid,
      ips: sandboxes[0]?.ready === true ? addresses : [],
      sandboxStatuses: sandboxes.map(({ id, pod, attempt, ready }) => {
        const { hostNetwork = false } = pod.spec;
        return { id, state: sandboxState(ready), attempt, hostNetwork, ips: addresses };
      }),
      containerStatuses: containers.map((container) => container.status()),
    });
  }

  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const id = this.#newID('sandbox');
    const sandbox = { id, pod, attempt, ready: true };
    this.#sandboxes.set(id, sandbox);
    this.#podOf(pod.metadata.uid).sandboxes.unshift(sandbox);
    return Promise.resolve({ id, ips: this.#podIPs(pod.metadata.uid) });
  }

  async stopPodSandbox(id: string): Promise<void> {
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) return;
    sandbox.ready = false;
    await Promise.all(this.#containersIn(sandbox).map((container) => container.stop(0)));
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.stopPodSandbox(id);
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) return;
    for (const container of this.#containersIn(sandbox)) this.#forget(container);
    this.#sandboxes.delete(id);
    remove(this.#podOf(sandbox.pod.metadata.uid).sandboxes, sandbox);
  }

  waitingState(pod: Pod, container: Container): ContainerStateWaiting | undefined {
    const external = this.options.external?.find(pod, container);
    const waiting = external?.waitingState?.();
    if (external === undefined || waiting === undefined) return undefined;
    // The first run, too, is adopted as soon as it has started.
    if (!this.#configs.has(external))
      this.#configs.set(external, this.#firstConfig({ pod, container }));
    return waiting;
  }

  #firstConfig({ pod, container }: PodContainer): ContainerConfig {
    const { uid } = pod.metadata;
    return {
      pod,
      container,
      sandboxID: this.#podOf(uid).sandboxes[0]?.id ?? '',
      restartCount: -1,
      hash: hashContainer(container),
      imageRef: container.image,
      podIPs: this.#podIPs(uid),
    };
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    this.#assertOpen();
    const external = this.options.external?.find(config.pod, config.container);
    if (external !== undefined) this.#configs.set(external, config);
    const backing: Backing =
      external === undefined
        ? this.options.backingFor(config.pod, config.container)
        : { kind: 'external', container: external };
    const id = external?.nextID() ?? this.#newID(config.container.name);
    const container = await this.#create(id, config, backing);
    this.#containers.set(id, container);
    this.#podOf(config.pod.metadata.uid).containers.unshift(container);
    return id;
  }

  async startContainer(id: string): Promise<void> {
    this.#assertOpen();
    await this.#container(id).start();
  }

  async stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    await this.#container(id).stop(gracePeriodSeconds);
  }

  async removeContainer(id: string): Promise<void> {
    const container = this.#containers.get(id);
    await container?.stop(0);
    if (container !== undefined) this.#forget(container);
  }

  inspect(id: string): Inspection {
    return this.#containers.get(id)?.inspect();
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    this.#assertOpen();
    const result = await this.#container(id).exec(command, timeoutSeconds);
    // The end of kprobe is no failure: after a failed hook, the kubelet would stop the container.
    const isDiscarded = this.#closing !== undefined && this.options.external !== undefined;
    return isDiscarded ? new Promise(() => undefined) : result;
  }

  /**
   * Ends everything that the runtime started: TERM, and KILL after the grace period. Resolves when all is gone; another
   * call can only shorten the grace period.
   */
  close(gracePeriodSeconds = CLOSE_GRACE_PERIOD): Promise<void> {
    const external = this.#closing === undefined ? this.options.external?.close() : undefined;
    const closing = [...this.#containers.values()].map((container) =>
      container.close(gracePeriodSeconds),
    );
    this.#closing ??= Promise.all([this.#closeWhenEnded(closing), external]).then(() => undefined);
    return this.#closing;
  }

  async #closeWhenEnded(closing: readonly Promise<void>[]): Promise<void> {
    await Promise.all(closing);
    await this.options.exec?.close();
    await this.#watchdog.close();
  }

  /** Rejects with a RuntimeError `configuration` when a process could not be given its environment. */
  async #create(id: string, config: ContainerConfig, backing: Backing): Promise<LocalContainer> {
    const { clock, listener } = this.options;
    const shared: Omit<LocalContainerOptions, 'launch'> = {
      id,
      config,
      clock,
      exec: this.#exec,
      context: () => this.#context(id, config),
      onExit: (exited, exit) => listener.onExit(exited, exit),
    };
    switch (backing.kind) {
      case 'attached':
        // The target has its environment already: this one is for commands only.
        return new LocalContainer({
          ...shared,
          launch: () => Promise.resolve({ ...attachedRun(clock), inspect: this.#factsOfMachine }),
        });
      case 'completed':
        return new LocalContainer({
          ...shared,
          launch: () => Promise.resolve(completedRun(clock)),
        });
      case 'external': {
        const { container } = backing;
        const context = (): Promise<ContainerContext> => Promise.resolve(NO_CONTEXT);
        const launch = (): ReturnType<typeof container.launch> => container.launch();
        const { exec } = container;
        return new LocalContainer({ ...shared, exec, context, launch, isExternal: true });
      }
      case 'process': {
        const { host } = this.options;
        const context = await this.#context(id, config);
        const run = {
          clock,
          host,
          argv: backing.argv,
          context,
          watchdog: this.#watchdog,
          mark: this.#mark + id,
          fallbackToLogsOnError:
            config.container.terminationMessagePolicy === 'FallbackToLogsOnError',
          stopSignal: config.container.lifecycle?.stopSignal,
          onLine: (stream: 'stdout' | 'stderr', text: string) =>
            listener.onOutput(backing.persistent?.containerID ?? id, stream, text),
        };
        const start = (): ReturnType<typeof startProcess> => startProcess(run);
        const launch = (): ReturnType<typeof startProcess> =>
          backing.persistent?.launch(id, start) ?? start();
        return new LocalContainer({ ...shared, context: () => Promise.resolve(context), launch });
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
    if (first !== undefined && this.#podOf(first.pod.metadata.uid).sandboxes.length === 0) {
      await this.runPodSandbox(first.pod, 0);
    }
    const last = this.#configs.get(container) ?? (first && this.#firstConfig(first));
    if (last === undefined) return;
    const { pod, container: spec, restartCount } = last;
    try {
      const id = await this.createContainer({ ...last, restartCount: restartCount + 1 });
      this.options.listener.onFound(id, { pod, container: spec.name, running: true });
      await this.startContainer(id);
    } catch (error) {
      // The run has ended by now; the next inspection shows its end.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }

  #podIPs(uid: string): readonly string[] {
    const ips = this.options.external?.podIPs(uid) ?? [];
    return ips.length === 0 ? [this.options.address] : ips;
  }

  #podOf(uid: string): LocalPod {
    const pod = this.#pods.get(uid) ?? { sandboxes: [], containers: [] };
    this.#pods.set(uid, pod);
    return pod;
  }

  #forget(container: LocalContainer): void {
    this.#containers.delete(container.id);
    remove(this.#podOf(container.config.pod.metadata.uid).containers, container);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new RuntimeError('the runtime is closing');
  }

  #container(id: string): LocalContainer {
    const container = this.#containers.get(id);
    if (container === undefined) throw new RuntimeError(`container ${id} not found`, 'notFound');
    return container;
  }

  #containersIn({ id, pod }: LocalSandbox): readonly LocalContainer[] {
    const { containers } = this.#podOf(pod.metadata.uid);
    return containers.filter(({ config }) => config.sandboxID === id);
  }

  #newID(prefix: string): string {
    return `${prefix}-${this.#nextID++}`;
  }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

function sandboxState(ready: boolean): 'ready' | 'notReady' {
  return ready ? 'ready' : 'notReady';
}
