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
  GRPCProbeMode: ['Plaintext', 'TLS'],
  HTTPProtocol: ['HTTP1', 'HTTP2'],
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

/** Fields that kprobe decodes and never reads, by their struct. A struct that is not read at all is an `object`. */
const UNREAD = {
  AWSElasticBlockStoreVolumeSource: 'volumeID fsType readOnly',
  AzureDiskVolumeSource: 'diskName fsType readOnly',
  AzureFileVolumeSource: 'secretName shareName readOnly',
  CSIVolumeSource: 'readOnly fsType volumeAttributes',
  CephFSVolumeSource: 'path user secretFile secretRef readOnly',
  CinderVolumeSource: 'volumeID fsType readOnly',
  ConfigMap: 'immutable',
  ConfigMapVolumeSource: 'defaultUser',
  ContainerStatus: 'allocatedResourcesStatus user stopSignal',
  CronJob: 'status',
  CronJobSpec: 'suspend',
  DaemonSet: 'status',
  Deployment: 'status',
  DownwardAPIVolumeFile: 'user',
  DownwardAPIVolumeSource: 'defaultUser',
  EmptyDirVolumeSource: 'mode',
  FCVolumeSource: 'fsType readOnly',
  FlexVolumeSource: 'driver fsType secretRef readOnly',
  GCEPersistentDiskVolumeSource: 'pdName fsType readOnly',
  GitRepoVolumeSource: 'repository revision',
  GlusterfsVolumeSource: 'endpoints path readOnly',
  ISCSIVolumeSource: 'iscsiInterface fsType readOnly portals',
  Job: 'status',
  KeyToPath: 'user',
  ManagedFieldsEntry: 'apiVersion time fieldsV1',
  NFSVolumeSource: 'readOnly',
  OwnerReference: 'blockOwnerDeletion',
  PersistentVolumeClaim: 'status',
  PersistentVolumeClaimSpec: 'volumeName',
  PhotonPersistentDiskVolumeSource: 'pdID fsType',
  PodCertificateProjection: 'user',
  PodSpec: 'schedulingGroup evictionResponders',
  PodStatus:
    'observedGeneration phase message reason hostIP podIP startTime qosClass nominatedNodeName ephemeralContainerStatuses resize resourceClaimStatuses extendedResourceClaimStatus allocatedResources resources nodeAllocatableResourceClaimStatuses',
  PortworxVolumeSource: 'volumeID fsType readOnly',
  ProjectedVolumeSource: 'defaultUser',
  QuobyteVolumeSource: 'readOnly user group',
  RBDVolumeSource: 'fsType pool user keyring secretRef readOnly',
  ReplicaSet: 'status',
  ReplicationController: 'status',
  SELinuxOptions: 'user role type level',
  ScaleIOVolumeSource:
    'gateway system secretRef sslEnabled protectionDomain storagePool storageMode volumeName fsType readOnly',
  Secret: 'immutable type',
  SecretVolumeSource: 'defaultUser',
  ServiceAccountTokenProjection: 'audience user',
  StatefulSet: 'status',
  StorageOSVolumeSource: 'fsType readOnly',
  VolumeMount: 'bindMountOptions',
  VolumeMountStatus: 'volumeStatus',
  VsphereVirtualDiskVolumeSource: 'volumePath fsType storagePolicyName storagePolicyID',
};
const unreadFields = (name) => UNREAD[name]?.split(' ') ?? [];
const isUnread = (name) => {
  const { '': inlined = '', ...fields } = tables[name];
  return inlined === '' && Object.keys(fields).every((field) => unreadFields(name).includes(field));
};

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
  if (typeof entry === 'object' && isUnread(type)) return 'object';
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
    .filter(([field]) => !unreadFields(name).includes(field))
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
  // Structs with the same fields are declared once.
  const byBody = new Map();
  for (const name of names.filter((each) => written.get(each).startsWith('export interface'))) {
    const body = written.get(name).replace(name, '');
    const first = byBody.get(body) ?? name;
    byBody.set(body, first);
    if (first !== name) written.set(name, `export type ${name} = ${first};`);
  }
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
