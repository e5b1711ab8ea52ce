import { RuntimeError } from '../../kubelet/ports.js';
import type { EngineCli } from './engine-cli.js';
import { engineError, isUnreachable } from './engine-error.js';
import { type Inspected, parseInspect } from './inspect.js';

/** Bytes: a container's description is some ten kilobytes long. */
const MAX_OUTPUT = 16 * 1024 * 1024;

/** Inspects the containers that exist; rejects when the engine does not answer. */
export async function inspectContainers(
  cli: EngineCli,
  names: readonly string[],
): Promise<readonly Inspected[]> {
  if (names.length === 0) return [];
  const args = ['container', 'inspect', '--', ...names];
  const end = await cli.call(args, { maxOutput: MAX_OUTPUT });
  if (end.kind !== 'exited' || isUnreachable(cli.kind, end)) throw engineError(cli.kind, end);
  const printed = new TextDecoder().decode(end.stdout).trim();
  if (printed === '') {
    const error = engineError(cli.kind, end);
    if (error.code === 'notFound') return [];
    throw error;
  }
  try {
    return parseInspect(printed);
  } catch (error) {
    throw new RuntimeError(`${cli.kind.name} inspect cannot be read: ${String(error)}`);
  }
}

/** Asks the engine for its version: why it does not answer, within `limit` milliseconds, or undefined when it does. */
export async function engineTrouble(
  cli: EngineCli,
  limit?: number,
): Promise<RuntimeError | undefined> {
  const args = ['version', '--format', '{{.Server.Version}}'];
  const end = await cli.call(args, limit === undefined ? {} : { limit });
  return end.kind === 'exited' && end.exitCode === 0 ? undefined : engineError(cli.kind, end);
}

export async function assertEngineAnswers(cli: EngineCli): Promise<void> {
  const trouble = await engineTrouble(cli);
  if (trouble !== undefined) throw trouble;
}
