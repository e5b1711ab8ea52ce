import { memberOf } from '../go/json-node.js';
import { readDocuments } from '../manifest/read-documents.js';
import type { ManifestSource } from '../manifest/source-file.js';

/** Whether a text holds scenarios: what the API knows has a kind, and a scenario has none. */
export function holdsScenarios({ text }: ManifestSource): boolean {
  const nodes = readDocuments(text).flatMap((read) => (read.kind === 'read' ? read.node : []));
  return nodes.some(
    (node) =>
      node.kind === 'array' ||
      (node.kind === 'object' && !hasMember(node, 'kind') && !hasMember(node, 'apiVersion')),
  );
}

/** Whether such a text says what a scenario says: no object of the API has these at its top. */
export function looksLikeScenario(source: ManifestSource): boolean {
  if (!holdsScenarios(source)) return false;
  return readDocuments(source.text)
    .flatMap((read) => (read.kind === 'read' ? read.node : []))
    .flatMap((node) => (node.kind === 'array' ? node.items : node))
    .some((node) => SCENARIO_FIELDS.some((field) => hasMember(node, field)));
}

const SCENARIO_FIELDS = ['pod', 'containers', 'until', 'actions'];

function hasMember(node: Parameters<typeof memberOf>[0], key: string): boolean {
  return memberOf(node, key) !== undefined;
}
