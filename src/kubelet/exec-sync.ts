import { type ExecResult, type Runtime, RuntimeError } from './ports.js';

/** Runs a command in a container. A runtime that refuses to is one of its ends, as in Go, not a throw. */
export async function execSync(
  runtime: Runtime,
  id: string,
  command: readonly string[],
  timeoutSeconds: number,
): Promise<ExecResult> {
  try {
    return await runtime.execSync(id, command, timeoutSeconds);
  } catch (error) {
    if (error instanceof RuntimeError) return { kind: 'error', message: error.message };
    throw error;
  }
}
