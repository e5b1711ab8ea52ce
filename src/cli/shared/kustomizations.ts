import { dirname, resolve, sep } from 'node:path';

import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import { documentsOf } from '../../manifest/documents/read-documents.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { hasKubernetesObject, templateKind } from '../../manifest/documents/template.js';
import { validateSource } from '../../manifest/verdict/validate.js';

interface Kustomization {
  readonly folder: string;
  /** Absolute paths of the files and folders that it builds on. */
  readonly resources: readonly string[];
  /** Absolute paths of other files that it names, such as patches. */
  readonly others: readonly string[];
  /** True if it changes probes or replicas: its resources alone are not what runs. */
  readonly changes: boolean;
  readonly isComponent: boolean;
}

/** Fields that change containers, or how many pods there are. */
const CHANGES =
  /^(?:patches|patchesStrategicMerge|patchesJson6902|components|replacements|transformers|images|replicas|vars)$/;
const RESOURCES = ['resources', 'bases', 'components'];

/** Finds the kustomizations among the files of a folder, and the files that are complete only when they are built. */
export function kustomizationsOf(sources: readonly ManifestSource[]) {
  const all = sources.flatMap((source) =>
    templateKind(source) === 'kustomization' ? kustomizationOf(source) : [],
  );
  const resources = reached(all, all);
  const changing = all.filter(({ changes }) => changes);
  const changed = reached(changing, all);
  const others = new Set(all.flatMap((each) => each.others));
  const roots = all.map(({ folder }) => resolve(folder) + sep);
  return {
    /** Reports whether a file is a kustomization, a patch, or a resource that is patched or incomplete. */
    skips(source: ManifestSource): boolean {
      const path = resolve(source.file);
      if (templateKind(source) === 'kustomization' || changed.has(path)) return true;
      if (resources.has(path)) return isIncomplete(source);
      // A patch that is kept, but not used now, is named nowhere, or in a comment.
      const isBeside = roots.some((root) => path.startsWith(root));
      return others.has(path) || (isBeside && hasKubernetesObject(source) && isIncomplete(source));
    },
    /** The folders to build: those on which no other one builds. */
    folders: all
      .filter(({ folder, isComponent }) => !isComponent && !resources.has(resolve(folder)))
      .map(({ folder }) => folder),
  };
}

/** Collects the files and folders that kustomizations build on, directly or through others. */
function reached(from: readonly Kustomization[], all: readonly Kustomization[]) {
  const found = new Set<string>();
  const waiting = [...from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const path of next.resources) {
      if (found.has(path)) continue;
      found.add(path);
      waiting.push(...all.filter(({ folder }) => resolve(folder) === path));
    }
  }
  return found;
}

function kustomizationOf(source: ManifestSource): readonly Kustomization[] {
  const folder = dirname(source.file);
  const absolute = (path: string): string => resolve(folder, path);
  return documentsOf(source).flatMap((read) => {
    if (read.kind === 'broken' || read.node.kind !== 'object') return [];
    const { members } = read.node;
    const resources = members.filter(({ key }) => RESOURCES.includes(key));
    const others = members.filter(({ key }) => !RESOURCES.includes(key));
    return {
      folder,
      resources: resources.flatMap(({ value }) => textsIn(value)).map(absolute),
      // A generator may name a file as KEY=FILE.
      others: others
        .flatMap(({ value }) => textsIn(value))
        .map((text) => absolute(text.replace(/^[^=]*=/, ''))),
      changes: members.some(({ key }) => CHANGES.test(key)),
      isComponent: stringOf(memberOf(read.node, 'kind')) === 'Component',
    };
  });
}

function textsIn(node: JsonNode): readonly string[] {
  switch (node.kind) {
    case 'string':
      return [node.value];
    case 'array':
      return node.items.flatMap(textsIn);
    case 'object':
      return node.members.flatMap(({ value }) => textsIn(value));
    default:
      return [];
  }
}

/** Reports whether all errors of a file are missing fields, which a kustomization may add. */
function isIncomplete(source: ManifestSource): boolean {
  const { diagnostics } = validateSource(source, { as: 'direct', strictKinds: false });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // A kustomization also adds labels, without which a selector does not match.
  const isMissing = ({ rule, field }: Diagnostic): boolean =>
    rule === 'required' || field.endsWith('.labels');
  return errors.length > 0 && errors.every(isMissing);
}
