import { createInterface } from 'node:readline/promises';

import type { LeftoverChoice } from '../../app/create-target.js';
import { escapeControl } from '../../render/text/escape.js';
import type { Io } from '../shared/io.js';
import type { RunFlags } from './run-flags.js';

/** What to do with what a run has left: as the flags say, or as the user says at a terminal. */
export async function leftoverChoice(
  pods: readonly string[],
  { adopt = false, replace = false }: RunFlags,
  io: Io,
): Promise<LeftoverChoice | undefined> {
  if (adopt) return 'adopt';
  if (replace) return 'replace';
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return undefined;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  const names = escapeControl(pods.join(', '));
  try {
    const question = `A run of kprobe that is gone left ${names}. Adopt it, remove it, or quit? [a/r/q] `;
    const answer = await lines.question(question, { signal: io.signal });
    const [letter = ''] = answer.trim().toLowerCase();
    if (letter === 'a') return 'adopt';
    return letter === 'r' ? 'replace' : undefined;
  } catch {
    // Interrupted: no answer.
    return undefined;
  } finally {
    lines.close();
  }
}
