// CPU of one virtual hour of a pod with three probes at 1 s, its trace written, beyond that of a start; beside the kubelet's,
// when KPROBE_KUBELET_ORACLE names the oracle (built with its status read once a second).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 3;
const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-'));
const oracle = process.argv[2] ?? process.env.KPROBE_KUBELET_ORACLE;
const bin = join(import.meta.dirname, '../bin/kprobe.js');

const probe = (kind) => ({ exec: { command: [kind] }, periodSeconds: 1 });
const container = {
  name: 'app',
  image: 'app:1',
  startupProbe: probe('startup'),
  readinessProbe: probe('readiness'),
  livenessProbe: probe('liveness'),
};

function scenario(seconds) {
  const pod = { metadata: { name: 'pod' }, spec: { containers: [container] } };
  const file = join(folder, `${seconds}.json`);
  writeFileSync(
    file,
    JSON.stringify({ name: `s${seconds}`, until: `${seconds}s`, kubeletUp: '60.37s', pod }),
  );
  return file;
}

const commands = {
  kprobe: (file) => [process.execPath, [bin, 'simulate', file, '--trace', folder]],
  kubelet: (file) => [oracle, ['one', file, join(folder, 'kubelet.ndjson')]],
};

/** Milliseconds of user and system time. */
function cpu(name, seconds) {
  const [command, args] = commands[name](scenario(seconds));
  const script = '"$@" >/dev/null; times';
  const env = { ...process.env, GOMAXPROCS: '1' };
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', command, ...args], {
    env,
    encoding: 'utf8',
  });
  const [, children] = stdout.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + m * 60_000 + s * 1000,
    0,
  );
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const marginal = (name, hours) =>
  median(Array.from({ length: ROUNDS }, () => cpu(name, hours * 3600) - cpu(name, 1)));

const kubelet = oracle === undefined ? undefined : marginal('kubelet', 1);
for (const hours of [1, 2, 4]) {
  const ms = marginal('kprobe', hours);
  const ratio =
    kubelet === undefined || hours > 1
      ? ''
      : `  ${(ms / kubelet).toFixed(2)} × the kubelet's ${kubelet.toFixed(0)} ms (aim 0.25)`;
  process.stdout.write(`${hours} h: ${ms.toFixed(0)} ms${ratio}\n`);
}
rmSync(folder, { recursive: true });
