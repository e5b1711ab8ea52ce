// Runs every property many times over, or those below the given paths, with a seed that changes each day or the one in KPROBE_TEST_SEED.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env, exit, stdout } from 'node:process';

const seed = env.KPROBE_TEST_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');
const runs = env.KPROBE_TEST_RUNS ?? '20';
stdout.write(`fuzz: KPROBE_TEST_SEED=${seed} KPROBE_TEST_RUNS=${runs}\n`);
const isRepeated = (file) => readFileSync(file, 'utf8').includes('* RUNS_FACTOR');
const properties = readdirSync('test', { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter(isRepeated);
const paths = argv.slice(2);
const files = paths.length > 0 ? paths : properties;
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
