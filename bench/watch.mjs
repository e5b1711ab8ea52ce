// `kprobe watch` of many pods: time to the first verdict, memory, CPU, against an API server that this file plays. The numbers
// of pods are arguments. Each pod has three probes; then a tenth of the pods change every second.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { usageOf } from './timed.mjs';

const SECONDS = 20;
const BIN = join(import.meta.dirname, '../bin/kprobe.js');
const START = '2026-01-01T00:00:00Z';

if (process.argv[2] === 'serve') serve(Number(process.argv[3]));
else await measure(process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 500, 5000]);

async function measure(numbers) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-watch-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  print('| pods | | first verdict | CPU to there | CPU of a second after it | peak memory |');
  print('| --- | --- | --- | --- | --- | --- |');
  for (const pods of numbers) {
    for (const output of ['--plain', '-o json']) await report(pods, output, folder);
  }
  print(`\nload average ${loadavg()[0].toFixed(0)}`);
}

async function report(pods, output, folder) {
  const server = fork(import.meta.filename, ['serve', String(pods)]);
  const [port] = await once(server, 'message');
  const config = join(folder, 'kubeconfig');
  const cluster = { name: 'c', cluster: { server: `http://127.0.0.1:${port}` } };
  const context = { name: 'c', context: { cluster: 'c' } };
  const parts = { clusters: [cluster], contexts: [context], 'current-context': 'c' };
  writeFileSync(config, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...parts }));
  const args = ['watch', '--kubeconfig', config, '--for', `${SECONDS}s`, ...output.split(' ')];
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [first, verdict, memory, cpu] = [0, 0, 0, 0];
  let seen = '';
  child.stdout.on('data', (chunk) => {
    if (verdict !== 0) return;
    seen += chunk;
    // The status of the last pod: all of them have been listed and judged.
    const judged = output === '--plain' ? /Ready +True/g : /"kind":"status"/g;
    if ((seen.match(judged)?.length ?? 0) < pods) return;
    verdict = performance.now() - began;
    first = usageOf(child.pid)?.cpu ?? 0;
  });
  const timer = setInterval(() => {
    const now = usageOf(child.pid) ?? { cpu: 0, memory: 0 };
    [memory, cpu] = [Math.max(memory, now.memory), Math.max(cpu, now.cpu)];
  }, 50);
  await once(child, 'close');
  clearInterval(timer);
  server.disconnect();
  const rest = (cpu - first) / (SECONDS - verdict / 1000);
  const cells = [pods, output, `${(verdict / 1000).toFixed(2)} s`, `${first.toFixed(2)} s`];
  print(
    `| ${[...cells, `${rest.toFixed(3)} s`, `${(memory / 1024).toFixed(0)} MB`].join(' | ')} |`,
  );
}

/** Lists and watches pods, as an API server does; other kinds are empty. */
function serve(count) {
  let version = count;
  const pods = Array.from({ length: count }, (_, index) => pod(index, index, 0));
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const isPods = url.pathname.endsWith('/pods');
    response.setHeader('Content-Type', 'application/json');
    if (url.searchParams.get('watch')) {
      response.flushHeaders();
      if (isPods) change(response);
      return;
    }
    const limit = Number(url.searchParams.get('limit') ?? 0) || Infinity;
    const from = Number(url.searchParams.get('continue') ?? 0);
    const items = isPods ? pods.slice(from, from + limit) : [];
    const more = isPods && from + limit < count ? { continue: String(from + limit) } : {};
    const metadata = { resourceVersion: String(version), ...more };
    response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata, items }));
  });
  function change(response) {
    let next = 0;
    const timer = setInterval(() => {
      for (let n = 0; n < Math.ceil(count / 10); n++, next++) {
        const object = pod(next % count, ++version, Math.floor(next / count) + 1);
        response.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
      }
    }, 1000);
    response.once('close', () => clearInterval(timer));
  }
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.once('disconnect', () => process.exit());
}

function pod(index, version, changes) {
  const probe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10, timeoutSeconds: 1 };
  const threshold = { successThreshold: 1, failureThreshold: 3 };
  const full = { ...probe, ...threshold };
  const probes = { startupProbe: full, readinessProbe: full, livenessProbe: full };
  const ready = changes % 2 === 0;
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: /Ready/.test(type) && !ready ? 'False' : 'True',
    lastTransitionTime: START,
  }));
  const state = { running: { startedAt: START } };
  const container = { name: 'app', image: 'app:1', restartCount: 0, containerID: `c://${index}` };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${index}`,
      namespace: 'default',
      uid: `uid-${index}`,
      resourceVersion: String(version),
      creationTimestamp: START,
    },
    spec: { nodeName: 'node', containers: [{ name: 'app', image: 'app:1', ...probes }] },
    status: {
      phase: 'Running',
      startTime: START,
      conditions,
      containerStatuses: [{ ...container, ready, started: true, state, lastState: {} }],
    },
  };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
