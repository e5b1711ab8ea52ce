// CPU of one virtual hour of a pod with three probes at 1 s, its trace written, beyond that of a start; beside the kubelet's,
// when KPROBE_KUBELET_ORACLE names the oracle (built with its status read once a second). Then of more hours and more pods.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 9;
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

const pod = { metadata: { name: 'pod' }, spec: { containers: [container] } };

/** A file with a scenario, or with a list of them, one a pod. */
function scenarios(seconds, pods) {
  const file = join(folder, `${seconds}-${pods}.json`);
  const list = Array.from({ length: pods }, (_, index) => ({
    name: `s${seconds}-${index}`,
    until: `${seconds}s`,
    kubeletUp: '60.37s',
    pod,
  }));
  writeFileSync(file, JSON.stringify(pods === 1 ? list[0] : list));
  return file;
}

const commands = {
  kprobe: (file) => [process.execPath, [bin, 'simulate', file, '--trace', folder]],
  kubelet: (file) => [oracle, ['one', file, join(folder, 'kubelet.ndjson')]],
};

/** Milliseconds of user and system time. */
function cpu(name, seconds, pods = 1) {
  const [command, args] = commands[name](scenarios(seconds, pods));
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
/** What each of them takes beyond a start; they take turns. */
function marginals(names, { hours = 1, pods = 1 } = {}) {
  const rounds = Array.from({ length: pods > 10 ? 1 : ROUNDS }, () =>
    names.map((name) => cpu(name, hours * 3600, pods) - cpu(name, 1, pods)),
  );
  return names.map((_, index) => median(rounds.map((round) => round[index])));
}
const say = (what, ms, rest = '') => process.stdout.write(`${what}: ${ms.toFixed(0)} ms${rest}\n`);

const [one, kubelet] = marginals(oracle === undefined ? ['kprobe'] : ['kprobe', 'kubelet']);
if (kubelet === undefined) say('1 h, 1 pod', one);
else {
  const ratio = (one / kubelet).toFixed(2);
  say('1 h, 1 pod', one, `  ${ratio} × the kubelet's ${kubelet.toFixed(0)} ms (aim 0.5)`);
}
for (const hours of [2, 4]) {
  const [all] = marginals(['kprobe'], { hours });
  const further = (all - one) / (hours - 1);
  say(`${hours} h, 1 pod`, all, `  ${further.toFixed(0)} ms for each further hour`);
}
for (const pods of [10, 100]) say(`1 h, ${pods} pods`, ...marginals(['kprobe'], { pods }));
rmSync(folder, { recursive: true });
