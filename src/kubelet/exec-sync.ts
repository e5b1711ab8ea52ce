import { type ExecResult, type Runtime, RuntimeError } from './ports.js';

/** Runs a command in a container. A runtime that refuses to is one of its ends, as in Go, not a throw. */
export function execSync(
  runtime: Runtime,
  id: string,
  command: readonly string[],
  timeoutSeconds: number,
): PromiseLike<ExecResult> {
  return runtime.execSync(id, command, timeoutSeconds).then(undefined, refused);
}

function refused(error: unknown): ExecResult {
  if (error instanceof RuntimeError) return { kind: 'error', message: error.message };
  throw error;
}
