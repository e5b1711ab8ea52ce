import { JsonReader } from '../../api/index.js';
import { orTimeout } from '../../clock/clock.js';
import {
  type ExecResult,
  type FailureReason,
  type ImageService,
  type PulledImage,
  RuntimeError,
} from '../../kubelet/ports.js';
import { type OnLine, ProcessOutput } from '../process-output.js';
import type { EngineCli, EngineStream } from './engine-cli.js';
import type { EngineKind } from './engine-kind.js';
import type { Inspected } from './inspect.js';

export interface EngineEvent {
  /** The container. */
  readonly id: string;
  readonly action: string;
  /** Of its end. */
  readonly exitCode?: number;
}

/** Containers by their names and ids, or by `name=value` of their labels. */
export type EventFilter = Readonly<Partial<Record<'container' | 'label', readonly string[]>>>;

/** The part of a container's output to read. */
export interface LogsFrom {
  /** Its begin, in milliseconds since 1970. */
  readonly since?: number;
  /** Number of lines before now. */
  readonly tail?: number;
}

/** A container engine. All calls but `exec` and `trouble` may reject with a RuntimeError. */
export interface Engine {
  /** Creates and removes containers. */
  readonly cli: EngineCli;
  /** Its address, as in DOCKER_HOST; empty for podman without a service. */
  readonly endpoint: string;
  /** Returns its description of itself, as JSON. */
  info(): Promise<string>;
  /** Returns why it does not answer within `limit` milliseconds, or undefined when it does. */
  trouble(limit?: number): Promise<RuntimeError | undefined>;
  /** Inspects the containers that exist. */
  inspect(names: readonly string[]): Promise<readonly Inspected[]>;
  /** Returns the state of each container that has all of these labels, by id. */
  states(labels: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Runs a command to its end, with `mark` in its environment; `signal` ends the wait, not the command. */
  exec(
    id: string,
    command: readonly string[],
    mark: string,
    signal?: AbortSignal,
  ): Promise<ExecResult>;
  /** Reports starts, ends and pauses of containers. */
  events(
    filter: EventFilter,
    onEvent: (event: EngineEvent) => void,
  ): Pick<EngineStream, 'ended' | 'stop'>;
  logs(container: Pick<Inspected, 'id' | 'tty'>, from: LogsFrom): EngineStream;
}

/** Rejects with the reason when an engine does not answer. */
export async function assertAnswers(engine: Engine): Promise<void> {
  const trouble = await engine.trouble();
  if (trouble !== undefined) throw trouble;
}

/** The actions of containers that are reported, by docker's names and podman's. */
export const ACTIONS = ['start', 'die', 'died', 'oom', 'destroy', 'remove', 'pause', 'unpause'];

/** Reads an event; undefined when it is none of `ACTIONS`. */
export function readEvent(value: unknown): EngineEvent | undefined {
  const fields = new JsonReader(value);
  const [actor, attributes] = [fields.in('Actor'), fields.in('Attributes')];
  const id = actor.text('ID') || fields.text('id') || fields.text('ID');
  const action = fields.text('Action') || fields.text('status') || fields.text('Status');
  if (id === '' || !ACTIONS.includes(action)) return undefined;
  const own = actor.in('Attributes');
  const code =
    own.text('exitCode') || own.text('containerExitCode') || attributes.text('containerExitCode');
  return { id, action, ...(code === '' ? {} : { exitCode: Number(code) }) };
}

/** Returns the message about an event; undefined when it is no pause. */
export function pauseMessage(action: string, name: string): string | undefined {
  if (action === 'pause')
    return `${name} was paused: its processes stand still until it is unpaused`;
  return action === 'unpause' ? `${name} was unpaused` : undefined;
}

/**
 * Returns why a command could not start. A command that prints the same with that exit code is mistaken for it, unless
 * docker's API names its process.
 */
export function startError(
  { execStartCodes, execStartError }: EngineKind,
  exitCode: number,
  { stdout, stderr }: { readonly stdout: Uint8Array; readonly stderr: Uint8Array },
): string | undefined {
  if (!execStartCodes.includes(exitCode)) return undefined;
  const said = new TextDecoder().decode(Buffer.concat([stdout, stderr]));
  return execStartError.exec(said)?.[1];
}

/** Returns the result of a command that could not be started, as containerd words it; reads runc's and crun's reason. */
export function startFailure(mark: string, why: string): ExecResult {
  const id = JSON.stringify(mark.slice(mark.indexOf('=') + 1));
  const message = `rpc error: code = Unknown desc = failed to exec in container: failed to start exec ${id}: ${why}`;
  return { kind: 'error', message, reason: reasonIn(why) };
}

function reasonIn(why: string): FailureReason | undefined {
  if (/executable file .*not found|no such file or directory/i.test(why)) return 'notFound';
  return /permission denied/i.test(why) ? 'notPermitted' : undefined;
}

/** An engine's event stream; polling shows the same, later. */
export interface EngineEvents {
  /** Starts listening if needed. */
  ensure(): void;
  stop(): void;
}

export function engineEvents(
  engine: Engine,
  filter: EventFilter,
  onEvent: (event: EngineEvent) => void,
): EngineEvents {
  let stream: ReturnType<Engine['events']> | undefined;
  let isStopped = false;
  const ensure = (): void => {
    if (stream !== undefined || isStopped) return;
    stream = engine.events(filter, onEvent);
    void stream.ended.then(() => (stream = undefined));
  };
  const stop = (): void => {
    isStopped = true;
    stream?.stop();
  };
  return { ensure, stop };
}

/** Milliseconds to wait for a container's last output once it has ended. */
const DRAIN_LIMIT = 500;

export interface ContainerOutput {
  tail(): string;
  /** Resolves when all output of a container that has ended has arrived. */
  drain(): Promise<void>;
  stop(): void;
}

export function followOutput(
  engine: Engine,
  container: Pick<Inspected, 'id' | 'tty'>,
  from: LogsFrom,
  onLine: OnLine,
): ContainerOutput {
  const { clock } = engine.cli;
  const stream = engine.logs(container, from);
  const output = new ProcessOutput(clock, stream, onLine);
  const stop = (): void => {
    stream.stop();
    output.end();
  };
  const drain = async (): Promise<void> => {
    output.drain();
    await orTimeout(clock, stream.ended, DRAIN_LIMIT);
    stop();
  };
  return { tail: () => output.tail(), drain, stop };
}

export class EngineImages implements ImageService {
  readonly #cli: EngineCli;
  constructor(cli: EngineCli) {
    this.#cli = cli;
  }

  getImageRef(image: string): Promise<string | undefined> {
    return this.#inspect(image, '{{.Id}}');
  }

  /** Returns the image's user; empty for root. */
  async userOf(image: string): Promise<string> {
    return (await this.#inspect(image, '{{.Config.User}}')) ?? '';
  }

  async pullImage(image: string): Promise<PulledImage> {
    await this.#cli.run(['pull', '--quiet', '--', image], { limit: 0 });
    const ref = (await this.getImageRef(image)) ?? image;
    const size = Number(await this.#inspect(image, '{{.Size}}'));
    return { ref, size: Number.isFinite(size) ? size : 0 };
  }

  async import(archive: Uint8Array, name: string): Promise<void> {
    await this.#cli.run(['import', '-', name], { input: archive });
  }

  async #inspect(image: string, format: string): Promise<string | undefined> {
    try {
      return await this.#cli.run(['image', 'inspect', '--format', format, '--', image]);
    } catch (error) {
      if (error instanceof RuntimeError && error.code === 'notFound') return undefined;
      throw error;
    }
  }
}
