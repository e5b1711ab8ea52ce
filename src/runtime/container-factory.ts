import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

import type { Clock } from '../clock/clock.js';
import { type ContainerConfig, RuntimeError } from '../kubelet/ports.js';
import type { RuntimeListener } from '../kubelet/traced-runtime.js';
import type { ConfigSource } from './environment/config.js';
import {
  type EnvironmentInput,
  type EnvironmentNode,
  makeEnvironmentVariables,
} from './environment/environment-variables.js';
import { definedEnv, type Host } from './host.js';
import { LocalContainer } from './local-container.js';
import type { Mark } from './mark.js';
import { startProcess } from './process-run.js';
import {
  type Argv,
  attachedRun,
  completedRun,
  type ContainerContext,
  type LocalExec,
  type Run,
  type RunCommand,
  type StandInFor,
} from './stand-in.js';
import type { Watchdog } from './watchdog.js';

export interface ContainerFactoryOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly standInFor: StandInFor;
  readonly node: EnvironmentNode;
  /** The ConfigMaps and Secrets that environments may refer to. */
  readonly config: ConfigSource;
  /** Runs the commands of probes and hooks; none runs without it. */
  readonly exec?: LocalExec;
  /** Receives exits and output. */
  readonly listener: RuntimeListener;
}

/** An engine gives commands their environment itself. */
const NO_CONTEXT: ContainerContext = { env: {}, cwd: '/' };

/** Creates containers from their stand-ins. */
export class ContainerFactory {
  readonly #options: ContainerFactoryOptions;
  readonly #mark: Mark;
  readonly #watchdog: Watchdog;
  readonly #exec: RunCommand | undefined;

  constructor(options: ContainerFactoryOptions, mark: Mark, watchdog: Watchdog) {
    this.#options = options;
    this.#mark = mark;
    this.#watchdog = watchdog;
    const { exec } = options;
    this.#exec = exec && ((command, about) => (watchdog.start(), exec.run(command, about)));
  }

  /** Returns the id of the next container where its stand-in has one. */
  idOf({ pod, container }: ContainerConfig): string | undefined {
    const standIn = this.#options.standInFor(pod, container);
    return standIn.kind === 'engine' ? standIn.container.nextID() : undefined;
  }

  /** Rejects with a RuntimeError `configuration` when a process could not be given its environment. */
  async create(id: string, config: ContainerConfig, onChange: () => void): Promise<LocalContainer> {
    const { clock, listener, standInFor } = this.#options;
    const standIn = standInFor(config.pod, config.container);
    const onExit: RuntimeListener['onExit'] = (exited, exit) => listener.onExit(exited, exit);
    const about = { id, config, clock, exec: this.#exec, onChange, onExit };
    switch (standIn.kind) {
      case 'attached':
        // The target has an environment of its own: ours is for commands only.
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
    const { host, node, config } = this.#options;
    const input = { pod, container, podIPs, node, config };
    return containerContext(host, this.#mark.variableOf(id), input);
  }

  #startProcess(
    id: string,
    { container }: ContainerConfig,
    argv: Argv,
    context: ContainerContext,
  ): Promise<Run> {
    const { clock, host, listener } = this.#options;
    return startProcess({
      clock,
      host,
      argv,
      context,
      watchdog: this.#watchdog,
      mark: this.#mark.of(id),
      fallbackToLogsOnError: container.terminationMessagePolicy === 'FallbackToLogsOnError',
      onLine: (stream, text) => listener.onOutput(id, stream, text),
    });
  }
}

/** Rejects with the kubelet's text when the container's environment cannot be made. */
export async function containerContext(
  host: Host,
  mark: Readonly<Record<string, string>>,
  input: EnvironmentInput,
): Promise<ContainerContext> {
  const environment = makeEnvironmentVariables(input);
  if (!environment.ok) throw new RuntimeError(environment.error, 'configuration');
  return {
    // The mark comes first, so that it is found however long the rest is.
    env: { ...mark, ...definedEnv(host), ...Object.fromEntries(environment.value), ...mark },
    cwd: await workingDirectory(host, input.container.workingDir),
  };
}

/** Returns the container's directory if this machine has it, or kprobe's own. */
async function workingDirectory(host: Host, directory = ''): Promise<string> {
  if (!directory.startsWith('/')) return host.cwd;
  try {
    await access(directory, constants.X_OK);
    return (await stat(directory)).isDirectory() ? directory : host.cwd;
  } catch {
    return host.cwd;
  }
}
