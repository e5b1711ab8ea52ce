// Writes src/api/schema/types.ts and scenario-types.ts, the TypeScript types of the structs in tables.ts and
// scenario-tables.ts:
//
//     node scripts/generate-types.mjs [FILE]
//
// With one of the two names, it prints that file and writes nothing. Run it after generate-schema.mjs, or when one of the lists below changes.
import { writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { loadTables } from './load-tables.mjs';

const ENUMS = {
  ConditionStatus: ['True', 'False', 'Unknown'],
  ContainerRestartPolicy: ['Always', 'OnFailure', 'Never'],
  ContainerRestartRuleAction: ['Restart', 'RestartAllContainers'],
  ContainerRestartRuleOnExitCodesOperator: ['In', 'NotIn'],
  DNSPolicy: ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
  Protocol: ['TCP', 'UDP', 'SCTP'],
  PullPolicy: ['Always', 'IfNotPresent', 'Never'],
  RestartPolicy: ['Always', 'OnFailure', 'Never'],
  TerminationMessagePolicy: ['File', 'FallbackToLogsOnError'],
  URIScheme: ['HTTP', 'HTTPS'],
};

/** Fields with omitempty that defaulting or validation guarantees. */
const GUARANTEED = {
  Container: ['image'],
  ContainerRestartRule: ['action'],
  ContainerRestartRuleOnExitCodes: ['operator'],
  LocalObjectReference: ['name'],
  PodSpec: ['containers', 'restartPolicy'],
  Probe: [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ],
  SecretVolumeSource: ['secretName'],
};

/** Fields that kprobe decodes and never reads. */
const UNREAD = [
  /^(?!Pod\.)\w+\.status \w+Status$/,
  /^ContainerStatus\.(?:allocatedResourcesStatus|user|stopSignal) /,
  /^PodStatus\.\w*(?:ClaimStatus|ClaimStatuses) /,
  /^VolumeMountStatus\.volumeStatus /,
];

const ROOTS =
  'Pod PodTemplate ReplicationController ConfigMap Secret Deployment StatefulSet DaemonSet ReplicaSet Job CronJob';
const SCALARS = {
  string: 'string',
  bool: 'boolean',
  int: 'number',
  int32: 'number',
  int64: 'number',
  IntOrString: 'IntOrString',
  FieldsV1: 'unknown',
  RawExtension: 'unknown',
};

const [printed] = process.argv.slice(2);
const tables = loadTables();
/** Types that are written, by name. */
const written = new Map();

function typeOf(goType, required) {
  const type = goType.replace(/^\*|!$/g, '');
  if (type === '[]byte') return 'string';
  if (type.startsWith('[]')) {
    const item = typeOf(type.slice(2), required);
    return `readonly ${item.includes(' ') ? `(${item})` : item}[]`;
  }
  const values = /^map\[\w+\](.+)$/.exec(type)?.[1];
  if (values !== undefined) return `Readonly<Record<string, ${typeOf(values, required)}>>`;
  if (type in ENUMS) return type;
  const entry = tables[type];
  if (entry === undefined) return SCALARS[type] ?? 'string';
  if (typeof entry === 'string' && !(entry in tables)) return typeOf(entry, required);
  required.push(type);
  return type;
}

function write(name) {
  if (written.has(name)) return;
  written.set(name, '');
  const needed = [];
  written.set(name, declaration(name, needed));
  needed.forEach(write);
}

function declaration(name, needed) {
  const entry = tables[name];
  if (typeof entry === 'string') return `export type ${name} = ${typeOf(entry, needed)};`;
  const { '': inlined = '', ...fields } = entry;
  const bases = inlined.split(' ').filter((base) => base !== '');
  needed.push(...bases);
  const members = Object.entries(fields)
    .filter(([field, type]) => !UNREAD.some((each) => each.test(`${name}.${field} ${type}`)))
    .map(([field, type]) => {
      const always = type.endsWith('!') && !/^(?:\*|\[\])/.test(type);
      const isRequired = always || GUARANTEED[name]?.includes(field);
      return `readonly ${field}${isRequired ? '' : '?'}: ${typeOf(type, needed)};`;
    });
  const head = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`;
  const line = `export type ${name} = ${bases.map((base) => `${base} & `).join('')}{ ${members.join(' ').replace(/;$/, '')} };`;
  return line.length <= 100 ? line : `export interface ${name}${head} { ${members.join(' ')} }`;
}

/** Writes the types that are reached from these, without those of an earlier file. */
async function writeFile(file, roots, head) {
  const earlier = new Set(written.keys());
  roots.split(' ').forEach(write);
  const names = [...written.keys()].filter((name) => !earlier.has(name)).sort();
  const rules = names.length > 100 ? '/* eslint-disable max-lines -- data */\n' : '';
  const text = `${rules}// Written by scripts/generate-types.mjs.

${head}
${names.map((name) => written.get(name)).join('\n')}
`;
  const target = new URL(`../src/api/schema/${file}`, import.meta.url);
  const options = await resolveConfig(target);
  const formatted = await format(text, { ...options, parser: 'typescript' });
  if (printed === undefined) writeFileSync(target, formatted);
  else if (printed === file) process.stdout.write(formatted);
}

const enums = Object.entries(ENUMS).map(
  ([name, values]) => `export type ${name} = ${values.map((value) => `'${value}'`).join(' | ')};`,
);
await writeFile(
  'types.ts',
  ROOTS,
  `/** The types of k8s.io/api as a server stores them: with defaults, and valid. Times are texts. */

export type IntOrString = number | string;
${enums.join('\n')}`,
);
await writeFile(
  'scenario-types.ts',
  'Scenario',
  `import type { Pod } from './types.js';

/** The types of a scenario file. */
`,
);
