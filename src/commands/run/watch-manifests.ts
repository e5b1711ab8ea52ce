import { isAbort } from '../../cli/shared/file-errors.js';
import type { Io } from '../../cli/shared/io.js';
import type { ReadOptions } from '../../cli/shared/read-folder.js';
import { isPipe, readManifests, STDIN } from '../../cli/shared/read-sources.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';

/** Milliseconds between two checks of the files. */
const PERIOD = 500;

/**
 * Reports changed files and folders once they no longer change; returns a function that stops it. `read` has the files
 * as first read; standard input never changes.
 */
export function watchManifests(
  paths: readonly string[],
  options: ReadOptions,
  io: Io,
  read: readonly ManifestSource[],
  onChange: (sources: readonly ManifestSource[]) => void,
): () => void {
  const files = paths.filter((path) => path !== '-');
  const fixed = read.filter(({ file }) => file === STDIN);
  let applied = JSON.stringify([...fixed, ...read.filter(({ file }) => file !== STDIN)]);
  let seen = applied;
  let isChecking = false;
  const check = async (): Promise<void> => {
    const found = await readIfThere(files, options, io);
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

/** Returns undefined where a file is missing, as while an editor replaces it. */
async function readIfThere(paths: readonly string[], options: ReadOptions, io: Io) {
  // While a file is replaced, anything may be in its place.
  if (paths.some(isPipe)) return undefined;
  try {
    const { sources, problems } = await readManifests(paths, io, options);
    return problems.length > 0 ? undefined : sources;
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw error;
  }
}
