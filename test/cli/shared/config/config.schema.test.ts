import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { RULES } from '../../../../src/commands/lint/rules.js';

interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly $defs: {
    readonly rules: {
      readonly properties: Readonly<Record<string, { readonly description?: string }>>;
    };
  };
}

const text = readFileSync(
  new URL('../../../../schemas/config.schema.json', import.meta.url),
  'utf8',
);
const schema = JSON.parse(text) as Schema;

it('the schema describes exactly the existing rules', () => {
  const { '*': all, ...rules } = schema.$defs.rules.properties;
  expect(all).toBeDefined();
  const described = Object.entries(rules).map(([id, { description }]) => [id, description]);
  expect(described).toEqual(RULES.map(({ id, summary }) => [id, summary]));
});

it('the schema has the fields of the configuration', () => {
  expect(Object.keys(schema.properties)).toEqual([
    'rules',
    'overrides',
    'failOn',
    'defaults',
    'commands',
    'start',
  ]);
});
