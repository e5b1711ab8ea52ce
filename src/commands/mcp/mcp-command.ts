import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';

import type { Command } from '@commander-js/extra-typings';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import { tryParseJson } from '../../api/index.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import type { CommandInput, Io } from '../../cli/shared/io.js';
import { escapeJson } from '../../text/escape.js';
import { optionOf, UsageError } from '../../usage-error.js';
import { VERSION } from '../../version.js';
import type { Arguments, McpFlags, Tool } from './tools.js';

export function options(program: Command) {
  return program
    .command('mcp')
    .description(
      `Serve kprobe to assistants: a server of the Model Context Protocol on standard input and output, with the tools validate, lint, lint_rule, explain, explain_event, simulate, once, diagnose_recording and diagnose_pod.

By default it reads manifests and recordings in this folder, and makes HTTP, TCP and gRPC attempts at this machine's loopback addresses. It starts nothing, writes nothing, and asks no cluster.`,
    )
    .option('--allow-host', 'let once make attempts at other hosts')
    .option('--allow-local-exec', 'let once run the exec probes of a manifest on this machine')
    .option(
      '--allow-cluster',
      'let tools read objects of a cluster through the kubeconfig, which may run its credential plugin',
    );
}

export async function command({ flags }: CommandInput<McpFlags>, io: Io): Promise<number> {
  await serve(flags, io);
  return io.signal.aborted ? Number(io.signal.reason) : EXIT.success;
}

/** Milliseconds that a call may take. */
const MAX_CALL = 60_000;
/** Milliseconds that its work may take: the client's own time begins before ours. */
const MAX_WORK = 50_000;
/** Bytes of a message, which a manifest may fill. */
const MAX_MESSAGE = 10 * 1024 * 1024;

async function serve(flags: McpFlags, io: Io): Promise<void> {
  const [{ McpServer }, { StdioServerTransport }, { z }, { RESULT, TOOLS }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('zod'),
    import('./tools.js'),
  ]);
  const server = new McpServer({ name: 'kprobe', version: VERSION });
  for (const tool of TOOLS) {
    if (tool.needsCluster === true && flags.allowCluster !== true) continue;
    const { name, title, description, input } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: z.strictObject(input(flags)),
        outputSchema: RESULT,
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      },
      (given, { signal }) => call(tool, given as Arguments, { flags, io, signal }),
    );
  }
  const inputOver = new AbortController();
  const over = new Promise<void>((done, fail) => {
    // The transport closes itself only after such a message.
    server.server.onclose = () =>
      fail(new UsageError('a message on standard input is longer than 10 MiB'));
    io.stdin.once('end', () => inputOver.abort()).once('close', () => inputOver.abort());
    io.signal.addEventListener('abort', () => done(), { once: true });
    // The signal may have come while the server's code was loaded.
    if (io.signal.aborted) done();
  });
  const stdout = new Transform({
    transform: (chunk: Buffer, _, done) => done(null, escapeJson(chunk.toString())),
  });
  stdout.pipe(io.stdout);
  const transport = new StdioServerTransport(io.stdin, stdout, { maxBufferSize: MAX_MESSAGE });
  await server.connect(transport);
  await Promise.race([over, answered(transport, inputOver.signal)]);
  await server.close();
}

/** Resolves when no more requests come (`inputOver`) and each has its answer. */
function answered(transport: Transport, inputOver: AbortSignal): Promise<void> {
  const open = new Set<unknown>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  return new Promise((done) => {
    const check = (): void => {
      if (inputOver.aborted && open.size === 0) done();
    };
    transport.onmessage = (message, extra) => {
      if ('method' in message && 'id' in message) open.add(message.id);
      // A canceled request gets no answer.
      if ('method' in message && message.method === 'notifications/cancelled') {
        open.delete(message.params?.['requestId']);
      }
      onmessage?.(message, extra);
    };
    transport.send = async (message, options) => {
      await send(message, options);
      if (!('method' in message)) open.delete(message.id);
      check();
    };
    inputOver.addEventListener('abort', check, { once: true });
    check();
  });
}

interface Call {
  readonly flags: McpFlags;
  readonly io: Io;
  readonly signal: AbortSignal;
}

async function call(tool: Tool, given: Arguments, { flags, io, signal }: Call) {
  try {
    for (const path of [...(given.paths ?? []), given.recording ?? []].flat()) {
      refuseOutside(path, io.cwd);
    }
    const argv = tool.commandLine(given, flags);
    const { exitCode, output, ...end } = await run(argv, given.manifest ?? '', io, signal);
    const messages = inParameters(end.messages, Object.keys(tool.input(flags)));
    const structuredContent = { exitCode, output: tryParseJson(output) ?? output, messages };
    const text = [output, messages].filter((part) => part !== '').join('\n');
    return {
      content: [{ type: 'text' as const, text }],
      structuredContent,
      ...((end.isStopped || isErrorOf(tool, exitCode)) && { isError: true }),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const text = inParameters(error.message, Object.keys(tool.input(flags)));
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

/** A recorded run may have ended in any way: that is what its diagnosis is about. */
function isErrorOf({ hasRecordedEnd }: Tool, exitCode: number): boolean {
  if (hasRecordedEnd === true) return exitCode === EXIT.usage || exitCode === EXIT.bug;
  return exitCode >= EXIT.usage;
}

/** Names the parameters of a tool where a message names the options of the command line. */
function inParameters(text: string, names: readonly string[]): string {
  const parameters = new Map(names.map((name) => [optionOf(name), name]));
  return text
    .replaceAll(/ ?\(see kprobe [a-z]+ --help\)/g, '')
    .replaceAll(/option '(--[\w-]+)[^']*' argument/g, '$1')
    .replaceAll(/--[a-z][\w-]*/g, (option) => parameters.get(option) ?? option);
}

/** Rejects a path outside the folder: messages quote lines of files that are no manifests. */
function refuseOutside(path: string, cwd: string): void {
  let real = resolve(cwd, path);
  try {
    real = realpathSync(real);
  } catch {
    // The command reports that it does not exist.
  }
  const from = relative(realpathSync(cwd), real);
  if (/^\.\.(?:[/\\]|$)/.test(from) || isAbsolute(from)) {
    throw new UsageError(`${path} is outside of the folder in which kprobe mcp runs`);
  }
}

async function run(argv: readonly string[], input: string, io: Io, request: AbortSignal) {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(EXIT.interrupted);
  request.addEventListener('abort', stop, { once: true });
  io.signal.addEventListener('abort', stop, { once: true });
  if (request.aborted || io.signal.aborted) stop();
  const timer = setTimeout(() => stopping.abort(EXIT.timeout), MAX_CALL);
  const output = new Sink();
  const messages = new Sink();
  const env = Object.entries(io.env).filter(([name]) => !name.startsWith('KPROBE_'));
  const overrides: Partial<Record<keyof Io, unknown>> = {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: output,
    stderr: messages,
    notes: messages,
    // Defaults are for people; a server answers the same everywhere.
    env: { ...Object.fromEntries(env), KPROBE_NO_CONFIG: 'true', NO_COLOR: '1' },
    signal: stopping.signal,
    timeLimit: MAX_WORK,
    name: 'kprobe',
  };
  const values = Object.entries(overrides).map(([name, value]) => [name, { value }] as const);
  try {
    const exitCode = await io.main(argv, Object.create(io, Object.fromEntries(values)) as Io);
    const isStopped = stopping.signal.aborted;
    return { exitCode, output: output.text, messages: messages.text, isStopped };
  } finally {
    clearTimeout(timer);
    io.signal.removeEventListener('abort', stop);
  }
}

class Sink extends Writable {
  text = '';
  readonly #decoder = new TextDecoder();

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += this.#decoder.decode(chunk, { stream: true });
    done();
  }
}
