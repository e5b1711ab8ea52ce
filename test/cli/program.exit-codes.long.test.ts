import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isOfBusyMachine } from '../helpers/example.js';
import { freePort } from '../helpers/free-port.js';
import { inProcess } from '../helpers/in-process.js';
import { ended, kprobe, ROOT } from '../helpers/kprobe.js';
import {
  clusterPod,
  startWatchedCluster,
  type WatchedCluster,
} from '../helpers/watched-cluster.js';

const GOOD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: app, image: "example.com/web:1.4"}
`;
const PROBED = GOOD.replace('1.4"', '1.4", startupProbe: {tcpSocket: {port: 1}}');
const FILES = {
  'good.yaml': GOOD,
  'probed.yaml': PROBED,
  'changed.yaml': GOOD.replace('1.4', '1.5'),
  'rejected.yaml': GOOD.replace('name: app', 'name: APP'),
  'warned.yaml': PROBED.replace(
    'name: web',
    'name: web, annotations: {"container.apparmor.security.beta.kubernetes.io/app": unconfined}',
  ),
  'tab.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n',
  'deploy.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, image: "web:1", readinessProbe: {tcpSocket: {port: 1}}}]}}}\n',
  'compose.yaml': 'services: {web: {image: "web:1", healthcheck: {test: [CMD, a]}}}\n',
  'unknown.yaml':
    'name: unknown\nuntil: 30s\npod: {spec: {containers: [{name: app, image: a, readinessProbe: {exec: {command: [a]}}}]}}\ncontainers: {app: {runs: [{exec: {a: [{error: no shell}]}}]}}\n',
  'never.yaml': GOOD.replace('spec:', 'spec:\n  restartPolicy: Never'),
  'run.ndjson': readFileSync(join(ROOT, 'examples/record-replay/run.ndjson')),
};
/** A server that starts as often as its second argument says, and is then broken. */
const SERVER = `const { appendFileSync, readFileSync } = require('node:fs');
const [port, starts] = process.argv.slice(2);
appendFileSync(port, 'x');
if (readFileSync(port).length > Number(starts)) process.exit(5);
require('node:http').createServer((_, response) => response.end()).listen(Number(port), '127.0.0.1');
`;
const SET = '--set app.livenessProbe.timeoutSeconds=3';

/** No engine. */
const ENV = { DOCKER_HOST: 'unix:///no/engine' };

let folder = '';
let clusters: readonly WatchedCluster[] = [];

afterAll(() => {
  for (const cluster of clusters) cluster.close();
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-exit-codes-'));
  const files = { ...FILES, 'server.cjs': SERVER };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const pods = [clusterPod('web'), clusterPod('sick', { ready: false })];
  clusters = [await startWatchedCluster({ pods }), await startWatchedCluster({})];
  const names = ['web', 'empty'];
  const config = {
    'current-context': 'web',
    contexts: names.map((name) => ({ name, context: { cluster: name } })),
    clusters: clusters.map(({ url }, index) => ({ name: names[index], cluster: { server: url } })),
  };
  writeFileSync(join(folder, 'cluster.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'docker'), '#!/bin/sh\ntouch "$0.started"\nexec sleep 60\n');
  chmodSync(join(folder, 'docker'), 0o755);
  for (const [name, readyAfter] of [
    ['calm', '1s'],
    ['silent', '9m'],
  ] as const) {
    const flags = ['--for', '1m', '--ready-after', `app.startup=${readyAfter}`, '--trace', name];
    await inProcess(['simulate', 'probed.yaml', ...flags], { cwd: folder });
  }
  const { stdout } = await inProcess(['simulate', 'unknown.yaml', '-o', 'json'], { cwd: folder });
  writeFileSync(join(folder, 'unknown.ndjson'), stdout);
});

type Outcome = 'success' | 'failure' | 'undetermined' | 'unreadable' | 'usage' | 'interrupted';

/** Streams with output: results and findings go to stdout, errors to stderr. */
type Streams = 'stdout' | 'stderr' | 'both' | 'none';

/** Command lines for each command and outcome. */
const ROWS: readonly (readonly [
  command: string,
  outcome: Outcome,
  line: string,
  streams: Streams,
])[] = [
  ['run', 'success', 'run good.yaml --until ready', 'stdout'],
  ['run', 'failure', 'run good.yaml --until ready -- /none', 'stdout'],
  ['run', 'undetermined', 'run good.yaml --docker web', 'stderr'],
  ['run', 'unreadable', 'run rejected.yaml', 'stderr'],
  ['run', 'usage', 'run good.yaml --none', 'stderr'],
  ['watch', 'success', 'watch --kubeconfig cluster.json web --until ready', 'stdout'],
  ['watch', 'failure', 'watch --kubeconfig cluster.json sick --for 5s', 'stdout'],
  ['watch', 'undetermined', 'watch --kubeconfig cluster.json --context empty --for 5s', 'stdout'],
  ['watch', 'unreadable', 'watch --kubeconfig cluster.json none', 'stderr'],
  ['watch', 'usage', 'watch --none', 'stderr'],
  ['once', 'success', 'once --exec -- true', 'stdout'],
  ['once', 'failure', 'once --tcp :1', 'stdout'],
  ['once', 'undetermined', 'once --exec -- /none', 'stdout'],
  ['once', 'unreadable', 'once rejected.yaml', 'stderr'],
  ['once', 'usage', 'once --tcp', 'stderr'],
  ['replay', 'success', 'replay calm/default_web.ndjson', 'stdout'],
  ['replay', 'failure', 'replay run.ndjson', 'stdout'],
  ['replay', 'undetermined', 'replay unknown.ndjson', 'stdout'],
  ['replay', 'unreadable', 'replay tab.yaml', 'stderr'],
  ['replay', 'usage', 'replay', 'stderr'],
  [
    'replay --set',
    'success',
    `replay calm/default_web.ndjson --set app.startupProbe.periodSeconds=2`,
    'stdout',
  ],
  ['replay --set', 'failure', `replay run.ndjson ${SET}`, 'stdout'],
  ['replay --set', 'unreadable', `replay tab.yaml ${SET}`, 'stderr'],
  [
    'replay --set',
    'undetermined',
    'replay unknown.ndjson --set app.readinessProbe.periodSeconds=2',
    'stdout',
  ],
  ['replay --set', 'usage', 'replay run.ndjson --set app.none=1', 'stderr'],
  ['simulate', 'success', 'simulate good.yaml --for 1m', 'stdout'],
  ['simulate', 'failure', 'simulate good.yaml --for 1m --dies-after 5s', 'stdout'],
  ['simulate', 'undetermined', 'simulate unknown.yaml', 'stdout'],
  ['simulate', 'unreadable', 'simulate rejected.yaml', 'stderr'],
  ['simulate', 'usage', 'simulate good.yaml --for 1', 'stderr'],
  ['simulate --runs', 'success', 'simulate good.yaml --for 1m --runs 2', 'stdout'],
  [
    'simulate --runs',
    'failure',
    'simulate probed.yaml --for 1m --runs 2 --ready-after app.startup=2m',
    'stdout',
  ],
  ['simulate --runs', 'unreadable', 'simulate missing.yaml --runs 2', 'stderr'],
  ['simulate --runs', 'usage', 'simulate good.yaml --runs 0', 'stderr'],
  ['suggest', 'success', 'suggest run.ndjson', 'stdout'],
  ['suggest', 'undetermined', 'suggest silent/default_web.ndjson', 'stdout'],
  ['suggest', 'unreadable', 'suggest tab.yaml', 'stderr'],
  ['suggest', 'usage', 'suggest', 'stderr'],
  ['validate', 'success', 'validate good.yaml', 'stdout'],
  ['validate', 'failure', 'validate rejected.yaml', 'stdout'],
  ['validate', 'unreadable', 'validate missing.yaml', 'stderr'],
  ['validate', 'unreadable', 'validate tab.yaml', 'stdout'],
  ['validate', 'unreadable', 'validate good.yaml missing.yaml', 'both'],
  ['validate', 'usage', 'validate', 'stderr'],
  ['lint', 'success', 'lint good.yaml', 'stdout'],
  ['lint', 'failure', 'lint rejected.yaml', 'stdout'],
  ['lint', 'unreadable', 'lint missing.yaml', 'stderr'],
  ['lint', 'unreadable', 'lint tab.yaml', 'stdout'],
  ['lint', 'unreadable', 'lint good.yaml missing.yaml', 'both'],
  ['lint', 'usage', 'lint', 'stderr'],
  ['explain', 'success', 'explain good.yaml', 'stdout'],
  ['explain', 'unreadable', 'explain rejected.yaml', 'stderr'],
  ['explain', 'usage', 'explain good.yaml -c none', 'stderr'],
  ['diff', 'success', 'diff good.yaml good.yaml', 'stdout'],
  ['diff', 'failure', 'diff good.yaml changed.yaml', 'stdout'],
  ['diff', 'unreadable', 'diff good.yaml rejected.yaml', 'stderr'],
  ['diff', 'usage', 'diff good.yaml', 'stderr'],
  ['ci', 'success', 'ci good.yaml -- sleep 60', 'stdout'],
  ['ci', 'failure', 'ci good.yaml -- /none', 'stdout'],
  ['ci', 'undetermined', 'ci good.yaml --create', 'stderr'],
  ['ci', 'unreadable', 'ci rejected.yaml -- true', 'stderr'],
  ['ci', 'usage', 'ci good.yaml', 'stderr'],
  ['demo', 'success', 'demo crash', 'stdout'],
  ['demo', 'usage', 'demo none', 'stderr'],
  ['init', 'success', 'init - --starts 1 -- node server.cjs PORT 9', 'both'],
  ['init', 'failure', 'init --from never.yaml --starts 1 -- node server.cjs PORT 2', 'both'],
  ['init', 'undetermined', 'init -- true', 'stderr'],
  ['init', 'unreadable', 'init --from missing.yaml -- true', 'stderr'],
  ['init', 'usage', 'init', 'stderr'],
  ['import', 'success', 'import compose.yaml', 'stdout'],
  ['import', 'undetermined', 'import --docker web', 'stderr'],
  ['import', 'unreadable', 'import tab.yaml', 'stderr'],
  ['import', 'usage', 'import', 'stderr'],
  ['down', 'undetermined', 'down', 'stderr'],
  ['down', 'usage', 'down web', 'stderr'],
  ['rollout', 'success', 'rollout deploy.yaml', 'stdout'],
  ['rollout', 'failure', 'rollout deploy.yaml --ready-after 20m', 'stdout'],
  ['rollout', 'unreadable', 'rollout good.yaml', 'stderr'],
  ['rollout', 'usage', 'rollout deploy.yaml --replicas some', 'stderr'],
  ['mcp', 'success', 'mcp', 'none'],
  ['mcp', 'usage', 'mcp --none', 'stderr'],
  ['doctor', 'success', 'doctor', 'stdout'],
  ['doctor', 'usage', 'doctor --none', 'stderr'],
  ['version', 'success', 'version', 'stdout'],
  ['version', 'usage', 'version --none', 'stderr'],
  ['completion', 'success', 'completion bash', 'stdout'],
  ['completion', 'usage', 'completion', 'stderr'],
];

/** Command lines that run until they are interrupted. */
const ENDLESS: readonly (readonly [command: string, line: string])[] = [
  ['run', 'run good.yaml --until restarted'],
  ['watch', 'watch --kubeconfig cluster.json'],
  ['once', 'once --tcp :1 --until-success'],
  ['replay', 'replay -'],
  ['replay --set', `replay - ${SET}`],
  ['simulate', 'simulate -'],
  ['simulate --runs', 'simulate good.yaml --runs 100000 -q'],
  ['suggest', 'suggest -'],
  ['validate', 'validate -'],
  ['lint', 'lint -'],
  ['explain', 'explain -'],
  ['diff', 'diff good.yaml -'],
  ['ci', 'ci good.yaml -- sleep 60'],
  ['demo', 'demo not-ready'],
  ['init', 'init -- sleep 60'],
  ['import', 'import -'],
  ['down', 'down'],
  ['rollout', 'rollout -'],
  ['mcp', 'mcp'],
  ['doctor', 'doctor'],
];

/** Outcomes that need an engine or a broken machine. */
const TRIED_ELSEWHERE = ['down success', 'doctor failure', 'demo failure'];

/** The first table of docs/output.md: the exit code of each command and outcome. */
const [, EXIT_CODES = ''] = readFileSync(join(ROOT, 'docs/output.md'), 'utf8').split(/^## /m);
const table = new Map(
  [...EXIT_CODES.matchAll(/^\| `((?!kprobe)[^`]+)` \|(.*)\|$/gm)].map(
    ([, command = '', cells = '']) => [command, cells.split('|').map((cell) => parseInt(cell))],
  ),
);
const OUTCOMES = ['success', 'failure', 'undetermined', 'unreadable', 'usage', 'interrupted'];

function documented(command: string, outcome: Outcome): number | undefined {
  return table.get(command)?.[OUTCOMES.indexOf(outcome)];
}

describe.concurrent('exit codes and streams', () => {
  it.each(ROWS)('kprobe %s ends with %s: kprobe %s', async (command, outcome, line, streams) => {
    const words = line.replace('PORT', String(await freePort())).split(' ');
    const { code, stdout, stderr } = await kprobe(words, { cwd: folder, env: ENV });
    // A machine that takes seconds for it prints how long it takes.
    const errors = stderr.split('\n').filter((each) => each !== '' && !isOfBusyMachine(each));
    expect({ code, stdout: stdout !== '', stderr: errors.length > 0 }).toEqual({
      code: documented(command, outcome),
      stdout: streams === 'stdout' || streams === 'both',
      stderr: streams === 'stderr' || streams === 'both',
    });
  });

  it.each(ENDLESS)('kprobe %s ends when interrupted: kprobe %s', async (command, line) => {
    const child = startEndless(line);
    await handlesInterrupts(child);
    child.kill('SIGINT');
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({ code: documented(command, 'interrupted'), stderr: '' });
  });

  it('are documented for exactly these outcomes', () => {
    const tried = new Set([
      ...ROWS.map(([command, outcome]) => `${command} ${outcome}`),
      ...ENDLESS.map(([command]) => `${command} interrupted`),
    ]);
    const listed = [...table].flatMap(([command, codes]) =>
      OUTCOMES.filter((_, index) => !Number.isNaN(codes[index])).map(
        (each) => `${command} ${each}`,
      ),
    );
    expect(listed.filter((each) => !TRIED_ELSEWHERE.includes(each)).toSorted()).toEqual(
      [...tried].toSorted(),
    );
  });
});

/** Waits until kprobe handles signals, and half a second more, so that it is at work. */
async function handlesInterrupts({ pid }: ChildProcess): Promise<void> {
  const deadline = Date.now() + 120_000;
  const status = `/proc/${pid}/status`;
  const caught = (): number =>
    existsSync(status)
      ? parseInt(/SigCgt:\s*\w*(\w{2})/.exec(readFileSync(status, 'utf8'))?.[1] ?? '', 16)
      : 0;
  while ((caught() & SIGHUP_BIT) === 0 && Date.now() < deadline) await setTimeout(50);
  await setTimeout(500);
}

/** Node catches SIGINT itself; SIGHUP is the last signal that kprobe listens for. */
const SIGHUP_BIT = 1 << (constants.signals.SIGHUP - 1);

/** Starts kprobe with an open standard input and a docker that never answers. */
function startEndless(line: string): ChildProcess {
  const env = { ...process.env, ...ENV, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return spawn(process.execPath, [join(ROOT, 'bin/kprobe.js'), ...line.split(' ')], {
    cwd: folder,
    env,
    stdio: 'pipe',
  });
}

describe('--quiet', () => {
  it.each([
    ['run good.yaml --until ready', 0],
    ['run good.yaml --until ready -o json -- /none', 1],
    ['once --tcp :1', 1],
    ['once --tcp :1 --until-success --timeout 1s', 124],
    ['replay run.ndjson', 1],
    [`replay run.ndjson ${SET} --with-secrets`, 1],
    ['simulate good.yaml --for 1m', 0],
    ['simulate warned.yaml --for 1m --runs 2', 0],
    ['validate rejected.yaml', 1],
    ['validate rejected.yaml -o sarif', 1],
    ['lint .', 2],
    ['lint rejected.yaml', 1],
    ['diff good.yaml changed.yaml', 1],
  ])('kprobe %s -q prints nothing, with exit code %i', async (line, code) => {
    const [own = '', command] = line.split(' -- ');
    const args = [...own.split(' '), '-q', ...(command === undefined ? [] : ['--', command])];
    const end = await inProcess(args, { cwd: folder });
    expect(end).toMatchObject({ code, stdout: '', stderr: '' });
  });

  it.each(['run rejected.yaml', 'lint missing.yaml', 'simulate --for 1', 'validate'])(
    'kprobe %s -q prints the error',
    async (line) => {
      const { code, stdout, stderr } = await inProcess([...line.split(' '), '-q'], { cwd: folder });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toBe('');
    },
  );
});

describe('--filename', () => {
  it.each([
    'run --for 1s -o yaml',
    'once --probe startup -o json',
    'simulate --for 1m',
    'validate -o ndjson',
    'lint -o json',
    'explain',
    'import',
  ])('kprobe %s -f FILE -f - reads both, as its arguments', async (line) => {
    const args = line.split(' ');
    const [file, input] =
      line === 'import'
        ? ['compose.yaml', FILES['compose.yaml'].replace('web:', 'other:')]
        : ['probed.yaml', PROBED.replace('name: web', 'name: other')];
    const options = { cwd: folder, input };
    const [asFlags, asArguments] = await Promise.all([
      inProcess([...args, '-f', file, '-f', '-'], options),
      inProcess([...args, file, '-'], options),
    ]);
    expect(asFlags.stdout).toContain(line.startsWith('lint') ? '<stdin>' : 'other');
    expect(asFlags.code).toBe(asArguments.code);
    expect(timeless(asFlags.stdout)).toBe(timeless(asArguments.stdout));
  });
});

function timeless(text: string): string {
  return text.replaceAll(/\d[\d.:TZ-]*/g, '0').replaceAll(/uid: .*/g, '');
}
