// Many readiness probes at 1 s against one server: CPU, memory, lateness, missed attempts, bytes of the trace. The numbers
// of probes are arguments. The kubelet's own workers run before each when KPROBE_SCALE_ORACLE names their program.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { timed } from './timed.mjs';

const SECONDS = 12;
/** Seconds of each path that do not count: a worker's schedule may begin again. */
const SETTLED = 5;
const BIN = join(import.meta.dirname, '../bin/kprobe.js');
const OUTPUTS = { '-o json': ['-o', 'json'], '--plain': ['--plain'] };
const oracle = process.env.KPROBE_SCALE_ORACLE;

if (process.argv[2] === 'serve') serve();
else await measure(process.argv.length > 2 ? process.argv.slice(2).map(Number) : [60, 600, 2400]);

async function measure(numbers) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-scale-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  print(
    '| probes | | CPU | µs an attempt | lateness p50, p99, max | missed | memory | exit | bytes an attempt |',
  );
  print('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const probes of numbers) {
    const run = (name, command) => report(probes, name, command);
    if (oracle !== undefined) {
      await run('kubelet', (port) => [oracle, 'probe', port, probes, 1, `${SECONDS}s`]);
    }
    for (const [name, output] of Object.entries(OUTPUTS)) {
      await run(name, (port) => {
        const file = join(folder, 'pods.json');
        const items = Array.from({ length: probes }, (_, index) => pod(index, port));
        writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
        const flags = ['--for', `${SECONDS}s`, '--kubelet-age', '0s', ...output];
        return [process.execPath, BIN, 'run', file, ...flags];
      });
    }
  }
  print(`\nload average ${loadavg()[0].toFixed(0)}`);
}

async function report(probes, name, command) {
  const server = fork(import.meta.filename, ['serve']);
  const [port] = await once(server, 'message');
  const { cpu, memory, exit, text } = await timed(command(port).map(String));
  server.send('report');
  const [{ requests, late, missed }] = await once(server, 'message');
  server.disconnect();
  const lateness = [0.5, 0.99, 1].map((part) => at(late, part).toFixed(1)).join(', ');
  const cells = [probes, name, `${cpu.toFixed(1)} s`, ((cpu * 1e6) / requests).toFixed(0)];
  cells.push(
    `${lateness} ms`,
    `${missed} of ${requests}`,
    `${(memory / 1024).toFixed(0)} MB`,
    exit,
  );
  print(`| ${cells.join(' | ')} | ${(text.length / requests).toFixed(0)} |`);
}

function serve() {
  const arrivals = new Map();
  const server = createServer((request, response) => {
    const now = performance.now();
    const times = arrivals.get(request.url);
    if (times === undefined) arrivals.set(request.url, [now]);
    else times.push(now);
    response.end();
  }).listen(0, '127.0.0.1', 4096);
  server.once('listening', () => process.send(server.address().port));
  process.on('message', () => process.send(lateness([...arrivals.values()])));
  process.once('disconnect', () => process.exit());
}

/** How late requests came after the schedule of their path, which its earliest request sets, and how many are missing. */
function lateness(paths) {
  const late = [];
  let missed = 0;
  for (const all of paths) {
    const times = all.filter((time) => time - all[0] >= SETTLED * 1000);
    if (times.length < 3) continue;
    const offsets = times.map((time) => time - times[0]);
    const phase = Math.min(...offsets.map((offset) => offset - Math.round(offset / 1000) * 1000));
    const ticks = offsets.map((offset) => Math.floor((offset - phase) / 1000));
    offsets.forEach((offset, index) => late.push(offset - phase - ticks[index] * 1000));
    ticks.slice(1).forEach((tick, index) => (missed += Math.max(0, tick - ticks[index] - 1)));
  }
  const requests = paths.reduce((sum, { length }) => sum + length, 0);
  return { requests, missed, late: late.sort((a, b) => a - b) };
}

function at(sorted, part) {
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}

function pod(index, port) {
  const readinessProbe = { httpGet: { path: `/${index}`, port }, periodSeconds: 1 };
  const containers = [{ name: 'app', image: 'app:1', readinessProbe }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${index}` },
    spec: { containers },
  };
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
