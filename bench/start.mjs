// Whole-process CPU of short commands, as a ratio to a bare `node -e 0`: the median of 15, taken in turns;
// beside wait-on when KPROBE_BENCH_WAIT_ON names its script.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createH2Server } from 'node:http2';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROUNDS = 15;
const BIN = join(import.meta.dirname, '../bin/kprobe.js');

const POD = join(import.meta.dirname, '../examples/simulate-runs/pod.yaml');

const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
const grpcServer = createH2Server().on('stream', (stream) => {
  stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
});
grpcServer.listen(0, '127.0.0.1');
await Promise.all([once(server, 'listening'), once(grpcServer, 'listening')]);
const { port } = server.address();
const waitOn = process.env.KPROBE_BENCH_WAIT_ON;

const commands = {
  'node -e 0': ['-e', '0'],
  'kprobe --version': [BIN, '--version'],
  'kprobe --help': [BIN, '--help'],
  'kprobe once --tcp': [BIN, 'once', '--tcp', `:${port}`],
  'kprobe once --http': [BIN, 'once', '--http', `:${port}/healthz`],
  'kprobe once --grpc': [BIN, 'once', '--grpc', `:${grpcServer.address().port}`],
  'kprobe validate': [BIN, 'validate', POD],
};
if (waitOn !== undefined) commands['wait-on'] = [waitOn, `http-get://127.0.0.1:${port}/healthz`];
const aims = {
  'kprobe --help': 1.3,
  'kprobe once --tcp': 1.4,
  'kprobe once --http': 1.55,
  'kprobe once --grpc': 1.8,
  'kprobe validate': 2,
};

const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, args] of Object.entries(commands)) times[name].push(await cpu(args));
}
server.close();
grpcServer.close();

const bare = median(times['node -e 0']);
for (const [name, all] of Object.entries(times)) {
  const ratio = (median(all) / bare).toFixed(2);
  const aim = aims[name] === undefined ? '' : `  (aim ${aims[name]})`;
  process.stdout.write(
    `${name.padEnd(20)} ${median(all).toFixed(0).padStart(4)} ms  ${ratio} ×${aim}\n`,
  );
}

/** Milliseconds of user and system time of a node with these arguments. */
async function cpu(args) {
  const script = '"$@" >/dev/null; times';
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    script,
    'bash',
    process.execPath,
    ...args,
  ]);
  const [, children] = stdout.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)] + sorted[Math.ceil(middle - 0.5)]) / 2;
}
