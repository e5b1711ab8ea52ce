import type { Clock } from '../clock/clock.js';
import type { ContainerConfig } from '../kubelet/ports.js';
import type { RuntimeListener } from '../kubelet/traced-runtime.js';
import { type ContainerContext, containerContext } from './container-context.js';
import type { ConfigSource } from './environment/config-source.js';
import type { EnvironmentNode } from './environment/environment-variables.js';
import type { Host } from './host.js';
import { LocalContainer } from './local-container.js';
import type { LocalExec, RunCommand } from './local-exec.js';
import type { Mark } from './mark.js';
import { startProcess } from './process-run.js';
import { attachedRun, completedRun, type Run } from './run.js';
import type { Argv, StandInFor } from './stand-in.js';
import type { Watchdog } from './watchdog.js';

export interface ContainerFactoryOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly standInFor: StandInFor;
  readonly node: EnvironmentNode;
  /** The ConfigMaps and Secrets that environments may refer to. */
  readonly config: ConfigSource;
  /** Runs the commands of probes and hooks; without it, none is run. */
  readonly exec?: LocalExec;
  /** Told of ends and of output. */
  readonly listener: RuntimeListener;
}

/** Where an engine runs commands, they have what it gives them. */
const NO_CONTEXT: ContainerContext = { env: {}, cwd: '/' };

/** Makes containers of what stands for them. */
export class ContainerFactory {
  readonly #exec: RunCommand | undefined;

  constructor(
    private readonly options: ContainerFactoryOptions,
    private readonly mark: Mark,
    private readonly watchdog: Watchdog,
  ) {
    const { exec } = options;
    this.#exec = exec && ((command, about) => (watchdog.start(), exec.run(command, about)));
  }

  /** The id that the next container is to have, where what stands for it has one of its own. */
  idOf({ pod, container }: ContainerConfig): string | undefined {
    const standIn = this.options.standInFor(pod, container);
    return standIn.kind === 'engine' ? standIn.container.nextID() : undefined;
  }

  /** Rejects with a RuntimeError `configuration` when a process could not be given its environment. */
  async create(id: string, config: ContainerConfig, onChange: () => void): Promise<LocalContainer> {
    const { clock, listener, standInFor } = this.options;
    const standIn = standInFor(config.pod, config.container);
    const onExit: RuntimeListener['onExit'] = (exited, exit) => listener.onExit(exited, exit);
    const about = { id, config, clock, exec: this.#exec, onChange, onExit };
    switch (standIn.kind) {
      case 'attached':
        // What it stands for has an environment of its own: ours is for commands, and made for them.
        return new LocalContainer({
          ...about,
          context: () => this.#context(id, config),
          launch: () => Promise.resolve(attachedRun(clock)),
        });
      case 'completed':
        return new LocalContainer({
          ...about,
          context: () => this.#context(id, config),
          launch: () => Promise.resolve(completedRun(clock)),
        });
      case 'engine':
        return new LocalContainer({
          ...about,
          exec: standIn.container.exec,
          context: () => Promise.resolve(NO_CONTEXT),
          launch: () => standIn.container.launch(),
        });
      case 'process': {
        const context = await this.#context(id, config);
        return new LocalContainer({
          ...about,
          context: () => Promise.resolve(context),
          launch: () => this.#startProcess(id, config, standIn.argv, context),
        });
      }
    }
  }

  #context(id: string, { pod, container, podIPs }: ContainerConfig): Promise<ContainerContext> {
    const { host, node, config } = this.options;
    const input = { pod, container, podIPs, node, config };
    return containerContext(host, this.mark.variableOf(id), input);
  }

  #startProcess(
    id: string,
    { container }: ContainerConfig,
    argv: Argv,
    context: ContainerContext,
  ): Promise<Run> {
    const { clock, host, listener } = this.options;
    return startProcess({
      clock,
      host,
      argv,
      context,
      watchdog: this.watchdog,
      mark: this.mark.of(id),
      fallbackToLogsOnError: container.terminationMessagePolicy === 'FallbackToLogsOnError',
      onLine: (stream, text) => listener.onOutput(id, stream, text),
    });
  }
}
