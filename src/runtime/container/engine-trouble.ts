import type { RuntimeError } from '../../kubelet/ports.js';
import type { EngineCli } from './engine-cli.js';
import { engineError } from './engine-error.js';

/** Asks the engine for its version: why it does not answer, within `limit` milliseconds, or undefined when it does. */
export async function engineTrouble(
  cli: EngineCli,
  limit?: number,
): Promise<RuntimeError | undefined> {
  const args = ['version', '--format', '{{.Server.Version}}'];
  const end = await cli.call(args, limit === undefined ? {} : { limit });
  return end.kind === 'exited' && end.exitCode === 0 ? undefined : engineError(cli.kind, end);
}
