import { type ExecResult, type Runtime, RuntimeError } from './ports.js';

/** Runs a command in a container. A runtime that refuses to is one of its ends, as in Go, not a throw. */
export function execSync(
  runtime: Runtime,
  id: string,
  command: readonly string[],
  timeoutSeconds: number,
): Promise<ExecResult> {
  return runtime.execSync(id, command, timeoutSeconds).catch((error: unknown) => {
    if (error instanceof RuntimeError) return { kind: 'error', message: error.message };
    throw error;
  });
}
