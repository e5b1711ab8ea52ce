import { decode, type DecodeIssue } from '../../api/decode/index.js';
import { ownField } from '../../api/index.js';
import { jsonText } from '../../go/json.js';
import type { JsonNode } from '../../go/json-node.js';

/** A schema of a CustomResourceDefinition, as far as it is read by name (JSONSchemaProps). */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

interface Place {
  readonly path: string;
  /** True inside of a list whose unknown fields are kept. */
  readonly isKept: boolean;
  readonly issues: DecodeIssue[];
}

/**
 * Decodes a custom resource: without unknown fields, and without a null where a field may not be null. Ports
 * PruneWithOptions and PruneNonNullableNullsWithoutDefaults (apiextensions-apiserver pkg/apiserver/schema); nulls of
 * fields with a default are left out too, so that the default is set.
 */
export function prune(node: JsonNode, schema: Schema) {
  const issues: DecodeIssue[] = [];
  const root = { ...schema, 'x-kubernetes-embedded-resource': true };
  return { value: pruned(node, root, { path: '', isKept: false, issues }), issues };
}

const META_FIELDS = ['apiVersion', 'kind', 'metadata'];

function pruned(node: JsonNode, schema: Schema | undefined, place: Place): unknown {
  const { path, issues } = place;
  const isKept = place.isKept || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (node.kind === 'array') {
    return node.items.map((item, index) =>
      pruned(item, schema?.items, { path: `${path}[${index}]`, isKept, issues }),
    );
  }
  if (node.kind !== 'object') return valueOf(node);
  const fields = new Map<string, unknown>();
  for (const { key, keyStart: start, value } of node.members) {
    const at = path === '' ? key : `${path}.${key}`;
    if (fields.has(key)) issues.push({ kind: 'duplicate-field', path: at, start });
    const isMeta = schema?.['x-kubernetes-embedded-resource'] === true && META_FIELDS.includes(key);
    const known = isMeta ? undefined : fieldSchema(schema, key);
    if (known !== undefined) {
      if (value.kind === 'null' && known !== true && known.nullable !== true) continue;
      const inner = known === true ? undefined : known;
      fields.set(key, pruned(value, inner, { path: at, isKept: known === true, issues }));
    } else if (isMeta || isKept) {
      if (key === 'metadata' && isMeta) issues.push(...metadataIssues(value, at));
      fields.set(key, valueOf(value));
    } else {
      const names = Object.keys(schema?.properties ?? {});
      issues.push({ kind: 'unknown-field', path: at, start, name: key, structs: [], names });
    }
  }
  return Object.fromEntries(fields);
}

function valueOf(node: JsonNode): unknown {
  return JSON.parse(jsonText(node));
}

function metadataIssues(node: JsonNode, at: string): readonly DecodeIssue[] {
  const { issues } = decode(node, 'ObjectMeta', 'exact');
  return issues.map((issue) => ({ ...issue, path: `${at}.${issue.path}` }));
}

/** Returns the schema of a field, true for one that may have any value, and undefined for an unknown one. */
function fieldSchema(schema: Schema | undefined, key: string): Schema | true | undefined {
  const { properties = {}, additionalProperties: others = false } = schema ?? {};
  return ownField(properties, key) ?? (others === false ? undefined : others);
}
