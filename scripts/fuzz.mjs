// Runs every property many times over, with a seed that changes each day, or the one in KPROBE_TEST_SEED.
import { spawnSync } from 'node:child_process';
import { env, exit, stdout } from 'node:process';

const seed = env.KPROBE_TEST_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');
const runs = env.KPROBE_TEST_RUNS ?? '15';
stdout.write(`fuzz: KPROBE_TEST_SEED=${seed} KPROBE_TEST_RUNS=${runs}\n`);
const files = [
  'test/manifest/fuzz',
  'test/kubelet/properties',
  'test/trace',
  'test/commands/explain',
  'test/cli/fuzz',
  'test/cli/trace-fuzz',
];
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--project',
    'unit',
    '--project',
    'long',
    ...files,
    '--disable-console-intercept',
  ],
  { stdio: 'inherit', env: { ...env, KPROBE_TEST_SEED: seed, KPROBE_TEST_RUNS: runs } },
);
exit(status ?? 1);
