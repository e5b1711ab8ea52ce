import { type JsonNode, memberOf } from '../go/json-node.js';

/** What an object is, by its own word or that of the typed list it stands in; empty where nothing says so. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Why something cannot be taken for an object of any kind, and where that stands. */
export interface TypeProblem {
  readonly offset: number;
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

const KIND_WORDS = {
  null: 'null',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  bool: 'a boolean',
} as const;

const EXAMPLES = [
  ['kind', 'Pod'],
  ['apiVersion', 'v1'],
] as const;

/** What keeps a node from being an object with a kind and an apiVersion; nothing when it is one. */
export function typeProblems(node: JsonNode, type: TypeMeta): readonly TypeProblem[] {
  if (node.kind !== 'object') {
    const message = `a manifest is an object with apiVersion and kind, this is ${KIND_WORDS[node.kind]}`;
    return [{ offset: node.start, field: '', message }];
  }
  return EXAMPLES.flatMap(([field, example]) => {
    if (type[field] !== '') return [];
    const given = memberOf(node, field);
    const message = given === undefined ? 'is missing' : 'must be a string that is not empty';
    const hint = `such as "${field}: ${example}"`;
    return [{ offset: given?.start ?? node.start, field, message, hint }];
  });
}
