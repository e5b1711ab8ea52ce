// The terminal UI at 20 probes of 1 s: the first frame beside a bare node's start, redraws and CPU a second, and the
// memory over a long run in virtual time. Linux, with util-linux' `script` for a terminal. Numbers for docs/internals/benchmarks.md.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { bundled } from './bundle.mjs';

const PROBES = 20;
const STARTS = 7;
const WARM_UP = 5;
const SECONDS = 20;
const MINUTES = 40;
const AIMS = { firstFrame: 4, redraws: 10, cpu: 5, heap: 60 };
/** What each frame begins with. */
const FRAME = '\x1b[?2026h';
const BIN = join(import.meta.dirname, '../bin/kprobe.js');

const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-tui-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const pod = (port) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'many' },
  spec: {
    containers: Array.from({ length: PROBES }, (_, index) => ({
      name: `app-${index}`,
      image: 'example/app:1',
      readinessProbe: { httpGet: { path: '/', port }, periodSeconds: 1 },
    })),
  },
});

/** A command in a terminal of 120×40. */
function inTerminal(command) {
  const env = { ...process.env, CI: '', TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const line = `stty cols 120 rows 40; exec ${command}`;
  return spawn('script', ['-qfec', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Milliseconds from a command's begin until its output has `text`, or until its end. */
async function timeTo(command, text) {
  const begin = performance.now();
  const child = inTerminal(command);
  child.stdout.setEncoding('utf8');
  const ended = new Promise((resolve) => child.once('close', resolve));
  const time = await new Promise((resolve) => {
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
      if (text !== undefined && seen.includes(text)) resolve(performance.now() - begin);
    });
    void ended.then(() => resolve(performance.now() - begin));
  });
  child.stdin.write('q');
  await ended;
  return time;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function firstFrame(command) {
  const bare = [];
  const own = [];
  for (let index = 0; index < STARTS; index++) {
    bare.push(await timeTo(`${process.execPath} -e 0`));
    own.push(await timeTo(command, FRAME));
  }
  return { bare: median(bare), own: median(own) };
}

/** Seconds of CPU that a process has had. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** The process that runs kprobe, somewhere below another one. */
function kprobeBelow(pid) {
  const parents = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = parents.filter((name) => parentOf(name) === pid).map(Number);
  for (const child of children) {
    const [program] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    return program === process.execPath ? child : kprobeBelow(child);
  }
  throw new Error('kprobe does not run');
}

function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
  } catch {
    return undefined;
  }
}

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function steady(command) {
  const child = inTerminal(command);
  child.stdout.setEncoding('utf8');
  let frames = 0;
  child.stdout.on('data', (chunk) => (frames += chunk.split(FRAME).length - 1));
  await sleep(WARM_UP);
  const pid = kprobeBelow(child.pid);
  const before = { frames, cpu: cpuOf(pid) };
  await sleep(SECONDS);
  const cpu = (100 * (cpuOf(pid) - before.cpu)) / SECONDS;
  const redraws = (frames - before.frames) / SECONDS;
  process.kill(pid, 'SIGINT');
  await new Promise((resolve) => child.once('close', resolve));
  return { cpu, redraws };
}

function print(name, value, aim) {
  process.stdout.write(
    `${name.padEnd(44)}${value.padStart(12)}${aim === undefined ? '' : `   ${aim}`}\n`,
  );
}

const server = createServer((_, response) => response.end('ok'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const manifest = join(folder, 'pod.json');
writeFileSync(manifest, JSON.stringify(pod(server.address().port)));
const run = `${process.execPath} ${BIN} run ${manifest}`;

const { bare, own } = await firstFrame(run);
print('a bare node, start to end', `${bare.toFixed(0)} ms`);
print('first frame', `${own.toFixed(0)} ms`);
print('first frame, times a bare node', (own / bare).toFixed(1), `aim ≤ ${AIMS.firstFrame}`);
const ui = await steady(run);
const plain = await steady(`${run} --plain --for 10m`);
print('redraws a second', ui.redraws.toFixed(1), `aim ≤ ${AIMS.redraws}`);
print('CPU with the UI, % of a core', ui.cpu.toFixed(1), `aim < ${AIMS.cpu}`);
print('CPU with --plain, % of a core', plain.cpu.toFixed(1));
server.close();

setFlagsFromString('--expose-gc');
globalThis.gc ??= (await import('node:vm')).runInNewContext('gc');
const { loadScenarios, runLong } = await bundled('tui-long');
const scenario = { name: 'long', until: `${MINUTES}m`, pod: pod(8080), containers: {} };
const { scenarios } = loadScenarios([{ file: 'long.json', text: JSON.stringify(scenario) }]);
const begin = performance.now();
for (const { t, frames, heap } of await runLong(scenarios[0], (MINUTES * 60) / 8)) {
  print(
    `heap after ${(t / 60).toFixed(0)} virtual minutes, ${frames} frames`,
    `${heap.toFixed(1)} MB`,
    `aim < ${AIMS.heap}`,
  );
}
print('real time of that', `${((performance.now() - begin) / 1000).toFixed(0)} s`);
process.exit();
