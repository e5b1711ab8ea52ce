import { UsageError } from '../../app/usage-error.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import {
  buildCommand,
  hasKubernetesObject,
  isBrokenTemplate,
  templateKind,
} from '../../manifest/documents/template.js';
import { counted } from '../../render/text/count.js';
import { escapeControl } from '../../render/text/escape.js';
import type { KubeFlags } from './cluster-options.js';
import { shownPath } from './file-errors.js';
import { Kustomizations } from './kustomizations.js';
import { walkFolder } from './walk-folder.js';

export type ReadOptions = KubeFlags & {
  /** Globs of files and folders that a folder is read without. */
  readonly exclude?: readonly string[] | undefined;
  /** Accepts further files of a folder that have no Kubernetes object. */
  readonly accepts?: (source: ManifestSource) => boolean;
};

interface ReadFolder {
  readonly sources: readonly ManifestSource[];
  /** Counts of the files that were passed over; empty when there are none. */
  readonly skipped: string;
}

/**
 * Reads the files of a folder that have Kubernetes objects in them and are complete as they stand.
 *
 * @throws UsageError when there are none
 */
export async function readFolder(
  folder: string,
  read: (file: string) => Promise<ManifestSource[]>,
  { exclude = [], accepts = () => false }: ReadOptions,
): Promise<ReadFolder> {
  const { files, ignored } = await walkFolder(folder, exclude);
  const all: ManifestSource[] = [];
  for (const file of files) all.push(...(await read(file)));
  const charts = new Charts(files);
  const kustomizations = new Kustomizations(all);
  const sources: ManifestSource[] = [];
  const skipped = { helm: 0, kustomize: 0, other: 0 };
  for (const source of all) {
    if (charts.hasTemplate(source) || isBrokenTemplate(source)) skipped.helm++;
    else if (accepts(source)) sources.push(source);
    else if (kustomizations.skips(source)) skipped.kustomize++;
    else if (!hasKubernetesObject(source)) skipped.other++;
    else sources.push(source);
  }
  const commands = kustomizations.folders().map((each) => buildCommand('kustomization', each));
  const text = [
    ...part(skipped.other, 'file', ' without a Kubernetes object', []),
    ...part(skipped.kustomize, 'file', ' of Kustomize', commands),
    ...part(
      skipped.helm,
      'template',
      '',
      charts.folders().map((each) => buildCommand('helm', each)),
    ),
    ...part(ignored, 'ignored path', '', []),
  ].join(', ');
  if (sources.length === 0) {
    const why = text === '' ? 'no .yaml, .yml or .json file' : `no manifest, only ${text}`;
    throw new UsageError(`${shownPath(folder)}: ${why} in this folder`);
  }
  return { sources, skipped: text };
}

const MOST_COMMANDS = 3;

function part(
  count: number,
  noun: string,
  rest: string,
  commands: readonly string[],
): readonly string[] {
  if (count === 0) return [];
  const shown = commands.slice(0, MOST_COMMANDS).map((each) => `${each} | kprobe lint -`);
  if (commands.length > MOST_COMMANDS) shown.push('…');
  const hint = shown.length === 0 ? '' : ` (${escapeControl(shown.join('; '))})`;
  return [`${counted(count, noun)}${rest}${hint}`];
}

/** The Helm charts among the files of a folder. */
class Charts {
  readonly #folders: readonly string[];

  constructor(files: readonly string[]) {
    this.#folders = files.flatMap((file) => /^(.*?)\/?Chart\.ya?ml$/.exec(file)?.[1] ?? []);
  }

  /** Reports whether Helm makes manifests of a file: it lies in a chart's templates, or reads like one of them. */
  hasTemplate(source: ManifestSource): boolean {
    return (
      this.#folders.some((folder) => source.file.startsWith(within(folder, 'templates/'))) ||
      (templateKind(source) === 'helm' && isBrokenTemplate(source))
    );
  }

  /** Returns the folders of charts that are not part of another one. */
  folders(): readonly string[] {
    const own = this.#folders.filter(
      (folder) => !this.#folders.some((other) => folder.startsWith(within(other, 'charts/'))),
    );
    return own.map((folder) => folder || '.');
  }
}

function within(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
