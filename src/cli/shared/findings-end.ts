import { hasNothing, validationEnd } from '../../manifest/verdict/validate.js';
import type { ValidatedFile } from '../../manifest/verdict/verdict.js';
import type { Report } from '../../report/findings-report.js';
import { escapeControlInLines } from '../../text/escape.js';
import { EXIT } from './exit-code.js';
import { type Io, write } from './io.js';

/** Reports what could not be read; returns exit code 2 then, otherwise 1 when the findings fail. */
export async function finishFindings(
  files: readonly ValidatedFile[],
  unread: readonly string[],
  fails: boolean,
  io: Io,
): Promise<Pick<Report, 'problems' | 'exitCode'>> {
  const isEmpty = unread.length === 0 && hasNothing(files);
  const problems = isEmpty ? ['no objects in the input'] : unread;
  for (const problem of problems)
    await write(io.stderr, `kprobe: ${escapeControlInLines(problem)}\n`);
  const isUnreadable = problems.length > 0 || validationEnd(files) === 'unreadable';
  const exitCode = isUnreadable ? EXIT.usage : fails ? EXIT.failure : EXIT.success;
  return { problems, exitCode };
}
