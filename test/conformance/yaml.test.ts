import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { SyntaxProblem } from '../../src/go/json.js';
import type { JsonNode } from '../../src/go/json-node.js';
import { parseYaml } from '../../src/manifest/documents/parse-yaml.js';

/** A document and what sigs.k8s.io/yaml v1.6.0, which kubectl reads with, makes of it. */
interface Case {
  readonly yaml: string;
  readonly json?: string;
  readonly error?: string;
  /** What it says when keys may not stand twice. */
  readonly strict?: string;
}

const cases = readFileSync(new URL('./yaml/go-yaml.ndjson', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

test.each(cases)('$yaml reads as go-yaml reads it', ({ yaml, json, error, strict }) => {
  if (error !== undefined) {
    expect(() => parseYaml(yaml)).toThrow(SyntaxProblem);
    return;
  }
  const { node, duplicates } = parseYaml(yaml);
  expect(toJson(node)).toBe(json);
  expect(duplicates.length > 0).toBe(strict !== undefined);
});

/** As Go's encoding/json writes it. */
function toJson(node: JsonNode): string {
  switch (node.kind) {
    case 'null':
      return 'null';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.literal;
    case 'string':
      return quote(node.value);
    case 'array':
      return `[${node.items.map(toJson).join(',')}]`;
    case 'object':
      return `{${node.members.map(({ key, value }) => `${quote(key)}:${toJson(value)}`).join(',')}}`;
  }
}

function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
