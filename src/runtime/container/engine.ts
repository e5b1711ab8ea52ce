import { JsonReader } from '../../api/index.js';
import { type Clock, withTimeout } from '../../clock/clock.js';
import type { ExecResult, FailureReason, RuntimeError } from '../../kubelet/ports.js';
import { type OnLine, ProcessOutput } from '../process-output.js';
import type { EngineStream } from './engine-cli.js';
import type { EngineCommands } from './engine-commands.js';
import type { EngineKind } from './engine-kind.js';
import type { Inspected } from './inspect.js';

export interface EngineEvent {
  readonly id: string;
  readonly action: string;
  /** The exit code, when the event is the container's end. */
  readonly exitCode?: number;
  /** The number of the signal, when the event is one that the engine sent. */
  readonly signal?: number;
}

/** Containers by their names and ids, or by `name=value` of their labels. */
export type EventFilter = Readonly<Partial<Record<'container' | 'label', readonly string[]>>>;

/** The part of a container's output to read. */
export interface LogsFrom {
  /** Begin of the part, in milliseconds since 1970. */
  readonly since?: number;
  /** Number of lines from before the call. */
  readonly tail?: number;
}

/** A container engine. All calls but `exec` and `ping` may reject with a RuntimeError. */
export interface Engine {
  readonly kind: EngineKind;
  /** The engine's address, as in DOCKER_HOST; empty for podman without a service. */
  readonly endpoint: string;
  readonly commands: EngineCommands;
  /** Returns the engine's description of itself, as JSON. */
  info(): Promise<string>;
  /** Resolves with undefined when the engine answers within `limit` milliseconds, otherwise with the error. */
  ping(limit?: number): Promise<RuntimeError | undefined>;
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
  const failure = await engine.ping();
  if (failure !== undefined) throw failure;
}

/** The actions of containers that are reported, by docker's names and podman's. */
export const ACTIONS = [
  'start',
  'die',
  'died',
  'oom',
  'destroy',
  'remove',
  'pause',
  'unpause',
  'kill',
];

/** Reads an event; returns undefined for one that is not among `ACTIONS`. */
export function readEngineEvent(value: unknown): EngineEvent | undefined {
  const fields = new JsonReader(value);
  const id = fields.in('Actor').text('ID') || fields.text('id') || fields.text('ID');
  const action = fields.text('Action') || fields.text('status') || fields.text('Status');
  if (id === '' || !ACTIONS.includes(action)) return undefined;
  const attributes = fields.in('Actor').in('Attributes');
  if (action === 'kill') {
    const signal = attributes.text('signal');
    return { id, action, ...(signal !== '' && { signal: Number(signal) }) };
  }
  if (action !== 'die' && action !== 'died') return { id, action };
  const code = attributes.text('exitCode') || attributes.text('containerExitCode');
  // The command of podman has a number at the top, and leaves out a 0.
  return { id, action, exitCode: Number(code || fields.number('ContainerExitCode')) };
}

/** Returns the name of the engine that has ended a container by the last signal that it sent to it, or nothing. */
export function sentByEngine(
  engine: Pick<Engine, 'kind'>,
  signal: number | undefined,
  exitCode: number,
): { readonly sentBy?: string } {
  return signal !== undefined && exitCode === 128 + signal ? { sentBy: engine.kind.name } : {};
}

export function pauseMessage(isPaused: boolean, name: string): string {
  return isPaused
    ? `${name} was paused: its processes stand still until it is unpaused`
    : `${name} was unpaused`;
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
  const output = new TextDecoder().decode(Buffer.concat([stdout, stderr]));
  return execStartError.exec(output)?.[1];
}

/** Returns the result of a command that could not be started, as containerd words it; reads runc's and crun's reason. */
export function execStartFailure(mark: string, cause: string): ExecResult {
  const id = JSON.stringify(mark.slice(mark.indexOf('=') + 1));
  const message = `rpc error: code = Unknown desc = failed to exec in container: failed to start exec ${id}: ${cause}`;
  return { kind: 'error', message, reason: reasonIn(cause) };
}

function reasonIn(cause: string): FailureReason | undefined {
  if (/executable file .*not found|no such file or directory/i.test(cause)) return 'notFound';
  return /permission denied/i.test(cause) ? 'notPermitted' : undefined;
}

/** Returns the message about names that no container has; the containers of a service of compose have others. */
export async function noSuchContainer(engine: Engine, names: readonly string[]): Promise<string> {
  const ids = names.map((name) => engine.states([`com.docker.compose.service=${name}`]));
  const keys = (await Promise.all(ids)).flatMap((each) => [...each.keys()]);
  const others = (await engine.inspect(keys)).map(({ name }) => name).join(', ');
  const listing = `${engine.kind.name} ps -a lists all containers`;
  const hint = others ? `of this service of compose: ${others}` : listing;
  return `no such container: ${names.join(', ')} (${hint})`;
}

export type EngineEvents = ReturnType<typeof engineEvents>;

/** Returns an engine's event stream; polling shows the same, later. */
export function engineEvents(
  engine: Engine,
  filter: EventFilter,
  onEvent: (event: EngineEvent) => void,
) {
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
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  container: Pick<Inspected, 'id' | 'tty'>,
  from: LogsFrom,
  onLine: OnLine,
): ContainerOutput {
  const stream = engine.logs(container, from);
  const output = new ProcessOutput(clock, stream, onLine);
  const stop = (): void => {
    stream.stop();
    output.end();
  };
  const drain = async (): Promise<void> => {
    output.drain();
    await withTimeout(clock, stream.ended, DRAIN_LIMIT);
    stop();
  };
  return { tail: () => output.tail(), drain, stop };
}
