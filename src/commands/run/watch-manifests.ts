import { isAbort } from '../../cli/shared/file-errors.js';
import type { Io } from '../../cli/shared/io.js';
import type { ReadOptions } from '../../cli/shared/read-folder.js';
import { isPipe, readManifests, STDIN } from '../../cli/shared/read-sources.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';

/** Milliseconds between two checks of the files. */
const PERIOD = 500;

/**
 * Reports changed files and folders once they no longer change; returns a function that stops it. `read` has the files
 * as first read; standard input never changes. `onUnreadable` gets the problem of files that stay away, once until they
 * are back.
 */
export function watchManifests(
  paths: readonly string[],
  options: ReadOptions,
  io: Io,
  read: readonly ManifestSource[],
  onChange: (sources: readonly ManifestSource[]) => void,
  onUnreadable: (problem: string) => void,
): () => void {
  const files = paths.filter((path) => path !== '-');
  const fixed = read.filter(({ file }) => file === STDIN);
  let applied = JSON.stringify([...fixed, ...read.filter(({ file }) => file !== STDIN)]);
  let seen = applied;
  let failures = 0;
  let isChecking = false;
  const check = async (): Promise<void> => {
    const { found, problem } = await readIfThere(files, options, io);
    failures = problem === undefined ? 0 : failures + 1;
    // A file that an editor replaces is there at the next check.
    if (problem !== undefined && failures === 2) onUnreadable(problem);
    if (found === undefined) return;
    const sources = [...fixed, ...found];
    const text = JSON.stringify(sources);
    // A file that still changes is checked again.
    if (text === seen && text !== applied) {
      applied = text;
      onChange(sources);
    }
    seen = text;
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => (isChecking = false));
  }, PERIOD);
  return () => clearInterval(timer);
}

/** Returns nothing where a file cannot be read now, and the problem where that is one. */
async function readIfThere(
  paths: readonly string[],
  options: ReadOptions,
  io: Io,
): Promise<{ readonly found?: readonly ManifestSource[]; readonly problem?: string | undefined }> {
  // While a file is replaced, anything may be in its place.
  if (paths.some(isPipe)) return {};
  try {
    const { sources, problems } = await readManifests(paths, io, options);
    return problems.length > 0 ? { problem: problems[0] } : { found: sources };
  } catch (error) {
    if (isAbort(error)) return {};
    throw error;
  }
}
