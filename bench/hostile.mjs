// Targets that misbehave: how late attempts end, and whether memory, sockets, descriptors and processes stay flat over
// many attempts against each. The count is an argument; 10,000 when it is absent; a handler's name and a part of a
// target's may follow. The targets are played by a child; another one tells how late a bare timer is meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

import { bundled } from './bundle.mjs';

const COUNT = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 50;
const TIMEOUT = 0.05;
/** Attempts one after another, with a longer timeout, whose lateness counts. */
const ALONE = 20;
const ALONE_TIMEOUT = 0.2;
/** A command costs processes: fewer of them. */
const COMMANDS = Math.ceil(COUNT / 20);

const [ONLY_HANDLER = '', ONLY_TARGET = ''] = process.argv.slice(3);

const { HOSTILE, HOSTILE_COMMANDS, HostileServer, LocalExec, NAP, RealClock, createTransports, newRequestForHTTPGetAction } =
  await bundled('hostile'); // prettier-ignore

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
    `| transport | target | ended with | late, worst of ${ALONE} | a bare timer | memory, ${COUNT} attempts | left open |`,
  );
  print('| --- | --- | --- | --- | --- | --- | --- |');
  for (const [handler, attempt] of Object.entries(attempts)) {
    for (const [index, { name }] of HOSTILE.entries()) {
      const once = (timeout) => attempt(ports[index], timeout);
      await report(handler, name, once, COUNT, AT_ONCE);
    }
  }
  const exec = new LocalExec(clock, process);
  const options = { env: process.env, cwd: process.cwd() };
  for (const { name, command } of HOSTILE_COMMANDS) {
    await report('exec', name, (timeout) => exec.run(command, timeout, options), COMMANDS, 4);
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
  return async (handler, name, attempt, count, atOnce) => {
    if (!handler.startsWith(ONLY_HANDLER) || !name.includes(ONLY_TARGET)) return;
    const before = open();
    await bareTimer();
    const [late, ends] = await alone(attempt);
    const bare = await bareTimer();
    await many(attempt, Math.ceil(count / 10), atOnce);
    const memory = process.memoryUsage().rss;
    await many(attempt, count, atOnce);
    const grown = (process.memoryUsage().rss - memory) / 2 ** 20;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const after = open();
    const left = Object.keys(after).filter((kind) => after[kind] > before[kind]);
    const lateness = late > 0 ? `${late.toFixed(0)} ms` : 'ended before';
    const sign = grown < 0 ? '−' : '+';
    const memories = `${sign}${Math.abs(grown).toFixed(0)} MB`;
    const cells = [handler, name, ends, lateness, `${bare.toFixed(0)} ms`, memories];
    print(`| ${cells.join(' | ')} | ${left.join(', ') || 'nothing'} |`);
  };
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

/** What is open: sockets, timers and pipes; descriptors; processes that a command has left. */
function open() {
  const kinds = process.getActiveResourcesInfo();
  const count = (pattern) => kinds.filter((kind) => pattern.test(kind)).length;
  return {
    sockets: count(/TCP|TLS/),
    timers: count(/Timeout/),
    pipes: count(/Pipe|Process/),
    descriptors: readdirSync('/proc/self/fd').length,
    processes: napping(),
  };
}

function napping() {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(NAP))
    .length;
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
