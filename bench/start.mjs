// Whole-process CPU of short commands, as a ratio to a bare `node -e 0`: the median of 20, taken in turns.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROUNDS = 20;
const BIN = join(import.meta.dirname, '../bin/kprobe.js');

const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const commands = {
  'node -e 0': ['-e', '0'],
  'kprobe --version': [BIN, '--version'],
  'kprobe --help': [BIN, '--help'],
  'kprobe once --http': [BIN, 'once', '--http', `:${server.address().port}/healthz`],
};
const aims = { 'kprobe --help': 1.4, 'kprobe once --http': 1.55 };

const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, args] of Object.entries(commands)) times[name].push(await cpu(args));
}
server.close();

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
