// CPU and peak memory of `kprobe rollout` for ten virtual minutes of a Deployment whose pods have three probes each. The numbers of
// replicas are arguments.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { timed } from './timed.mjs';

const BIN = join(import.meta.dirname, '../bin/kprobe.js');
const numbers = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 100, 300, 1000];
const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-rollout-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const probe = (path) => ({
  httpGet: { path, port: 8080 },
  periodSeconds: 10,
  failureThreshold: 30,
});
const container = {
  name: 'app',
  image: 'app:1',
  startupProbe: { ...probe('/start'), periodSeconds: 1 },
  readinessProbe: probe('/ready'),
  livenessProbe: probe('/live'),
};
const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
};
const file = join(folder, 'web.json');
writeFileSync(file, JSON.stringify(deployment));

print('| replicas | CPU | CPU of a replica | peak memory | |');
print('| --- | --- | --- | --- | --- |');
for (const replicas of numbers) {
  const flags = ['--replicas', replicas, '--nodes', Math.ceil(replicas / 100) + 2, '--for', '10m'];
  const command = [process.execPath, BIN, 'rollout', file, ...flags, '--ready-after', '5s'];
  const { cpu, memory, text } = await timed(command.map(String));
  const cells = [replicas, `${cpu.toFixed(1)} s`, `${((cpu * 1000) / replicas).toFixed(0)} ms`];
  print(`| ${cells.join(' | ')} | ${(memory / 1024).toFixed(0)} MB | ${text.split('\n')[0]} |`);
}
print(`\nload average ${loadavg()[0].toFixed(0)}`);

function print(text) {
  process.stdout.write(`${text}\n`);
}
