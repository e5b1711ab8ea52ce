import { memberOf } from '../api/decode/json-node.js';
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

function hasMember(node: Parameters<typeof memberOf>[0], key: string): boolean {
  return memberOf(node, key) !== undefined;
}
