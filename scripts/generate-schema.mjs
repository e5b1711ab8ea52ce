// Writes src/api/schema/tables.ts from the Go types of the Kubernetes API:
//
//     node scripts/generate-schema.mjs "$(go list -m -f '{{.Dir}}' k8s.io/api)" \
//       "$(go list -m -f '{{.Dir}}' k8s.io/apimachinery)"
//
// in a Go module that requires them in the version that kprobe follows (v0.36.3).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [apiDirectory, machineryDirectory] = process.argv.slice(2);
if (apiDirectory === undefined || machineryDirectory === undefined) {
  throw new Error('usage: generate-schema.mjs K8S_IO_API K8S_IO_APIMACHINERY');
}

const PACKAGES = [
  join(machineryDirectory, 'pkg/apis/meta/v1'),
  join(apiDirectory, 'core/v1'),
  join(apiDirectory, 'apps/v1'),
  join(apiDirectory, 'batch/v1'),
];
const ROOTS = [
  'Pod PodTemplate ReplicationController ConfigMap Secret List',
  'Deployment StatefulSet DaemonSet ReplicaSet Job CronJob',
].flatMap((names) => names.split(' '));

/** Types that have a decoding of their own in src/api/decode. */
const SPECIAL = new Set([
  'IntOrString',
  'Quantity',
  'Time',
  'MicroTime',
  'Duration',
  'FieldsV1',
  'RawExtension',
]);
/** Named types of other packages. */
const EXTERNAL = { UID: 'string' };
/** Prettier's. */
const PRINT_WIDTH = 100;
const BASIC = new Set(['string', 'bool', 'int', 'int32', 'int64', 'uint8', 'byte', 'float64']);

const baseName = (goType) => goType.replace(/\b\w+\.(?=\w)/g, '');

function parseField(line) {
  const match = /^\t(?:(\w+)\s+)?(\S+)\s+`(?:.*\s)?json:"([^"]*)"/.exec(line);
  if (match === null) return undefined;
  const [, , goType, tag] = match;
  const [jsonName, ...options] = tag.split(',');
  if (jsonName === '-') return undefined;
  const inline = jsonName === '' || options.includes('inline');
  return {
    jsonName,
    inline,
    type: baseName(goType),
    omitEmpty: options.some((o) => o.startsWith('omit')),
  };
}

function parsePackage(directory) {
  const types = new Map();
  const files = readdirSync(directory).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go'),
  );
  const lines = files.flatMap((name) => [
    ...readFileSync(join(directory, name), 'utf8').split('\n'),
    '',
  ]);
  let open;
  for (const line of lines) {
    const struct = /^type (\w+) struct \{/.exec(line);
    const named = /^type (\w+) ([\w[\].*]+)$/.exec(line);
    if (struct !== null) types.set(struct[1], (open = { fields: [] }));
    else if (named !== null) {
      // core/v1's List is meta/v1's by another name.
      if (baseName(named[2]) !== named[1]) types.set(named[1], { alias: baseName(named[2]) });
    } else if (line === '}') open = undefined;
    else if (open !== undefined) {
      const field = parseField(line);
      if (field !== undefined) open.fields.push(field);
    }
  }
  return types;
}

const referred = (type) =>
  type.match(/\w+/g).filter((name) => name !== 'map' && !BASIC.has(name) && !SPECIAL.has(name));

/** By name; of two packages with a type of one name, the later counts. */
const types = new Map(PACKAGES.flatMap((directory) => [...parsePackage(directory)]));
for (const [name, alias] of Object.entries(EXTERNAL)) types.set(name, { alias });
const reached = new Set();
const queue = [...ROOTS];
for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
  if (reached.has(name)) continue;
  reached.add(name);
  const type = types.get(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  const next = 'alias' in type ? [type.alias] : type.fields.map((field) => field.type);
  queue.push(...next.flatMap(referred));
}

/** Fields that v0.37.2 adds; api-server.ts has the releases. */
const LATER_FIELDS = {
  GRPCAction: 'mode *GRPCProbeMode',
  HTTPGetAction: 'protocol *HTTPProtocol',
};

/** Structs with the fields of an earlier one, which they are embedded as. */
const SAME = { EphemeralContainerCommon: 'Container' };

function writeStruct(name) {
  const { fields } = types.get(name);
  const same = SAME[name];
  if (same !== undefined) {
    if (JSON.stringify(types.get(same).fields) !== JSON.stringify(fields)) {
      throw new Error(`${name} is not like ${same}`);
    }
    return `${name} = ${same}`;
  }
  const members = fields.map(({ inline, jsonName, type, omitEmpty }) =>
    inline ? type : `${jsonName} ${type}${omitEmpty ? '' : '!'}`,
  );
  if (LATER_FIELDS[name] !== undefined) members.push(LATER_FIELDS[name]);
  const lines = [`${name}:`];
  for (const [index, member] of members.entries()) {
    const text = index < members.length - 1 ? `${member},` : member;
    if (lines.at(-1).length + text.length < PRINT_WIDTH) lines.push(`${lines.pop()} ${text}`);
    else lines.push(`  ${text}`);
  }
  return lines.join('\n');
}

const names = [...reached].sort();
const structs = names.filter((name) => 'fields' in types.get(name));
// The decoder takes a named type that the tables lack for a string.
const aliases = names.filter((name) => (types.get(name).alias ?? 'string') !== 'string');
writeFileSync(
  new URL('../src/api/schema/tables.ts', import.meta.url),
  `/* eslint-disable max-lines -- data */
// Written by scripts/generate-schema.mjs.

/**
 * The types of core/v1, meta/v1, apps/v1 and batch/v1 that a pod or a workload is made of, as of k8s.io/api v0.36.3,
 * with the fields of v0.37.2 that kprobe knows: the fields of a Go struct by their JSON names, with \`!\` after a type that has no omitempty. A type without a name
 * is a struct whose fields are inlined. Named types that are not here are strings.
 */
export const API_TABLES = \`
${[...structs.map(writeStruct), ...aliases.map((name) => `${name} = ${types.get(name).alias}`)].join('\n')}
\`;
`,
);
