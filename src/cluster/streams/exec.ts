import { Fields, isObject, tryParseJson } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import type { Connection } from '../connection/connection.js';
import { resourcePath } from '../resources.js';
import type { ContainerRef, ExecOptions, ExecResult } from '../types.js';
import { type ChannelHandler, openChannels } from './channel-socket.js';

/** Without v5, a server of before v1.30 picks the older one: the same but for closing a channel. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;

/**
 * Runs a command in a container. The timeout is ours: nothing ends the command in the container.
 *
 * @throws ClusterError when the server refuses the command
 */
export async function exec(
  connection: Connection,
  clock: Clock,
  { namespace, name, container }: ContainerRef,
  command: readonly string[],
  { timeout, signal, onOutput }: ExecOptions,
): Promise<ExecResult> {
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true' });
  for (const word of command) query.append('command', word);
  const path = `${resourcePath('pods', { namespace, name })}/exec?${query.toString()}`;
  let status = '';
  let done: (result: ExecResult) => void;
  const ended = new Promise<ExecResult>((resolve) => (done = resolve));
  const handler: ChannelHandler = {
    onMessage(channel, data) {
      if (channel === ERROR) status += Buffer.from(data).toString();
      else if (data.length === 0) return;
      else if (channel === STDOUT) onOutput('stdout', data);
      else if (channel === STDERR) onOutput('stderr', data);
    },
    onClose: () => done(resultOf(status)),
  };
  const socket = await openChannels(connection, path, PROTOCOLS, handler, signal);
  const timer = clock.setTimeout(() => done({ kind: 'timeout' }), timeout);
  const result = await ended;
  timer.cancel();
  socket.close();
  signal.throwIfAborted();
  return result;
}

function resultOf(text: string): ExecResult {
  if (text === '')
    return { kind: 'failed', message: 'the connection closed before the command ended' };
  const sent = tryParseJson(text);
  if (!isObject(sent)) return { kind: 'failed', message: `the server sent no status: ${text}` };
  const status = new Fields(sent);
  if (status.text('status') === 'Success') return { kind: 'exited', exitCode: 0 };
  const causes = status.in('details').list('causes');
  const code = causes.find((cause) => cause.text('reason') === 'ExitCode')?.text('message');
  return status.text('reason') === 'NonZeroExitCode' && code !== undefined
    ? { kind: 'exited', exitCode: Number(code) }
    : { kind: 'failed', message: status.text('message') };
}
