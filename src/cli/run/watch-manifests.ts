import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { isAbort } from '../shared/file-errors.js';
import type { Io } from '../shared/io.js';
import type { ReadOptions } from '../shared/read-folder.js';
import { readManifests, STDIN } from '../shared/read-sources.js';

/** Milliseconds between two looks at the files. */
const PERIOD = 500;

/**
 * Tells of changes of files and folders, once each has come to rest; returns how to stop that.
 * `read` is what was read of them before; standard input stays as it was.
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
  let told = JSON.stringify([...fixed, ...read.filter(({ file }) => file !== STDIN)]);
  let seen = told;
  let looking = false;
  const look = async (): Promise<void> => {
    const found = await readIfThere(files, options, io);
    if (found === undefined) return;
    const sources = [...fixed, ...found];
    const text = JSON.stringify(sources);
    // A file that is being written is looked at again.
    if (text === seen && text !== told) {
      told = text;
      onChange(sources);
    }
    seen = text;
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, PERIOD);
  return () => clearInterval(timer);
}

/** A file may be away for a moment while an editor replaces it. */
async function readIfThere(
  paths: readonly string[],
  options: ReadOptions,
  io: Io,
): Promise<readonly ManifestSource[] | undefined> {
  try {
    const { sources, problems } = await readManifests(paths, io, options);
    return problems.length > 0 ? undefined : sources;
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw error;
  }
}
