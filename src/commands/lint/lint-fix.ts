import { readFile } from 'node:fs/promises';

import { orUsageError, replaceFile, shownPath } from '../../cli/shared/file-errors.js';
import { type Io, write } from '../../cli/shared/io.js';
import { STDIN } from '../../cli/shared/read-sources.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { escapeControlInLines } from '../../text/escape.js';
import { UsageError } from '../../usage-error.js';
import { lineEdits, unifiedDiff } from './fix/text-edits.js';
import type { LintOptions } from './lint.js';
import { fixSources } from './lint-sources.js';

/** The changes of the safe fixes, as unified diffs. */
export async function showFixes(sources: readonly ManifestSource[], options: LintOptions) {
  const fixed = await fixSources(sources, options);
  const diffs = sources.flatMap((source, index) => {
    const edits = lineEdits(source.text, fixed[index]?.text ?? source.text);
    return edits.length === 0 ? [] : [unifiedDiff(source, edits)];
  });
  return escapeControlInLines(diffs.join(''));
}

/** Makes the safe fixes in the files; resolves with their new texts. */
export async function fixFiles(
  sources: readonly ManifestSource[],
  options: LintOptions,
  io: Io,
): Promise<readonly ManifestSource[]> {
  if (sources.some(({ file }) => file === STDIN)) {
    throw new UsageError('--fix cannot edit standard input');
  }
  const fixed = await fixSources(sources, options);
  for (const [index, source] of sources.entries()) {
    const text = fixed[index]?.text ?? source.text;
    if (text === source.text) continue;
    await orUsageError(source.file, () => replace(source, text));
    await write(io.notes, `kprobe: fixed ${shownPath(source.file)}\n`);
  }
  return fixed;
}

const BOM = '\ufeff';

/** Replaces the text of a file at once. */
async function replace({ file, text: old }: ManifestSource, text: string): Promise<void> {
  const before = await readFile(file);
  const mark = [BOM, ''].find((each) => Buffer.from(each + old).equals(before));
  if (mark === undefined) {
    throw new UsageError(`${shownPath(file)}: is not UTF-8, or has just changed: not fixed`);
  }
  await replaceFile(file, mark + text);
}
