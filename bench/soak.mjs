// A long run in real time, 60 minutes or as many as the argument says: 100 probes of every kind against servers that flap,
// restart, hang and reset, in the terminal UI, with -o json and with --plain at once. Prints heap after a collection, resident memory,
// descriptors and timers of each, with their slopes over the last 40 % of the time. Linux, with util-linux' `script`.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createH2Server } from 'node:http2';
import { createServer as createTLSServer } from 'node:https';
import { createServer as createTCPServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundled } from './bundle.mjs';

/** Seconds of a phase of a server that flaps, and of one that restarts. */
const PHASE = 20;
const DOWN = 5;
const BEHAVIORS = ['works', 'flaps', 'restarts', 'hangs', 'resets'];
const COMMANDS = {
  works: ['true'],
  flaps: ['sh', '-c', `test $(($(date +%s) / ${PHASE} % 2)) = 0`],
  restarts: ['sh', '-c', 'sleep 30 & exit 0'],
  hangs: ['sleep', '30'],
  resets: ['sh', '-c', 'head -c 100000 /dev/zero; kill -9 $$'],
};
const BIN = join(import.meta.dirname, '../bin/kprobe.js');
const SAMPLE = join(import.meta.dirname, 'soak-sample.mjs');
const NODE = [process.execPath, '--expose-gc', '--import', SAMPLE];
const FIELDS = { heap: 'MB', resident: 'MB', descriptors: '', timers: '' };

if (process.argv[2] === 'serve') await serve();
else await soak(Number(process.argv[2] ?? 60));

async function soak(minutes) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-soak-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const servers = fork(import.meta.filename, ['serve']);
  const [ports] = await once(servers, 'message');
  const manifest = join(folder, 'pods.json');
  writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: pods(ports) }));
  const flags = ['--allow-local-exec', '--kubelet-age', '0s', '--for', `${minutes}m`];
  const command = [...NODE, BIN, 'run', manifest, ...flags];
  const line = `stty cols 120 rows 40; exec ${command.join(' ')}`;
  const runs = {
    UI: ['script', '-qfec', line, '/dev/null'],
    '-o json': [...command, '-o', 'json'],
    '--plain': [...command, '--plain'],
  };
  print(`${minutes} minutes, load average ${loadavg()[0].toFixed(0)} at the beginning\n`);
  print('| | exit | CPU, % of a core | what | after a minute | half-way | end | slope an hour |');
  print('| --- | --- | --- | --- | --- | --- | --- | --- |');
  const every = Math.max(2, minutes / 2);
  await Promise.all(
    Object.entries(runs).map(([name, run], index) =>
      report(name, run, join(folder, `${index}.ndjson`), every),
    ),
  );
  print(`\nload average ${loadavg()[0].toFixed(0)} at the end`);
  servers.disconnect();
}

async function report(name, [command, ...args], file, every) {
  const own = { CI: '', TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const env = { ...process.env, ...own, SOAK_FILE: file, SOAK_SECONDS: String(every) };
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.resume();
  const [exit] = await once(child, 'close');
  const samples = readFileSync(file, 'utf8').trim().split('\n').map((text) => JSON.parse(text)); // prettier-ignore
  const last = samples.at(-1);
  const cpu = ((100 * last.cpu) / last.seconds).toFixed(1);
  for (const [field, unit] of Object.entries(FIELDS)) {
    const at = (part) => {
      const sample = samples.find(({ seconds }) => seconds >= part) ?? last;
      return `${sample[field].toFixed(unit === '' ? 0 : 1)} ${unit}`.trim();
    };
    const slope = slopeOf(samples.filter(({ seconds }) => seconds >= 0.6 * last.seconds), field); // prettier-ignore
    const cells = [name, exit, cpu, field, at(60), at(last.seconds / 2), at(last.seconds)];
    print(`| ${cells.join(' | ')} | ${slope.toFixed(1)} ${unit} |`);
  }
}

/** By least squares, an hour. */
function slopeOf(samples, field) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const t = mean(samples.map(({ seconds }) => seconds));
  const y = mean(samples.map((sample) => sample[field]));
  const up = samples.reduce((sum, each) => sum + (each.seconds - t) * (each[field] - y), 0);
  const down = samples.reduce((sum, { seconds }) => sum + (seconds - t) ** 2, 0);
  return (3600 * up) / down;
}

/** A pod for each kind and behavior, of two containers with a readiness and a liveness probe each. */
function pods(ports) {
  const handlers = (behavior) => {
    const port = (kind) => ports[`${kind} ${behavior}`];
    return {
      http: { httpGet: { path: '/healthz', port: port('http') } },
      https: { httpGet: { path: '/healthz', port: port('https'), scheme: 'HTTPS' } },
      tcp: { tcpSocket: { port: port('tcp') } },
      grpc: { grpc: { port: port('grpc') } },
      exec: { exec: { command: COMMANDS[behavior] }, periodSeconds: 5 },
    };
  };
  return BEHAVIORS.flatMap((behavior) =>
    Object.entries(handlers(behavior)).map(([kind, handler]) => {
      const probe = { periodSeconds: 1, ...handler };
      const probes = { readinessProbe: probe, livenessProbe: probe };
      const containers = ['a', 'b'].map((name) => ({ name, image: 'app:1', ...probes }));
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `${kind}-${behavior}` },
        spec: { containers },
      };
    }),
  );
}

/** Plays the servers, and sends their ports. */
async function serve() {
  const { testCertificate } = await bundled('soak-certificate');
  const make = {
    http: (behavior) => createServer(httpListener(behavior)),
    https: (behavior) => createTLSServer(testCertificate, httpListener(behavior)),
    tcp: (behavior) =>
      createTCPServer((socket) => {
        socket.on('error', () => undefined);
        if (behavior === 'resets') socket.resetAndDestroy();
        else socket.resume();
      }),
    grpc: (behavior) => createH2Server().on('stream', grpcListener(behavior)),
  };
  const ports = {};
  for (const [kind, server] of Object.entries(make)) {
    for (const behavior of BEHAVIORS) {
      const port = await listening(() => server(behavior), behavior === 'restarts');
      ports[`${kind} ${behavior}`] = port;
    }
  }
  process.send(ports);
  process.once('disconnect', () => process.exit());
}

/** Listens at a free port; a server that restarts is away for some seconds now and then. */
async function listening(make, restarts) {
  let port = 0;
  const start = async () => {
    const sockets = new Set();
    const server = make();
    const track = (socket) => sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)); // prettier-ignore
    server.on('connection', track).on('error', () => undefined);
    server.on('sessionError', () => undefined).on('tlsClientError', () => undefined);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address());
    if (!restarts) return;
    setTimeout(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
      setTimeout(() => void start(), DOWN * 1000);
    }, PHASE * 1000);
  };
  await start();
  return port;
}

const isGood = () => Math.floor(Date.now() / 1000 / PHASE) % 2 === 0;

function httpListener(behavior) {
  return (request, response) => {
    if (behavior === 'hangs') return;
    if (behavior === 'resets') reset(request.socket);
    else if (behavior === 'flaps' && !isGood()) response.writeHead(500).end(`no: ${Date.now()}`);
    else response.end('ok');
  };
}

/** Ends the connection of a plain socket with RST; TLS has none to send. */
function reset(socket) {
  if (socket.encrypted) socket.destroy();
  else socket.resetAndDestroy();
}

function grpcListener(behavior) {
  return (stream) => {
    stream.on('error', () => undefined);
    if (behavior === 'hangs') return;
    if (behavior === 'resets') {
      stream.session.destroy();
      return;
    }
    const serving = behavior === 'flaps' && !isGood() ? 2 : 1;
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from([0, 0, 0, 0, 2, 8, serving]));
  };
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
