import type { ManifestSource } from '../manifest/source-file.js';
import type { Io } from './io.js';
import { readSources } from './read-sources.js';
import { UsageError } from './usage-error.js';

/** Milliseconds between two looks at the files. */
const PERIOD = 500;

/** Tells of changes of files and folders, once each has come to rest; returns how to stop that. */
export function watchManifests(
  paths: readonly string[],
  io: Io,
  onChange: (sources: readonly ManifestSource[]) => void,
): () => void {
  const files = paths.filter((path) => path !== '-');
  let told: string | undefined;
  let seen: string | undefined;
  let looking = false;
  const look = async (): Promise<void> => {
    const sources = await readIfThere(files, io);
    if (sources === undefined) return;
    const text = JSON.stringify(sources);
    told ??= text;
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
  void look();
  return () => clearInterval(timer);
}

/** A file may be away for a moment while an editor replaces it. */
async function readIfThere(
  paths: readonly string[],
  io: Io,
): Promise<readonly ManifestSource[] | undefined> {
  try {
    return await readSources(paths, io);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
