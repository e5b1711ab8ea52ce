import { memberOf, stringOf } from '../../go/json-node.js';
import { documentsOf } from './read-documents.js';
import type { ManifestSource, SourceFile } from './source-file.js';

/** Kind of a text that a tool turns into manifests. */
type TemplateKind = 'helm' | 'values' | 'chart' | 'kustomization';

/** Matches actions that only Helm's templates have. Manifests may contain templates of other tools in strings. */
const HELM =
  /\{\{[^{}]{0,200}(?:\.(?:Values|Release|Chart|Capabilities)\b|\binclude\s+"|\bn?indent\s)/;

export function templateKind(source: ManifestSource): TemplateKind | undefined {
  const { file, text } = source;
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (/^kustomization(?:\.ya?ml)?$/i.test(name)) return 'kustomization';
  if (HELM.test(text)) return 'helm';
  const kind = /^Chart\.ya?ml$/.test(name) ? 'chart' : VALUES.test(name) ? 'values' : undefined;
  return kind !== undefined && !hasKubernetesObject(source) ? kind : undefined;
}

const VALUES = /^(?:.*[-.])?values(?:[-.].*)?\.ya?ml$/;

/** Returns whether some document does not parse because it contains a template. */
export function isBrokenTemplate(source: ManifestSource): boolean {
  return source.text.includes('{{') && documentsOf(source).some(({ kind }) => kind === 'broken');
}

/** Returns whether a text has an object of the Kubernetes API: a document with apiVersion and kind. */
export function hasKubernetesObject(source: ManifestSource): boolean {
  const { text } = source;
  if (!text.includes('apiVersion') || !text.includes('kind') || isClientConfig(text)) return false;
  // Most manifests need not be parsed for this.
  if (text.split(/^---/m).some((document) => KEYS.every((key) => key.test(document)))) return true;
  return documentsOf(source).some((read) => {
    if (read.kind !== 'read' || stringOf(memberOf(read.node, 'kind')) === undefined) return false;
    const apiVersion = stringOf(memberOf(read.node, 'apiVersion'));
    if (apiVersion === undefined) return false;
    return OWN_VERSION.test(apiVersion) || CONTENT_KEYS.some((key) => memberOf(read.node, key));
  });
}

/** Returns whether a file was meant to have a Kubernetes object, but for an error: a misspelled or missing key, or broken text. */
export function isBrokenManifest(source: ManifestSource): boolean {
  const { text } = source;
  if (!/kind|apiVersion/i.test(text)) return false;
  return documentsOf(source).some((read) => {
    if (read.kind === 'broken') return TYPE_KEYS.every((key) => key.test(text));
    const { node } = read;
    if (node.kind !== 'object' || memberOf(node, 'metadata')?.kind !== 'object') return false;
    const hasType = node.members.some(({ key }) => /^(?:apiVersion|kind)$/i.test(key));
    return hasType && memberOf(node, 'spec')?.kind === 'object';
  });
}

/** The keys of a type at any indentation, or in JSON. */
const TYPE_KEYS = [/^[\s{]*["']?apiVersion["']?\s*:/m, /(?:^|,)[\s{]*["']?kind["']?\s*:/m];

/** A version of Kubernetes' groups without a dot: other tools have no such apiVersion. */
const OWN_VERSION = /^(?:(?:apps|autoscaling|batch|extensions|policy)\/)?v\d/;

/** Every object has one of these fields; files of other tools that look like objects, such as release notes, have not. */
const CONTENT_KEYS = ['metadata', 'items', 'spec', 'data', 'template'];

const KEYS = ['apiVersion', 'kind', `(?:${CONTENT_KEYS.join('|')})`].map(
  (key) => new RegExp(`^["']?${key}["']?\\s*:`, 'm'),
);

/** A kubeconfig and a skaffold.yaml are typed like an object, and no server has their kinds. */
function isClientConfig(text: string): boolean {
  const isConfig = /^kind\s*:\s*["']?Config\b/m.test(text);
  return isConfig && /^apiVersion\s*:\s*["']?(?:v1\b|skaffold\/)/m.test(text);
}

/** Replaces the errors of a file that Helm or Kustomize has to build first by a single error, which says so. */
export function summarizeTemplate(source: SourceFile): void {
  if (!source.hasErrors()) return;
  const { file, text, kustomize, command } = source.origin;
  const kind = templateKind({ file, text });
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) || '/' : '.';
  const built = folder.replace(/(?:^|\/)(?:templates|ci)(?:\/.*)?$/, '') || '.';
  if (kind !== undefined) {
    const isPart = kind !== 'helm' || source.hasErrorsWith(['syntax', undefined], '{{');
    if (isPart) source.replaceErrors(MESSAGES[kind], buildPipe(kind, built, command));
  } else if (kustomize !== undefined && source.hasErrorsWith(['required'])) {
    source.replaceErrors(
      'looks like a part of a Kustomize folder: incomplete as it stands',
      buildPipe('kustomization', kustomize, command),
    );
  }
}

const MESSAGES: Readonly<Record<TemplateKind, string>> = {
  helm: 'looks like a Helm template',
  values: 'looks like the values of a Helm chart',
  chart: 'describes a Helm chart',
  kustomization: 'describes a Kustomize build',
};

/** Returns the command line that builds a folder for a command of kprobe. */
export function buildPipe(kind: TemplateKind, folder: string, command = 'lint'): string {
  const build = kind === 'kustomization' ? 'kubectl kustomize' : 'helm template';
  return `${build} ${folder} | kprobe ${command} -`;
}
