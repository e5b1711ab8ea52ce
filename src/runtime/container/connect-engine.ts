import { createInterface } from 'node:readline';

import { JsonReader, tryParseJson } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { type ExecResult, RuntimeError } from '../../kubelet/ports.js';
import type { Host } from '../host.js';
import {
  assertAnswers,
  type Engine,
  type EngineEvent,
  type EventFilter,
  execStartFailure,
  type LogsFrom,
  readEngineEvent,
  startError,
} from './engine.js';
import {
  type CallEnd,
  EngineCli,
  engineError,
  type EngineStream,
  isUnreachable,
} from './engine-cli.js';
import { type EngineCommands, engineCommands } from './engine-commands.js';
import type { EngineKind, EngineName } from './engine-kind.js';
import { type Inspected, parseInspect } from './inspect.js';

/**
 * Connects to the engine that the environment and the CLI's configuration name: to its socket if that is on this
 * machine, otherwise through the CLI.
 *
 * @throws RuntimeError when the engine does not answer
 */
export async function connectEngine(name: EngineName, clock: Clock, host: Host): Promise<Engine> {
  const cli = new EngineCli(name, clock, host);
  const endpoint = await endpointOf(cli);
  const socket = endpoint === '' ? await podmanSocket(cli) : endpoint;
  if (socket.startsWith('unix://')) {
    const { ApiEngine } = await import('./api-engine.js');
    const engine = new ApiEngine(cli, socket);
    const failure = await engine.ping();
    if (failure === undefined) return engine;
    // podman works without a service at its default socket.
    if (endpoint !== '') throw failure;
  }
  const engine = new CliEngine(cli, endpoint);
  await assertAnswers(engine);
  return engine;
}

/** Returns the address that the environment names, or docker's context. */
async function endpointOf(cli: EngineCli): Promise<string> {
  if (cli.kind.name === 'podman') return cli.host.env[cli.kind.variable] ?? '';
  return cli.run(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
}

/** Returns the address of podman's service, which may not run. */
async function podmanSocket(cli: EngineCli): Promise<string> {
  const path = await cli.run(['info', '--format', '{{.Host.RemoteSocket.Path}}']);
  return path.startsWith('/') ? `unix://${path}` : path;
}

/** Bytes that `inspect` may print; the description of one container has some ten thousand. */
const MAX_OUTPUT = 16 * 1024 * 1024;

type Exited = Extract<CallEnd, { kind: 'exited' }>;

class CliEngine implements Engine {
  readonly commands: EngineCommands;
  readonly kind: EngineKind;

  constructor(
    private readonly cli: EngineCli,
    readonly endpoint: string,
  ) {
    this.kind = cli.kind;
    this.commands = engineCommands(cli);
  }

  info(): Promise<string> {
    return this.cli.run(['info', '--format', '{{json .}}']);
  }

  async ping(limit?: number): Promise<RuntimeError | undefined> {
    const { kind } = this;
    const end = await this.cli.call(kind.version, limit === undefined ? {} : { limit });
    return end.kind === 'exited' && end.exitCode === 0 ? undefined : engineError(kind, end);
  }

  async inspect(names: readonly string[]): Promise<readonly Inspected[]> {
    if (names.length === 0) return [];
    const { kind } = this;
    const args = ['container', 'inspect', '--', ...names];
    const end = await this.cli.call(args, { maxOutput: MAX_OUTPUT });
    if (end.kind !== 'exited' || isUnreachable(kind, end)) throw engineError(kind, end);
    const printed = new TextDecoder().decode(end.stdout).trim();
    if (printed === '') {
      const error = engineError(kind, end);
      if (error.code === 'notFound') return [];
      throw error;
    }
    try {
      return parseInspect(printed);
    } catch (error) {
      throw new RuntimeError(`${kind.name} inspect cannot be read: ${String(error)}`);
    }
  }

  async states(labels: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const filters = labels.flatMap((label) => ['--filter', `label=${label}`]);
    const ps = ['ps', '--all', '--no-trunc', ...filters, '--format', '{{json .}}'];
    const printed = await this.cli.run(ps);
    // docker prints one object per line, podman one list.
    const list = tryParseJson(printed) ?? printed.split('\n').map(tryParseJson);
    const containers = new JsonReader({ list: [list].flat() }).list('list');
    return new Map(
      containers.map((each) => [each.text('ID') || each.text('Id'), each.text('State')]),
    );
  }

  async exec(
    id: string,
    command: readonly string[],
    mark: string,
    signal?: AbortSignal,
  ): Promise<ExecResult> {
    const args = ['exec', '--env', mark, id, ...command];
    const end = await this.cli.call(args, { limit: 0, ...(signal && { signal }) });
    if (end.kind !== 'exited') {
      return { kind: 'error', message: engineError(this.kind, end).message };
    }
    const { exitCode, stdout, stderr } = end;
    if (exitCode !== 0) {
      const cause = startError(this.kind, exitCode, end);
      if (cause !== undefined) return execStartFailure(mark, cause);
      const failure = await this.#engineFailure(id, end);
      if (failure !== undefined) return { kind: 'error', message: failure.message };
    }
    return { kind: 'exited', exitCode, stdout, stderr };
  }

  /**
   * Returns the engine's failure, or undefined when the command itself failed. A command could print an engine's error:
   * unless the text names the container, a ping decides. When the engine stops, the CLI ends with 255 and prints nothing,
   * or the command ends with 137.
   */
  async #engineFailure(id: string, end: Exited): Promise<RuntimeError | undefined> {
    const { kind } = this;
    const message = new TextDecoder().decode(end.stderr);
    const isSilent = end.stdout.length === 0;
    const isError = isSilent && /^(?:Error response from daemon: |Error: )/.test(message);
    if (isError && (message.includes(id) || /container state improper\s*$/.test(message))) {
      return engineError(kind, end);
    }
    const isCut = end.exitCode === 137 || (end.exitCode === 255 && isSilent && message === '');
    if (!isCut && !isError && !isUnreachable(kind, end)) return undefined;
    return this.ping();
  }

  events(filter: EventFilter, onEvent: (event: EngineEvent) => void): EngineStream {
    const filters = Object.entries({ ...filter, type: ['container'] }).flatMap(([name, values]) =>
      values.flatMap((value) => ['--filter', `${name}=${value}`]),
    );
    const stream = this.cli.stream(['events', ...filters, '--format', '{{json .}}']);
    stream.stderr.resume();
    stream.stderr.on('error', () => undefined);
    stream.stdout.on('error', () => undefined);
    createInterface({ input: stream.stdout }).on('line', (line) => {
      const event = readEngineEvent(tryParseJson(line));
      if (event !== undefined) onEvent(event);
    });
    return stream;
  }

  logs({ id }: Pick<Inspected, 'id'>, { since, tail }: LogsFrom): EngineStream {
    const begin = [
      ...(since === undefined ? [] : ['--since', String(since / 1000)]),
      ...(tail === undefined ? [] : ['--tail', String(tail)]),
    ];
    return this.cli.stream(['logs', '--follow', ...begin, id]);
  }
}
