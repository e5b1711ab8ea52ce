import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { ROOT } from '../helpers/kprobe.js';

/** Schemas of files that kprobe reads; the others are for outputs. */
const INPUTS = ['ci-baseline.schema.json', 'config.schema.json', 'scenario.schema.json'];
const names = readdirSync(join(ROOT, 'schemas')).filter((name) => !INPUTS.includes(name));
const schemas = names.map(
  (name) =>
    JSON.parse(readFileSync(join(ROOT, 'schemas', name), 'utf8')) as { readonly $id: string },
);
const ajv = new Ajv2020({ schemas, allErrors: true, allowUnionTypes: true });

const FILES = {
  'good.yaml': pod('startupProbe: {tcpSocket: {port: 80}}, livenessProbe: {tcpSocket: {port: 80}}'),
  'init.yaml': pod('livenessProbe: {httpGet: {port: 80, path: /x}}').concat(
    '  initContainers:\n  - {name: proxy, image: p:1, restartPolicy: Always}\n  - {name: setup, image: s:1}\n',
  ),
  'job.yaml': pod('livenessProbe: {exec: {command: [a]}}').concat('  restartPolicy: Never\n'),
  'latest.yaml': pod('image: example.com/web'),
  'port.yaml': pod(
    'ports: [{name: http, containerPort: 80}], readinessProbe: {tcpSocket: {port: htttp}}',
  ),
  'rejected.yaml': pod('livenessProbe: {periodSeconds: -1}'),
  'unknown.yaml': pod('livenesProbe: 1'),
  'tab.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n',
  'list.yaml':
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {apiVersion: v1, kind: Pod, metadata: {name: A}}\n',
  'empty.yaml': '',
  'web.yaml': workload('Deployment', 'replicas: 2'),
  'workloads.yaml': [
    workload('Deployment', 'replicas: 2', 'strategy: {rollingUpdate: {maxSurge: 1}}'),
    workload('Deployment', 'paused: true', 'strategy: {type: Recreate}'),
    workload('StatefulSet', 'replicas: 31', 'podManagementPolicy: Parallel'),
    workload('DaemonSet', 'minReadySeconds: 1'),
  ].join('---\n'),
  'rollout.yaml':
    'apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, image: b:1}]}}}\n',
};

function pod(fields: string): string {
  const image = fields.startsWith('image') ? '' : 'image: example.com/web:1.4, ';
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: app, ${image}${fields}}\n`;
}

function workload(kind: string, ...fields: readonly string[]): string {
  const probes = 'readinessProbe: {tcpSocket: {port: 80}}, livenessProbe: {tcpSocket: {port: 80}}';
  const template = `template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, image: b:1, ${probes}}]}}`;
  const spec = ['selector: {matchLabels: {a: b}}', template, ...fields].join(', ');
  return `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: web}\nspec: {${spec}}\n`;
}

const RECORDED = join(ROOT, 'examples/record-replay/run.ndjson');
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-json-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  await inProcess(
    [
      ...['simulate', 'init.yaml', '--ready-after', 'app=5s', '--fail-rate', 'app=20%'],
      ...['--dies-after', 'app=100s', '--seed', '3', '--trace', '.'],
    ],
    { cwd: folder },
  );
});

/** Command lines with the schema of their output, and the exit code. */
const ROWS: readonly (readonly [line: string, schema: string, code: number])[] = [
  ['lint -o json good.yaml', 'lint', 0],
  ['lint -o json latest.yaml port.yaml rejected.yaml', 'lint', 1],
  ['lint -o json tab.yaml missing.yaml', 'lint', 2],
  ['lint -o json empty.yaml', 'lint', 2],
  ['lint -o ndjson latest.yaml port.yaml rejected.yaml', 'lint-line', 1],
  ['lint -o ndjson tab.yaml latest.yaml', 'lint-line', 2],
  ['validate -o json good.yaml', 'validate', 0],
  ['validate -o json list.yaml rejected.yaml unknown.yaml rollout.yaml', 'validate', 1],
  ['validate -o json tab.yaml missing.yaml', 'validate', 2],
  ['validate -o ndjson good.yaml job.yaml', 'validate-line', 0],
  ['validate -o ndjson list.yaml rejected.yaml unknown.yaml rollout.yaml', 'validate-line', 1],
  ['validate -o ndjson tab.yaml empty.yaml', 'validate-line', 2],
  ['explain -o json good.yaml', 'explain', 0],
  ['explain -o json init.yaml job.yaml', 'explain', 0],
  ['explain -o json workloads.yaml', 'explain', 0],
  [`suggest -o json ${RECORDED}`, 'suggest', 0],
  ['suggest -o json default_web.ndjson', 'suggest', 0],
  [`replay --set app.livenessProbe.timeoutSeconds=3 -o json ${RECORDED}`, 'replay-set', 1],
  ['replay --set app.livenessProbe.periodSeconds=0 -o json default_web.ndjson', 'replay-set', 1],
  ['replay --set app.startupProbe=livenessProbe -o json default_web.ndjson', 'replay-set', 1],
  ['simulate --runs 3 --for 1m -o json good.yaml', 'simulate-runs', 0],
  [
    'simulate --runs 3 --for 1m --ready-after app.startup=10m -o json good.yaml',
    'simulate-runs',
    1,
  ],
  ['simulate --runs 3 --for 1m --dies-after app=3s -o json job.yaml', 'simulate-runs', 1],
  [
    'rollout --rate 100/s --drain node-1@2s --restart --fail-rate 20% --seed 2 --for 1m -o json web.yaml',
    'rollout-line',
    1,
  ],
  [
    'rollout --outage db=5s..30s --depends liveness:db --outage cache=40s.. --depends readiness:cache --for 90s -o json web.yaml',
    'rollout-line',
    1,
  ],
  ['rollout --ready-after 1h --for 11m -o json web.yaml', 'rollout-line', 1],
  ['rollout --runs 2 --rate 100/s -o json web.yaml', 'rollout-runs', 1],
  ['rollout --runs 2 --ready-after 1h --for 10s -o json web.yaml', 'rollout-runs', 1],
];

/** Command lines whose output has diagnoses. */
const DIAGNOSED = [
  `replay -o json ${RECORDED}`,
  'once -o json --http 127.0.0.1:1/x',
  'once -o json good.yaml',
];

/** Returns the diagnoses of a line of a trace, or of a single attempt. */
function parsedDiagnoses(line: string): readonly unknown[] {
  const { diagnoses, diagnosis } = JSON.parse(line) as {
    readonly diagnoses?: readonly unknown[];
    readonly diagnosis?: unknown;
  };
  return diagnoses ?? (diagnosis === undefined ? [] : [diagnosis]);
}

describe.concurrent('JSON outputs', () => {
  it.each(ROWS)('kprobe %s matches the schema %s, with exit code %i', async (...row) => {
    const [line, name, code] = row;
    const end = await inProcess(line.split(' '), { cwd: folder });
    expect(end.code).toBe(code);
    const isLines = name.endsWith('-line');
    const texts = isLines ? end.stdout.trimEnd().split('\n') : [end.stdout];
    const validate = ajv.getSchema(idOf(name));
    for (const text of texts) {
      expect(validate?.(JSON.parse(text)) === true ? [] : validate?.errors).toEqual([]);
    }
  });

  it.each(DIAGNOSED)('the diagnoses of kprobe %s match their schema', async (line) => {
    const { stdout } = await inProcess(line.split(' '), { cwd: folder });
    const lines = stdout.trimEnd().split('\n').map(parsedDiagnoses);
    expect(lines.flat()).not.toEqual([]);
    const validate = ajv.getSchema(idOf('diagnosis'));
    for (const diagnosis of lines.flat()) {
      expect(validate?.(diagnosis) === true ? [] : validate?.errors).toEqual([]);
    }
  });

  it('the schema of diagnoses describes the types of the code', async () => {
    const script = join(ROOT, 'scripts/diagnosis-schema.mjs');
    const { stdout } = await promisify(execFile)('node', [script], { maxBuffer: 1e7 });
    expect(stdout).toBe(readFileSync(join(ROOT, 'schemas/diagnosis.schema.json'), 'utf8'));
  });

  it.each(schemas.map(({ $id }) => $id))('%s is tested above', (id) => {
    expect(['diagnosis', ...ROWS.map(([, name]) => name)].map(idOf)).toContain(id);
  });

  it('have only described fields, except in objects of the Kubernetes API', () => {
    expect(schemas.flatMap(openObjects).toSorted()).toEqual([
      'A ContainerPort of the Kubernetes API, with defaults.',
      'A Probe of the Kubernetes API, with defaults.',
      'A Probe of the Kubernetes API, with defaults.',
      'A finding at a place in a file.',
      'A strategic merge patch; absent when nothing is to change.',
      'The pod spec with its defaults, and its path.',
    ]);
    // A finding is closed where it is referenced.
    const uses = JSON.stringify(schemas).split('#/$defs/finding"').slice(1);
    expect(uses.filter((use) => !use.includes('"unevaluatedProperties":false'))).toEqual([]);
  });
});

/** Returns the descriptions of objects that may have further fields. */
function openObjects(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, description = '' } = schema as { type?: unknown; description?: string };
  const isOpen =
    [type].flat().includes('object') &&
    !('additionalProperties' in schema) &&
    !('unevaluatedProperties' in schema);
  return [...(isOpen ? [description] : []), ...Object.values(schema).flatMap(openObjects)];
}

function idOf(name: string): string {
  return `https://raw.githubusercontent.com/kprobe/kprobe/main/schemas/${name}.schema.json`;
}
