// Single attempts beside the kubelet's own probers: attempts a second and CPU an attempt with 8 at once, the median of 5
// rounds taken in turns (and our first, while V8 still compiles), and the latency at 500 a second. The probe oracle's path is an argument, or in KPROBE_PROBE_ORACLE.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { bundled } from './bundle.mjs';

const ATTEMPTS = 5000;
const ROUNDS = 5;
const AT_ONCE = 8;
const RATE = 500;
const SECONDS = 10;
const TIMEOUT = 5;
const AIMS = { http: 1.5, tcp: 1.3 };
const TARGETS = {
  version: 1,
  servers: {
    http: { mode: 'http', routes: { '*': { body: 'ok' } } },
    tcp: { mode: 'script', script: [{ do: 'drain' }] },
    grpc: { mode: 'grpc', grpc: {} },
  },
  cases: [],
};

const oracle = process.argv[2] ?? process.env.KPROBE_PROBE_ORACLE;
const { RealClock, createTransports, newRequestForHTTPGetAction } = await bundled('prober');
const transports = createTransports({ clock: new RealClock() });
const servers = oracle === undefined ? await serveHere() : await serveThere(oracle);
if (oracle === undefined) {
  print('no probe oracle: its path is an argument of this script, or in KPROBE_PROBE_ORACLE');
}

print(
  'handler    attempts/s     CPU an attempt     of Go     first round   p50, p99, max at 500/s',
);
for (const [handler, port] of Object.entries(servers.ports)) {
  const attempt = attemptAt(handler, port);
  for (let warm = 0; warm < 500; warm += 1) await attempt();
  const [ours, go] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await atOnce(attempt));
    if (oracle !== undefined) go.push(await goBench(oracle, handler, port));
  }
  const paced = await atRate(attempt);
  print(line(handler, medians(ours), medians(go), ours[0], paced));
}
servers.close();

/** One attempt; throws when it is no success. */
function attemptAt(handler, port) {
  const container = { name: 'app', image: 'x' };
  const target = { pod: { metadata: { name: 'p', uid: 'u' } }, container, containerID: 'c' };
  const make = {
    http() {
      const action = { path: '/', port, scheme: 'HTTP' };
      const about = { container, podIP: '127.0.0.1', userAgentFragment: 'probe' };
      return transports.http(target, newRequestForHTTPGetAction(action, about).value, TIMEOUT);
    },
    tcp: () => transports.tcp(target, '127.0.0.1', port, TIMEOUT),
    grpc: () => transports.grpc(target, '127.0.0.1', port, '', TIMEOUT),
  }[handler];
  return async () => {
    const outcome = await make();
    if (outcome.result !== 'success') throw new Error(outcome.output);
  };
}

function medians(rounds) {
  if (rounds.length === 0) return undefined;
  const middle = (field) =>
    rounds.map((round) => round[field]).sort((a, b) => a - b)[rounds.length >> 1];
  return { rate: middle('rate'), cpu: middle('cpu') };
}

async function atOnce(attempt) {
  let left = ATTEMPTS;
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  const loop = async () => {
    while (left-- > 0) await attempt();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - begin) / 1000;
  return { rate: ATTEMPTS / seconds, cpu: (user + system) / ATTEMPTS };
}

/** An attempt each so often, whatever the others do: milliseconds from when it was due to its end. */
async function atRate(attempt) {
  const begin = performance.now();
  const all = [];
  for (let made = 0; made < RATE * SECONDS;) {
    const due = Math.floor(((performance.now() - begin) / 1000) * RATE);
    for (; made <= due && made < RATE * SECONDS; made += 1) all.push(timed(attempt));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const times = (await Promise.all(all)).sort((a, b) => a - b);
  return [0.5, 0.99, 1].map((share) => times[Math.ceil(share * times.length) - 1]);
}

async function timed(attempt) {
  const begin = performance.now();
  await attempt();
  return performance.now() - begin;
}

async function goBench(path, handler, port) {
  const at = `127.0.0.1:${port}`;
  const where = { http: ['--url', `http://${at}/`], tcp: ['--tcp', at], grpc: ['--grpc', at] };
  const counts = ['--n', `${ATTEMPTS}`, '--concurrency', `${AT_ONCE}`];
  const { stdout } = await promisify(execFile)(path, ['bench', ...where[handler], ...counts]);
  const { probesPerSec, cpuUsPerProbe } = JSON.parse(stdout);
  return { rate: probesPerSec, cpu: cpuUsPerProbe };
}

function line(handler, ours, go, first, paced) {
  const rates = [ours, go].map((each) => (each ? each.rate.toFixed(0) : '–')).join(' / ');
  const cpus = [ours, go].map((each) => (each ? `${each.cpu.toFixed(0)} µs` : '–')).join(' / ');
  const ratio = go ? `${(ours.cpu / go.cpu).toFixed(2)} ×` : '–';
  const aim = AIMS[handler] === undefined ? '' : ` (aim ${AIMS[handler]})`;
  const times = paced.map((each) => each.toFixed(2)).join(', ');
  return `${handler.padEnd(8)} ${rates.padStart(14)} ${cpus.padStart(18)} ${ratio}${aim}   ${first.cpu.toFixed(0)} µs   ${times} ms`;
}

async function serveThere(path) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-'));
  const file = join(folder, 'targets.json');
  writeFileSync(file, JSON.stringify(TARGETS));
  const child = spawn(path, ['serve', file], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [first] = await once(createInterface(child.stdout), 'line');
  const { http, tcp, grpc } = JSON.parse(first);
  const close = () => {
    child.stdin.end();
    rmSync(folder, { recursive: true });
  };
  return { ports: { http, tcp, grpc }, close };
}

/** Without the oracle: HTTP and TCP, and the server's share of the CPU counts as ours. */
async function serveHere() {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  return { ports: { http: port, tcp: port }, close: () => server.close() };
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
