// Many starts, 1,000 or as many as the argument says: two of four are ended by a signal in their first two seconds, one
// of these in a terminal; two are stopped for a moment in their first three, on a core beside a busy neighbor. Checks exit
// codes, what was printed, the state of the terminal, and that no process is left. Linux, with util-linux' `script` and `taskset`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STARTS = Number(process.argv[2] ?? 1000);
const AT_ONCE = 4;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
/** Milliseconds in which a start is ended or stopped, and for which it is stopped at most. */
const ENDED_WITHIN = 2000;
const STOPPED_WITHIN = 3000;
const STOPPED_FOR = 1500;
const RUN = ['--for', '1m', '--allow-shared-port', '--', 'sh', '-c', 'sleep 6.54 & wait'];
const BIN = join(import.meta.dirname, '../bin/kprobe.js');
/** In the environment of all that a start has started. */
const MARK = 'KPROBE_BENCH_START';
const TERMINAL = `stty cols 80 rows 24; before=$(stty -g); "$@"; printf '\\nexit %s\\n' $?; [ "$before" = "$(stty -g)" ] || echo changed`;

const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
await once(server, 'listening');
const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-starts-'));
const manifest = join(folder, 'pod.json');
writeFileSync(manifest, JSON.stringify(pod(server.address().port)));
const neighbor = spawn('taskset', ['-c', '0', process.execPath, '-e', 'for (;;);']);
const kinds = { 'ended by a signal': ended, 'ended in a terminal': endedInTerminal, stopped };
const counts = Object.fromEntries(
  Object.keys(kinds).map((name) => [name, { starts: 0, faults: 0 }]),
);
const order = [...Object.keys(kinds), 'stopped'];
let next = 0;
try {
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} finally {
  neighbor.kill();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, { starts, faults }] of Object.entries(counts)) {
  process.stdout.write(`${name}: ${starts} starts, ${faults} faults\n`);
}
process.exitCode = Object.values(counts).some(({ faults }) => faults > 0) ? 1 : 0;

async function work() {
  while (next < STARTS) {
    const number = next++;
    const name = order[number % order.length];
    const signal = SIGNALS[Math.floor(number / order.length) % SIGNALS.length];
    const fault = await kinds[name](`${process.pid}-${number}`, signal);
    counts[name].starts++;
    if (fault === undefined) continue;
    counts[name].faults++;
    process.stdout.write(`${name}: ${fault}\n`);
  }
}

async function ended(word, signal) {
  const run = start(word, command(['--plain', ...RUN]));
  const moment = Math.random() * ENDED_WITHIN;
  await sleep(moment);
  run.child.kill(signal);
  const [code, by] = await run.close;
  // Before kprobe's own code runs, the signal itself ends the process.
  const isRight = code === 128 + constants.signals[signal] || by === signal;
  return faultOf(run, `${signal} after ${moment.toFixed(0)} ms, exit ${code ?? by}`, isRight);
}

async function endedInTerminal(word, signal) {
  const words = command(RUN);
  const line = ['sh', '-c', TERMINAL, 'sh', ...words].map(
    (one) => `'${one.replaceAll("'", `'\\''`)}'`,
  );
  const run = start(word, ['script', '-qfec', line.join(' '), '/dev/null']);
  const moment = Math.random() * ENDED_WITHIN;
  await sleep(moment);
  let pid;
  while ((pid = kprobeOf(word)) === undefined && run.child.exitCode === null) await sleep(10);
  if (pid !== undefined) process.kill(pid, signal);
  await run.close;
  const { text } = run;
  const code = /\nexit (\d+)/.exec(text)?.[1];
  const isRight =
    Number(code) === 128 + constants.signals[signal] &&
    !/\nchanged/.test(text) &&
    text.lastIndexOf('\x1b[?1049h') <= text.lastIndexOf('\x1b[?1049l') &&
    text.lastIndexOf('\x1b[?25l') <= text.lastIndexOf('\x1b[?25h');
  return faultOf(run, `${signal} after ${moment.toFixed(0)} ms, exit ${code}`, isRight);
}

async function stopped(word) {
  const run = start(word, ['taskset', '-c', '0', ...command(['--for', '4s', '-o', 'json'])]);
  const moment = Math.random() * STOPPED_WITHIN;
  const length = Math.random() * STOPPED_FOR;
  await sleep(moment);
  run.child.kill('SIGSTOP');
  await sleep(length);
  run.child.kill('SIGCONT');
  const [code] = await run.close;
  const isRight = code === 0 && !run.text.includes('"result":"failure"');
  return faultOf(
    run,
    `stopped after ${moment.toFixed(0)} ms for ${length.toFixed(0)} ms, exit ${code}`,
    isRight,
  );
}

function start(word, [program, ...args]) {
  const child = spawn(program, args, {
    env: { ...process.env, [MARK]: word, TERM: 'xterm-256color', CI: '' },
  });
  const run = { child, word, text: '', close: once(child, 'close') };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (run.text += chunk.toString('latin1')));
  }
  return run;
}

async function faultOf({ word, text }, what, isRight) {
  let left;
  for (let tries = 0; tries < 50; tries++) {
    left = processesOf(word);
    if (left.length === 0) break;
    await sleep(100);
  }
  if (left.length > 0) return `${what}: left running: ${left.join(', ')}`;
  return isRight ? undefined : `${what}: ${JSON.stringify(text.slice(-300))}`;
}

function kprobeOf(word) {
  return processesOf(word)
    .find((line) => line.includes(`${BIN} run`) && /^\d+ [^ ]*node /.test(line))
    ?.split(' ')[0];
}

/** `pid command line` of all that a start has started. */
function processesOf(word) {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const read = (file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ');
      return read('environ').includes(`${MARK}=${word} `) ? [`${pid} ${read('cmdline')}`] : [];
    } catch {
      return [];
    }
  });
}

function command(rest) {
  return [
    process.execPath,
    BIN,
    'run',
    manifest,
    '--allow-local-exec',
    '--kubelet-age',
    '0s',
    ...rest,
  ];
}

function pod(port) {
  const each = { periodSeconds: 1, timeoutSeconds: 1 };
  const readinessProbe = { httpGet: { port }, ...each };
  const livenessProbe = { exec: { command: ['sh', '-c', 'sleep 0.2'] }, ...each };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'app', image: 'app:1', readinessProbe, livenessProbe }] },
  };
}
