// Prints the JSON Schema of scenario files, out of the field tables that they are read with:
//
//     node scripts/scenario-schema.mjs > schemas/scenario.schema.json
//
// It is of draft-07, which every editor takes.
import { format } from 'prettier';

import { loadTables } from './load-tables.mjs';
import { FIELDS } from './scenario-schema/fields.mjs';

const SCALARS = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  int32: { type: 'integer' },
  int64: { type: 'integer' },
  IntOrString: { type: ['integer', 'string'] },
  Quantity: { type: ['number', 'string'] },
  Time: { type: 'string' },
  MicroTime: { type: 'string' },
  Duration: { type: 'string' },
  FieldsV1: { type: 'object' },
  RawExtension: { type: 'object' },
};

const types = loadTables();
// Nobody writes a pod's status.
delete types.Pod.status;
const definitions = {};
const described = new Set();

function schemaOf(type) {
  const bare = type.replace(/!$/, '').replace(/^\*/, '');
  if (bare === '[]byte') return { type: 'string' };
  if (bare.startsWith('[]')) return { type: 'array', items: schemaOf(bare.slice(2)) };
  const values = /^map\[\w+\](.+)$/.exec(bare)?.[1];
  if (values !== undefined) return { type: 'object', additionalProperties: schemaOf(values) };
  if (bare in SCALARS) return { ...SCALARS[bare] };
  // As in src/api/schema/schema.ts.
  if (types[bare] === undefined) return { type: 'string' };
  if (typeof types[bare] === 'string') return schemaOf(types[bare]);
  define(bare);
  return { $ref: `#/definitions/${bare}` };
}

function define(name) {
  if (name in definitions) return;
  // The name comes first: a type may hold itself.
  definitions[name] = {};
  definitions[name] = { type: 'object', additionalProperties: false, properties: properties(name) };
}

/** The fields of a struct, with those of the structs that are inlined. */
function properties(name) {
  if (typeof types[name] === 'string') return properties(types[name]);
  const { '': inlined = '', ...own } = types[name];
  const found = inlined
    .split(' ')
    .filter((each) => each !== '')
    .map(properties);
  const fields = Object.entries(own).map(([field, type]) => [
    field,
    fieldSchema(name, field, type),
  ]);
  return Object.assign({}, ...found, Object.fromEntries(fields));
}

function fieldSchema(struct, field, type) {
  if (!struct.startsWith('Scenario')) return schemaOf(type);
  const key = `${struct}.${field}`;
  const { each, ...about } = FIELDS[key] ?? {};
  if (about.description === undefined) throw new Error(`${key} is not described in fields.mjs`);
  described.add(key);
  const schema = schemaOf(type);
  return { ...about, ...schema, ...(each && { items: { ...schema.items, ...each } }) };
}

const scenario = schemaOf('Scenario');
const [unknown] = Object.keys(FIELDS).filter((key) => !described.has(key));
if (unknown !== undefined) throw new Error(`${unknown} is no field of a scenario`);
definitions.Scenario.dependencies = { pod: ['name', 'until'] };
definitions.ScenarioAction.required = ['at', 'do'];

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'kprobe scenario',
  description:
    'A pod, and a script of what its containers do, for kprobe simulate; or a list of them.',
  oneOf: [scenario, { type: 'array', minItems: 1, items: scenario }],
  definitions,
};
process.stdout.write(await format(JSON.stringify(schema), { parser: 'json', printWidth: 100 }));
