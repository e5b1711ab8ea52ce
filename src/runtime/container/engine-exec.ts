import type { ExecResult } from '../../kubelet/ports.js';
import type { CallEnd, EngineCli } from './engine-cli.js';
import { engineError, isUnreachable } from './engine-error.js';
import { engineTrouble } from './engine-trouble.js';

export interface EngineExecOptions {
  readonly cli: EngineCli;
  /** The container. */
  readonly id: string;
  readonly command: readonly string[];
  /** `NAME=value`, in the command's environment. */
  readonly mark: string;
  /** Ends the CLI, not the command. */
  readonly signal: AbortSignal;
}

type Exited = Extract<CallEnd, { kind: 'exited' }>;

/** Runs a command in a container to its end as ExecSync does: its arguments as they are, its output cut. */
export async function execInContainer(options: EngineExecOptions): Promise<ExecResult> {
  const { cli, id, command, mark, signal } = options;
  if (command.length === 0) return { kind: 'error', message: startError(mark, 'no command') };
  const end = await cli.call(['exec', '--env', mark, id, ...command], { limit: 0, signal });
  switch (end.kind) {
    case 'timedOut':
      return { kind: 'timedOut' };
    case 'notStarted':
      return { kind: 'error', message: engineError(cli.kind, end).message };
    case 'exited':
      return exited(options, end);
  }
}

async function exited({ cli, id, mark }: EngineExecOptions, end: Exited): Promise<ExecResult> {
  const { exitCode, stdout, stderr } = end;
  if (exitCode === 0) return { kind: 'exited', exitCode, stdout, stderr };
  const why = startErrorIn(cli, end);
  if (why !== undefined) return { kind: 'error', message: startError(mark, why) };
  if (await isEngineTrouble(cli, id, end)) {
    return { kind: 'error', message: engineError(cli.kind, end).message };
  }
  return { kind: 'exited', exitCode, stdout, stderr };
}

/** Why the command could not be started. A command of that exit code that prints the same is taken for it. */
function startErrorIn(
  { kind }: EngineCli,
  { exitCode, stdout, stderr }: Exited,
): string | undefined {
  if (!kind.execStartCodes.includes(exitCode)) return undefined;
  const said = new TextDecoder().decode(Buffer.concat([stdout, stderr]));
  return kind.execStartError.exec(said)?.[1];
}

/**
 * Whether it was not the command that failed. What the CLI says of that, a command could say, too: the engine is
 * asked, unless the text names our container. 137 is also how a command ends whose engine goes.
 */
async function isEngineTrouble(cli: EngineCli, id: string, end: Exited): Promise<boolean> {
  const said = new TextDecoder().decode(end.stderr);
  const quiet = end.stdout.length === 0;
  const daemon = quiet && /^(?:Error response from daemon: |Error: )/.test(said);
  if (daemon && said.includes(id)) return true;
  if (end.exitCode !== 137 && !daemon && !isUnreachable(cli.kind, end)) return false;
  return (await engineTrouble(cli)) !== undefined;
}

/** As containerd says it. */
function startError(mark: string, why: string): string {
  const id = mark.slice(mark.indexOf('=') + 1);
  return `rpc error: code = Unknown desc = failed to exec in container: failed to start exec ${JSON.stringify(id)}: ${why}`;
}
