import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { UsageError } from '../../app/usage-error.js';
import type { Config } from '../../lint/config/config.js';
import type { CheckSetting } from '../../lint/config/read-config.js';
import type { Io } from './io.js';

const CONFIG_NAME = '.kprobe.yaml';

/** Returns the path of the configuration: the flag's, or the nearest from this folder up to the root of the repository. */
export function configPath(flag: string | boolean | undefined, cwd: string): string | undefined {
  if (flag === false) return undefined;
  if (typeof flag === 'string') return flag;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (isFile(path)) return path;
    // What is above a repository is nobody's.
    const isRoot = statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined;
    if (isRoot || dirname(folder) === folder) return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Reads a configuration.
 *
 * @throws UsageError with each error's file, line and field
 */
export async function loadConfig(path: string, io: Io, check?: CheckSetting): Promise<Config> {
  const { readSource } = await import('./read-sources.js');
  const { hasErrors } = await import('../../manifest/diagnostic.js');
  const { readConfig } = await import('../../lint/config/read-config.js');
  const { formatDiagnostics } = await import('../../render/format-diagnostic.js');
  const { text } = await readSource(path, io);
  const shown = relative(io.cwd, resolve(io.cwd, path)) || path;
  const { config, diagnostics } = readConfig({ file: shown, text }, check);
  if (!hasErrors(diagnostics)) return config;
  throw new UsageError(`the configuration has errors\n${formatDiagnostics(diagnostics).trimEnd()}`);
}
