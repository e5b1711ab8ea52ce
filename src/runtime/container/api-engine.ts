import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';

import { type Dispatcher, Pool } from 'undici';

import { JsonReader, tryParseJson } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import { type ExecResult, RuntimeError } from '../../kubelet/ports.js';
import { FirstBytes } from '../../process/processes.js';
import { boundedText } from '../../text/bounded-text.js';
import { BoundedLineSplitter } from '../process-output.js';
import {
  ACTIONS,
  type Engine,
  type EngineEvent,
  type EventFilter,
  execStartFailure,
  type LogsFrom,
  readEngineEvent,
  startError,
} from './engine.js';
import { CALL_LIMIT, type EngineCli, type EngineStream, socketError } from './engine-cli.js';
import { type EngineCommands, engineCommands, unlessNotFound } from './engine-commands.js';
import { ENGINE_KINDS, type EngineKind } from './engine-kind.js';
import { type Inspected, inspected } from './inspect.js';

/** Milliseconds between two inspections of a command that has closed its output and still runs. */
const POLL_PERIOD = 50;

/** Bytes that an answer may have; the description of one container has some ten thousand. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** The error code of an answer that comes from some other server than an engine. */
const NO_ENGINE = 'HPE_NO_ENGINE';

/** Error codes by error name, for errors without a code of their own: calls that were aborted or too slow, and bad HTTP. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['AbortError', 'ABORTED'],
  ['TimeoutError', 'CALL_TIMEOUT'],
  ['HTTPParserError', NO_ENGINE],
]);

interface Call {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** Milliseconds that the whole answer may take; 0 is no limit. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

export class ApiEngine implements Engine {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly commands: EngineCommands;
  readonly kind: EngineKind;
  /** The newest version of the API that the engine speaks, as a path. */
  #version = '';
  /** The kind of the engine that answers: podman also answers at docker's socket. */
  #server = ENGINE_KINDS.docker;

  constructor(
    cli: EngineCli,
    readonly endpoint: string,
  ) {
    this.#clock = cli.clock;
    this.kind = cli.kind;
    this.commands = engineCommands(cli);
    this.#pool = new Pool('http://engine', { socketPath: endpoint.slice('unix://'.length) });
  }

  async info(): Promise<string> {
    return this.#text('/info');
  }

  /** Requests `/_ping`, not the version: for that, podman runs other programs, which is slow on a busy machine. */
  async ping(limit = CALL_LIMIT): Promise<RuntimeError | undefined> {
    try {
      const { headers, body } = await this.#call('/_ping', { limit });
      await textOf(body);
      const { 'api-version': version } = headers;
      if (typeof version !== 'string') return this.#error({ code: NO_ENGINE });
      this.#version = `/v${version}`;
      this.#server = ENGINE_KINDS['libpod-api-version' in headers ? 'podman' : 'docker'];
      return undefined;
    } catch (error) {
      return this.#error(error);
    }
  }

  async inspect(names: readonly string[]): Promise<readonly Inspected[]> {
    const seen = await Promise.all(names.map((name) => this.#inspect(name)));
    return seen.filter((each) => each !== undefined);
  }

  async #inspect(name: string): Promise<Inspected | undefined> {
    const object = this.#object(`/containers/${encodeURIComponent(name)}/json`);
    return unlessNotFound(object.then(inspected));
  }

  async states(labels: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const query = { all: 'true', filters: JSON.stringify({ label: labels }) };
    const list = tryParseJson(await this.#text('/containers/json', { query }));
    const containers = new JsonReader({ list }).list('list');
    return new Map(containers.map((each) => [each.text('Id'), each.text('State')]));
  }

  async exec(
    id: string,
    command: readonly string[],
    mark: string,
    signal?: AbortSignal,
  ): Promise<ExecResult> {
    try {
      const streams = { AttachStdout: true, AttachStderr: true };
      const body = { ...streams, Env: [mark], Cmd: command };
      const created = await this.#object(`/containers/${id}/exec`, { body, signal });
      const path = `/exec/${created.text('Id')}`;
      const start = { body: { Detach: false, Tty: false }, limit: 0, signal };
      const [stdout, stderr] = [new FirstBytes(), new FirstBytes()];
      const { body: frames } = await this.#call(`${path}/start`, start);
      await readFrames(frames, (isError, data) => (isError ? stderr : stdout).push(data));
      const end = await this.#execEnd(path, signal);
      const output = { stdout: stdout.bytes(), stderr: stderr.bytes() };
      const exitCode = end.number('ExitCode');
      const cause =
        end.number('Pid') === 0 ? startError(this.#server, exitCode, output) : undefined;
      return cause === undefined
        ? { kind: 'exited', exitCode, ...output }
        : execStartFailure(mark, cause);
    } catch (error) {
      return { kind: 'error', message: this.#error(error).message };
    }
  }

  async #execEnd(path: string, signal: AbortSignal | undefined): Promise<JsonReader> {
    for (;;) {
      const seen = await this.#object(`${path}/json`, { signal });
      if (!seen.flag('Running')) return seen;
      await sleep(this.#clock, POLL_PERIOD);
    }
  }

  events(filter: EventFilter, onEvent: (event: EngineEvent) => void) {
    const filters = JSON.stringify({ ...filter, type: ['container'], event: ACTIONS });
    return this.#follow('/events', { filters }, async (body) => {
      const lines = new BoundedLineSplitter({
        onLine(line) {
          const event = readEngineEvent(tryParseJson(line.toString()));
          if (event !== undefined) onEvent(event);
          return true;
        },
      });
      for await (const chunk of body) lines.push(chunk as Buffer);
    });
  }

  logs({ id, tty }: Pick<Inspected, 'id' | 'tty'>, { since, tail }: LogsFrom): EngineStream {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const query = {
      follow: 'true',
      stdout: 'true',
      stderr: 'true',
      ...(since !== undefined && { since: String(since / 1000) }),
      ...(tail !== undefined && { tail: String(tail) }),
    };
    const stream = this.#follow(`/containers/${id}/logs`, query, async (body, signal) => {
      const write = async (isError: boolean, data: Buffer): Promise<void> => {
        const to = isError ? stderr : stdout;
        if (!to.write(data)) await once(to, 'drain', { signal });
      };
      if (tty) for await (const chunk of body) await write(false, chunk as Buffer);
      else await readFrames(body, write);
      await Promise.all([finished(stdout.end()), finished(stderr.end())]);
    });
    return { ...stream, stdout, stderr };
  }

  /** Reads an answer until it ends or is stopped. */
  #follow(
    path: string,
    query: Call['query'] & object,
    read: (body: Dispatcher.ResponseData['body'], signal: AbortSignal) => Promise<void>,
  ): Pick<EngineStream, 'ended' | 'stop'> {
    const stopping = new AbortController();
    const { signal } = stopping;
    const ended = this.#call(path, { query, limit: 0, signal })
      .then(({ body }) => read(body, signal))
      .catch((error: unknown) => void this.#error(error));
    return { ended, stop: () => stopping.abort() };
  }

  async #object(path: string, call?: Call): Promise<JsonReader> {
    return new JsonReader(tryParseJson(await this.#text(path, call)));
  }

  async #text(path: string, call?: Call): Promise<string> {
    try {
      return await textOf((await this.#call(path, call)).body);
    } catch (error) {
      throw this.#error(error);
    }
  }

  /** Rejects with a RuntimeError when the engine does not answer, or answers with an error. */
  async #call(
    path: string,
    { body, query, limit = CALL_LIMIT, signal }: Call = {},
  ): Promise<Dispatcher.ResponseData> {
    const limits = limit === 0 ? [] : [AbortSignal.timeout(limit)];
    const answer = await this.#pool
      .request({
        path: `${this.#version}${path}`,
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), ...limits]),
        ...(query && { query }),
        ...(body === undefined
          ? { method: 'GET' }
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
      })
      .catch((error: unknown) => {
        throw this.#error(error);
      });
    const { statusCode } = answer;
    if (statusCode < 400) return answer;
    const message = new JsonReader(tryParseJson(await textOf(answer.body))).text('message');
    if (message === '') throw this.#error({ code: NO_ENGINE });
    // podman answers 500 if the container goes while it looks.
    const isGone = statusCode === 404 || message.endsWith('no such container');
    throw new RuntimeError(message, isGone ? 'notFound' : 'failed');
  }

  /** Returns a failed call as a RuntimeError; throws any error that is not a failure of the engine. */
  #error(error: unknown): RuntimeError {
    if (error instanceof RuntimeError) return error;
    const { code, name } = error as NodeJS.ErrnoException;
    // Some errors have a number as their code, or none.
    const known = typeof code === 'string' ? code : CODES.get(name);
    if (known === undefined) throw error;
    return socketError(this.kind, this.endpoint, known);
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const text = await boundedText(body, MAX_ANSWER);
  if (text === undefined) throw Object.assign(new Error('too long'), { code: NO_ENGINE });
  return text;
}

const HEADER_LENGTH = 8;
const STDERR = 2;

/** Reads docker's multiplexed stream: frames of a stream's number, three zeros, a length in four bytes, and the data. */
export async function readFrames(
  body: AsyncIterable<Buffer>,
  write: (isError: boolean, data: Buffer) => unknown,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let left = 0;
  let isError = false;
  for await (const chunk of body) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= (left === 0 ? HEADER_LENGTH : 1)) {
      if (left === 0) {
        isError = rest[0] === STDERR;
        left = rest.readUInt32BE(4);
        rest = rest.subarray(HEADER_LENGTH);
        continue;
      }
      const data = rest.subarray(0, left);
      left -= data.length;
      rest = rest.subarray(data.length);
      await write(isError, data);
    }
  }
}
