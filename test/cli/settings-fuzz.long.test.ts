import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';

import { expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { ROOT } from '../helpers/kprobe.js';
import { fc, RUNS_FACTOR, SEED } from '../helpers/property.js';
import { expectNoRawBytes } from '../helpers/raw-bytes.js';
import { mutations } from '../manifest/fuzz/mutations.js';

/** Of each kind of file. */
const RUNS = 10 * RUNS_FACTOR;
/** Milliseconds of CPU time that one input may take. */
const LONGEST = 2000;

const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
writeFileSync(
  join(folder, 'pod.yaml'),
  'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: a}]}\n',
);

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters:
- name: home
  cluster: {server: "https://127.0.0.1:1", insecure-skip-tls-verify: true}
users:
- name: me
  user: {token: abc, exec: {apiVersion: client.authentication.k8s.io/v1, command: "true", env: [{name: A, value: b}]}}
contexts:
- name: here
  context: {cluster: home, user: me, namespace: default}
current-context: here
`;
const CONFIG = `defaults: {color: never, exclude: [charts/, "*.tmpl.yaml"]}
commands: {lint: {fail-on: warning}, run: {timeout: 2m}}
start: {web/app: node server.js}
rules: {late-ready: warning, latest-image: off}
overrides: [{paths: ["charts/{web,api}/**"], rules: {"*": off}}]
`;
const SCENARIO = readFileSync(join(ROOT, 'examples/simulate-scenario/scenario.yaml'), 'utf8');
const COMPOSE = `services:
  web:
    image: nginx:1.27
    environment: {PORT: "80", TOKEN: "x"}
    ports: ["8080:80"]
    healthcheck: {test: [CMD, curl, -f, "http://localhost/"], interval: 1m30s, timeout: 10s, retries: 3}
    depends_on: {db: {condition: service_healthy}}
  db:
    image: postgres:17
    healthcheck: {test: pg_isready -U app, start_period: 5s}
`;

it.each([
  // The missing context ends the command before it connects or runs the plugin.
  ['kubeconfig', KUBECONFIG, ['once', '--kube', 'pod/web', '--context', 'none', '--kubeconfig']],
  ['.kprobe.yaml', CONFIG, ['lint', 'pod.yaml', '--config']],
  ['scenario.yaml', SCENARIO, ['simulate']],
  ['compose.yaml', COMPOSE, ['import']],
])(`a mutated %s is used or refused in clean text (seed ${SEED})`, async (name, text, command) => {
  const path = join(folder, name);
  const property = fc.asyncProperty(mutations, async (mutate) => {
    writeFileSync(path, mutate(text));
    const before = cpuUsage();
    const end = await inProcess([...command, path], { cwd: folder });
    const { user, system } = cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(LONGEST);
    expect(end.code).toBeLessThanOrEqual(3);
    expectNoRawBytes('standard output', end.stdout);
    expectNoRawBytes('standard error', end.stderr);
    expect(end.stderr).not.toMatch(/\bundefined\b|\[object /);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
