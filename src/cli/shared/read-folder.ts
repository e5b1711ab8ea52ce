import { type Dirent, existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

import ignore, { type Ignore } from 'ignore';

import type { ManifestSource } from '../../manifest/documents/source-file.js';
import {
  buildCommand,
  hasKubernetesObject,
  isBrokenManifest,
  isBrokenTemplate,
} from '../../manifest/documents/template.js';
import { counted } from '../../text/count.js';
import { escapeControl } from '../../text/escape.js';
import { UsageError } from '../../usage-error.js';
import type { KubeFlags } from './cluster-options.js';
import { pathMatcher } from './config/config.js';
import { shownPath } from './file-errors.js';
import { kustomizationsOf } from './kustomizations.js';

export type ReadOptions = KubeFlags & {
  /** Globs of files and folders that a folder is read without. */
  readonly exclude?: readonly string[] | undefined;
  /** Accepts further files of a folder that have no Kubernetes object. */
  readonly accepts?: (source: ManifestSource) => boolean;
};

/**
 * Reads the files of a folder that have Kubernetes objects in them and are complete as they stand; `skipped` counts the
 * others, and is empty when there are none.
 *
 * @throws UsageError when there are none
 */
export async function readFolder(
  folder: string,
  read: (file: string) => Promise<ManifestSource[]>,
  { exclude = [], accepts = () => false }: ReadOptions,
) {
  const { files, ignored, dangling } = await walkFolder(folder, exclude);
  const all: ManifestSource[] = [];
  for (const file of files) all.push(...(await read(file)));
  const charts = chartsOf(files);
  const kustomizations = kustomizationsOf(all);
  const sources: ManifestSource[] = [];
  const skipped = { helm: 0, kustomize: 0 };
  const others: string[] = [];
  for (const source of all) {
    if (isOfHelm(source, charts)) skipped.helm++;
    else if (accepts(source)) sources.push(source);
    else if (kustomizations.skips(source)) skipped.kustomize++;
    else if (hasKubernetesObject(source) || isBrokenManifest(source)) sources.push(source);
    else others.push(source.file);
  }
  const builds = kustomizations.folders.map((each) => pipe('kustomization', each));
  const renders = charts
    .filter((chart) => !isSubchart(chart, charts))
    .map((chart) => pipe('helm', chart || '.'));
  const text = [
    ...part(others.length, 'file', ' without a Kubernetes object', others, ', '),
    ...part(dangling.length, 'broken link', '', dangling, ', '),
    ...part(skipped.kustomize, 'file', ' of Kustomize', builds),
    ...part(skipped.helm, 'template', '', renders),
    ...part(ignored, 'ignored path', '', []),
  ].join(', ');
  if (sources.length === 0) {
    const why = text === '' ? 'no .yaml, .yml or .json file' : `no manifest, only ${text}`;
    throw new UsageError(`${shownPath(folder)}: ${why} in this folder`);
  }
  return { sources, skipped: text };
}

function pipe(kind: 'helm' | 'kustomization', folder: string): string {
  return `${buildCommand(kind, folder)} | kprobe lint -`;
}

/** Files or commands that are named. */
const MOST_NAMED = 3;

function part(count: number, noun: string, rest: string, named: readonly string[], comma = '; ') {
  if (count === 0) return [];
  const shown = named.slice(0, MOST_NAMED);
  if (named.length > MOST_NAMED) shown.push('…');
  const hint = shown.length === 0 ? '' : ` (${escapeControl(shown.join(comma))})`;
  return [`${counted(count, noun)}${rest}${hint}`];
}

/** Returns the folders of the Helm charts among files. */
function chartsOf(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => /^(.*?)\/?Chart\.ya?ml$/.exec(file)?.[1] ?? []);
}

/** Reports whether Helm makes manifests of a file: it lies in a chart's templates, or reads like one of them. */
function isOfHelm(source: ManifestSource, charts: readonly string[]): boolean {
  return (
    charts.some((folder) => source.file.startsWith(within(folder, 'templates/'))) ||
    isBrokenTemplate(source)
  );
}

/** Reports whether a chart is part of another one. */
function isSubchart(folder: string, charts: readonly string[]): boolean {
  return charts.some((other) => folder.startsWith(within(other, 'charts/')));
}

function within(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A .gitignore, and the folder that its patterns start from. */
interface IgnoreFile {
  readonly folder: string;
  readonly patterns: Ignore;
}

/**
 * Lists the .yaml, .yml and .json files of a folder, sorted, with those of the folders within. Leaves out dot folders,
 * node_modules, what .gitignore names, and what `exclude` matches; `ignored` is the number of the latter two, and
 * `dangling` lists symbolic links to files that do not exist.
 */
async function walkFolder(root: string, exclude: readonly string[]) {
  const excludes = exclude.map(pathMatcher);
  // A pattern starts from the current folder, or from the folder that was named.
  const isExcluded = (path: string): boolean => {
    const paths = [relative('', path), relative(root, path)].map(slashed);
    return excludes.some((matches) => paths.some((each) => matches(each)));
  };
  const files: string[] = [];
  const dangling: string[] = [];
  let ignored = 0;
  const walk = async (folder: string, above: readonly IgnoreFile[]): Promise<void> => {
    const rules = [...above, ...ignoreFileOf(resolve(folder))];
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (!(isFolder ? isSearched(entry) : isCandidate(entry))) continue;
      if (isIgnored(rules, resolve(path), isFolder) || isExcluded(path)) ignored++;
      else if (isFolder) await walk(path, rules);
      else if (entry.isSymbolicLink() && !existsSync(path)) dangling.push(path);
      else files.push(path);
    }
  };
  const above = ignoreFilesAbove(resolve(root));
  // A folder that was named is read, also when the repository ignores it.
  await walk(root, isIgnored(above, resolve(root), true) ? [] : above);
  return { files, ignored, dangling };
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
