// Targets that misbehave: how late attempts end, and whether memory, sockets, descriptors and processes stay flat over
// many attempts against each. The count is an argument; 10,000 when it is absent; a handler's name and a part of a
// target's may follow. The targets are played by a child; another one tells how late a bare timer is meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { bundled } from './bundle.mjs';

const COUNT = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 100;
const TIMEOUT = 0.05;
/** Attempts one after another, with a longer timeout, whose lateness counts. */
const ALONE = 20;
const ALONE_TIMEOUT = 0.2;
/** A command costs processes: fewer of them, and fewer at once. */
const COMMANDS = Math.ceil(COUNT / 10);
const COMMANDS_AT_ONCE = 8;
/** Memory is looked at after each part. */
const PARTS = 4;

const [ONLY_HANDLER = '', ONLY_TARGET = ''] = process.argv.slice(3);

const { HOSTILE, HOSTILE_COMMANDS, HostileServer, LocalExec, NAP, RealClock, createTransports, newRequestForHTTPGetAction } =
  await bundled('hostile'); // prettier-ignore

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

if (process.argv[2] === 'serve') await serve();
else if (process.argv[2] === 'time') await time();
else await measure();

async function serve() {
  const ports = await Promise.all(HOSTILE.map((target) => new HostileServer(target).listen()));
  process.send(ports);
  process.once('disconnect', () => process.exit());
}

/** Tells, when asked, how late the worst bare timer since the last question was, in milliseconds. */
async function time() {
  let worst = 0;
  process.on('message', () => {
    process.send(worst);
    worst = 0;
  });
  while (process.connected) {
    const begin = performance.now();
    await new Promise((resolve) => setTimeout(resolve, ALONE_TIMEOUT * 1000));
    worst = Math.max(worst, performance.now() - begin - ALONE_TIMEOUT * 1000);
  }
}

async function measure() {
  const child = fork(import.meta.filename, ['serve']);
  const [ports] = await once(child, 'message');
  const timer = fork(import.meta.filename, ['time']);
  const bareTimer = async () => {
    timer.send('how late?');
    return (await once(timer, 'message'))[0];
  };
  const clock = new RealClock();
  const attempts = networkAttempts(createTransports({ clock }));
  const report = reportWith(bareTimer);
  print(`load average ${loadavg()[0].toFixed(0)} at the beginning\n`);
  print(
    `| transport | target | ended with | late, worst of ${ALONE} | a bare timer | attempts | resident, MB | heap, MB | left open |`,
  );
  print('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [handler, attempt] of Object.entries(attempts)) {
    for (const [index, { name }] of HOSTILE.entries()) {
      const once = (timeout) => attempt(ports[index], timeout);
      await report(handler, name, once, COUNT, AT_ONCE);
    }
  }
  const exec = new LocalExec(clock, process);
  const options = { env: process.env, cwd: process.cwd() };
  for (const { name, command } of HOSTILE_COMMANDS) {
    const attempt = (timeoutSeconds) => exec.run(command, { ...options, timeoutSeconds });
    await report('exec', name, attempt, COMMANDS, COMMANDS_AT_ONCE, () => exec.close());
  }
  print(`\nload average ${loadavg()[0].toFixed(0)} at the end`);
  child.disconnect();
  timer.disconnect();
}

function networkAttempts(transports) {
  const container = { name: 'app', image: 'x' };
  const target = { pod: { metadata: { name: 'p', uid: 'u' } }, container, containerID: 'c' };
  const get = (scheme) => (port, timeout) => {
    const about = { container, podIP: '127.0.0.1', userAgentFragment: 'probe' };
    const request = newRequestForHTTPGetAction({ path: '/', port, scheme }, about).value;
    return transports.http(target, request, timeout);
  };
  return {
    http: get('HTTP'),
    https: get('HTTPS'),
    tcp: (port, timeout) => transports.tcp(target, '127.0.0.1', port, timeout),
    grpc: (port, timeout) => transports.grpc(target, '127.0.0.1', port, '', timeout),
  };
}

function reportWith(bareTimer) {
  return async (handler, name, attempt, count, atOnce, settle) => {
    if (!handler.startsWith(ONLY_HANDLER) || !name.includes(ONLY_TARGET)) return;
    const before = open();
    await bareTimer();
    const [late, ends] = await alone(attempt);
    const bare = await bareTimer();
    const memory = [];
    for (let part = 0; part < PARTS; part += 1) {
      await many(attempt, Math.ceil(count / PARTS), atOnce);
      await settle?.();
      await new Promise((resolve) => setTimeout(resolve, 100));
      memory.push(memoryAfterGC());
    }
    const after = open();
    const left = Object.keys(after).filter((kind) => after[kind] > before[kind]);
    const lateness = late > 0 ? `${late.toFixed(0)} ms` : 'ended before';
    const resident = memory.map(({ rss }) => rss.toFixed(0)).join(', ');
    const heap = memory.map(({ heapUsed }) => heapUsed.toFixed(1)).join(', ');
    const cells = [handler, name, ends, lateness, `${bare.toFixed(0)} ms`, count, resident, heap];
    print(`| ${cells.join(' | ')} | ${left.join(', ') || 'nothing'} |`);
  };
}

/** In megabytes. */
function memoryAfterGC() {
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heapUsed: heapUsed / 2 ** 20 };
}

/** One after another: how late the worst ended, and with what they ended. */
async function alone(attempt) {
  let late = 0;
  const ends = new Set();
  for (let made = 0; made < ALONE; made += 1) {
    const begin = performance.now();
    ends.add(endOf(await attempt(ALONE_TIMEOUT)));
    late = Math.max(late, performance.now() - begin - ALONE_TIMEOUT * 1000);
  }
  return [late, [...ends].join('; ')];
}

/** In few words: of a long text its end, without addresses. */
function endOf({ result, output = '', error, kind, exitCode }) {
  if (result === 'success') return result;
  if (kind !== undefined) return exitCode === undefined ? kind : `${kind} ${exitCode}`;
  const text = [output, error ?? ''].join('').replaceAll(/[\x00-\x1f|`]|127[^ ]*: /g, ' ');
  return `${result}: ${text.length > 60 ? `…${text.slice(-58)}` : text}`;
}

async function many(attempt, count, atOnce) {
  let left = count;
  const loop = async () => {
    while (left-- > 0) await attempt(TIMEOUT);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

/** What is open: sockets, timers and pipes; descriptors; children, and processes that a command has left. */
function open() {
  const kinds = process.getActiveResourcesInfo();
  const count = (pattern) => kinds.filter((kind) => pattern.test(kind)).length;
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  return {
    sockets: count(/TCP|TLS/),
    timers: count(/Timeout/),
    pipes: count(/Pipe|Process/),
    descriptors: readdirSync('/proc/self/fd').length,
    children: pids.filter((pid) => parentOf(pid) === process.pid).length,
    processes: pids.filter((pid) => commandOf(pid).includes(NAP)).length,
  };
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
