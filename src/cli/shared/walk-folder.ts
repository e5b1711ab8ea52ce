import { type Dirent, existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

import ignore, { type Ignore } from 'ignore';

import { pathMatcher } from '../../lint/config/config.js';

interface WalkedFolder {
  /** The .yaml, .yml and .json files, sorted, with those of the folders within. */
  readonly files: readonly string[];
  /** Number of files and folders that .gitignore or an exclude names. */
  readonly ignored: number;
}

/** A .gitignore, and the folder that its patterns start from. */
interface IgnoreFile {
  readonly folder: string;
  readonly patterns: Ignore;
}

/** Lists a folder's manifests. Leaves out dot folders, node_modules, what .gitignore names, and what `exclude` matches. */
export async function walkFolder(
  folder: string,
  exclude: readonly string[],
): Promise<WalkedFolder> {
  const walker = new Walker(folder, exclude);
  const above = ignoreFilesAbove(resolve(folder));
  // A folder that was named is read, also when the repository ignores it.
  const rules = isIgnored(above, resolve(folder), true) ? [] : above;
  const files = await walker.walk(folder, rules);
  return { files, ignored: walker.ignored };
}

class Walker {
  ignored = 0;
  readonly #root: string;
  readonly #excludes: readonly ((path: string) => boolean)[];

  constructor(root: string, exclude: readonly string[]) {
    this.#root = root;
    this.#excludes = exclude.map(pathMatcher);
  }

  async walk(folder: string, above: readonly IgnoreFile[]): Promise<string[]> {
    const rules = [...above, ...ignoreFileOf(resolve(folder))];
    const found: string[] = [];
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (!(isFolder ? isSearched(entry) : isCandidate(entry))) continue;
      if (isIgnored(rules, resolve(path), isFolder) || this.#isExcluded(path)) this.ignored++;
      else if (isFolder) found.push(...(await this.walk(path, rules)));
      else found.push(path);
    }
    return found;
  }

  /** A pattern starts from the current folder, or from the folder that was named. */
  #isExcluded(path: string): boolean {
    const paths = [relative('', path), relative(this.#root, path)].map(slashed);
    return this.#excludes.some((matches) => paths.some((each) => matches(each)));
  }
}

function isSearched({ name }: Dirent): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

/** A pipe in a folder would block without end. */
function isCandidate(entry: Dirent): boolean {
  const isFile = entry.isFile() || entry.isSymbolicLink();
  // Its own configuration is no manifest.
  return (
    isFile && entry.name !== '.kprobe.yaml' && /\.(?:ya?ml|json)$|^Kustomization$/.test(entry.name)
  );
}

/** The ignore files of the folders above, up to the root of the repository; outermost first. */
function ignoreFilesAbove(folder: string): readonly IgnoreFile[] {
  const files: IgnoreFile[] = [];
  let current = folder;
  while (!existsSync(join(current, '.git'))) {
    const parent = dirname(current);
    // Outside of a repository no folder above counts.
    if (parent === current) return [];
    current = parent;
    files.unshift(...ignoreFileOf(current));
  }
  return files;
}

function ignoreFileOf(folder: string): readonly IgnoreFile[] {
  const path = join(folder, '.gitignore');
  if (!existsSync(path)) return [];
  return [{ folder, patterns: ignore().add(readFileSync(path, 'utf8')) }];
}

function isIgnored(rules: readonly IgnoreFile[], path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { folder, patterns } of rules) {
    const inside = slashed(relative(folder, path));
    if (inside === '') continue;
    const found = patterns.test(isFolder ? `${inside}/` : inside);
    ignored = found.ignored || (ignored && !found.unignored);
  }
  return ignored;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
