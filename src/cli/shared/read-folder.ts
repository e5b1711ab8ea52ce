import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

import ignore, { type Ignore } from 'ignore';

import type { ManifestSource } from '../../manifest/documents/source-file.js';
import {
  buildPipe,
  hasKubernetesObject,
  isBrokenManifest,
  isBrokenTemplate,
} from '../../manifest/documents/template.js';
import { counted } from '../../text/count.js';
import { escapeControl } from '../../text/escape.js';
import { UsageError } from '../../usage-error.js';
import type { KubeFlags } from './cluster-options.js';
import { pathMatcher } from './config/config.js';
import { isFile, KUSTOMIZATIONS, orUsageError, shownPath } from './file-errors.js';
import { kustomizationsOf } from './kustomizations.js';

export type ReadOptions = KubeFlags & {
  /** Globs of files and folders to skip within a folder. */
  readonly exclude?: readonly string[] | undefined;
  /** Accepts further files of a folder that have no Kubernetes object. */
  readonly accepts?: (source: ManifestSource) => boolean;
  /** Skips named files that are not manifests, as in a folder. */
  readonly skipOthers?: true | undefined;
};

/**
 * Reads the complete files of a folder that have Kubernetes objects; `skipped` describes the others. Throws a UsageError
 * when no file is left.
 */
export async function readFolder(
  folder: string,
  read: (file: string) => Promise<ManifestSource[]>,
  { exclude = [], accepts }: ReadOptions,
) {
  const { files, ignored, dangling } = await walkFolder(folder, exclude);
  const all: ManifestSource[] = [];
  for (const file of files) all.push(...(await read(file)));
  const charts = files.flatMap((file) => /^(.*?)\/?Chart\.ya?ml$/.exec(file)?.[1] ?? []);
  const { sources, parts } = manifestsAmong(all, charts, accepts);
  const text = [
    ...parts,
    ...part(dangling.length, 'broken link', '', dangling, ', '),
    ...part(ignored, 'ignored path', '', []),
  ].join(', ');
  if (sources.length === 0) {
    const reason = text === '' ? 'no .yaml, .yml or .json file' : `no manifest, only ${text}`;
    throw new UsageError(`${shownPath(folder)}: ${reason} in this folder`);
  }
  return { sources, skipped: text };
}

/** Reads files that were named one by one, such as those of a commit, and skips what a folder would skip. */
export async function readNamed(
  named: readonly string[],
  read: (file: string) => Promise<ManifestSource[]>,
) {
  const files = named.filter((file) => basename(file) !== '.kprobe.yaml');
  const folders = [...new Set(files.flatMap(foldersAbove))];
  const builds = folders.flatMap((folder) =>
    KUSTOMIZATIONS.map((name) => join(folder, name)).filter((path) => existsSync(path)),
  );
  const charts = folders
    .filter((folder) => existsSync(join(folder, 'Chart.yaml')))
    .map((folder) => (folder === '.' ? '' : folder));
  const all: ManifestSource[] = [];
  for (const file of new Set([...files, ...builds])) all.push(...(await read(file)));
  const { sources, parts } = manifestsAmong(all, charts);
  return { sources, skipped: parts.join(', ') };
}

/** The folders that a file lies in, up to the current one. */
function foldersAbove(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === '.' || folder === dirname(folder)
    ? [folder]
    : [folder, ...foldersAbove(folder)];
}

/** Separates manifests from the other files beside them. */
function manifestsAmong(
  all: readonly ManifestSource[],
  charts: readonly string[],
  accepts: (source: ManifestSource) => boolean = () => false,
) {
  const kustomizations = kustomizationsOf(all);
  const sources: ManifestSource[] = [];
  const skipped = { helm: 0, kustomize: 0 };
  const others: string[] = [];
  for (const source of all) {
    const isIn = (chart: string): boolean => source.file.startsWith(childPath(chart, 'templates/'));
    if (charts.some(isIn) || isBrokenTemplate(source)) skipped.helm++;
    else if (accepts(source)) sources.push(source);
    else if (kustomizations.skips(source)) skipped.kustomize++;
    else if (hasKubernetesObject(source) || isBrokenManifest(source)) sources.push(source);
    else others.push(source.file);
  }
  const command = all[0]?.command;
  const builds = kustomizations.folders.map((each) => buildPipe('kustomization', each, command));
  const renders = charts
    .filter((chart) => !charts.some((other) => chart.startsWith(childPath(other, 'charts/'))))
    .map((chart) => buildPipe('helm', chart || '.', command));
  const parts = [
    ...part(others.length, 'file', ' without a Kubernetes object', others, ', '),
    ...part(skipped.kustomize, 'file', ' of Kustomize', builds),
    ...part(skipped.helm, 'template', '', renders),
  ];
  return { sources, parts };
}

const MAX_NAMED = 3;

function part(count: number, noun: string, rest: string, named: readonly string[], comma = '; ') {
  if (count === 0) return [];
  const shown = named.slice(0, MAX_NAMED);
  if (named.length > MAX_NAMED) shown.push('…');
  const hint = shown.length === 0 ? '' : ` (${escapeControl(shown.join(comma))})`;
  return [`${counted(count, noun)}${rest}${hint}`];
}

function childPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

interface IgnoreFile {
  readonly folder: string;
  readonly patterns: Ignore;
}

/**
 * Lists the .yaml, .yml and .json files of a folder and its subfolders, sorted, without dot folders and node_modules.
 * `ignored` counts what .gitignore and `exclude` leave out; `dangling` lists symbolic links without a target. Throws a UsageError.
 */
async function walkFolder(root: string, exclude: readonly string[]) {
  const excludes = exclude.map(pathMatcher);
  // A pattern is relative to the current folder, or to the folder on the command line.
  const isExcluded = (path: string): boolean => {
    const paths = [relative('', path), relative(root, path)].map(slashed);
    return excludes.some((matches) => paths.some((each) => matches(each)));
  };
  const files: string[] = [];
  const dangling: string[] = [];
  let ignored = 0;
  const walk = async (folder: string, above: readonly IgnoreFile[]): Promise<void> => {
    const rules = [...above, ...(await ignoreFileOf(resolve(folder)))];
    const entries = await orUsageError(folder, () => readdir(folder, { withFileTypes: true }));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (!(isFolder ? /^(?!\.|node_modules$)/.test(entry.name) : isCandidate(entry))) continue;
      if (isIgnored(rules, resolve(path), isFolder) || isExcluded(path)) ignored++;
      else if (isFolder) await walk(path, rules);
      else if (entry.isSymbolicLink() && !existsSync(path)) dangling.push(path);
      else files.push(path);
    }
  };
  const above = await ignoreFilesAbove(resolve(root));
  // A folder on the command line is read even if the repository ignores it.
  await walk(root, isIgnored(above, resolve(root), true) ? [] : above);
  return { files, ignored, dangling };
}

/** Accepts files and links, but no pipe, which would block, and not kprobe's configuration. */
function isCandidate(entry: Dirent): boolean {
  if (entry.name === '.kprobe.yaml' || !(entry.isFile() || entry.isSymbolicLink())) return false;
  return /\.(?:ya?ml|json)$|^Kustomization$/.test(entry.name);
}

/** Returns the ignore files of the folders above, up to the root of the repository; outermost first. */
async function ignoreFilesAbove(folder: string): Promise<readonly IgnoreFile[]> {
  const files: IgnoreFile[] = [];
  let current = folder;
  while (!existsSync(join(current, '.git'))) {
    const parent = dirname(current);
    // Outside a repository, folders above do not count.
    if (parent === current) return [];
    current = parent;
    files.unshift(...(await ignoreFileOf(current)));
  }
  return files;
}

async function ignoreFileOf(folder: string): Promise<readonly IgnoreFile[]> {
  const path = join(folder, '.gitignore');
  if (!isFile(path)) return [];
  const text = await orUsageError(path, () => readFile(path, 'utf8'));
  return [{ folder, patterns: ignore().add(text) }];
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
