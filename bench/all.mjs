// Runs the benchmarks in turn, in about six minutes. Programs to compare with are named by the environment; a benchmark that
// needs one is skipped without it. `npm run soak` runs the long ones.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const {
  KPROBE_PROBE_ORACLE: probe,
  KPROBE_VALIDATE_ORACLE: validate,
  KPROBE_BENCH_CONTAINER: container,
} = process.env;

/** The programs that a benchmark needs, by the variables that name them. */
const NEEDS = {
  start: {},
  probe: { KPROBE_PROBE_ORACLE: probe },
  simulate: {},
  scale: {},
  rollout: {},
  tui: {},
  containers: { KPROBE_BENCH_CONTAINER: container },
  validate: { KPROBE_VALIDATE_ORACLE: validate },
};

let failed = false;
for (const [name, needs] of Object.entries(NEEDS)) {
  const file = join(import.meta.dirname, `${name}.mjs`);
  if (!existsSync(file)) continue;
  const [missing] = Object.keys(needs).filter((variable) => needs[variable] === undefined);
  if (missing !== undefined) {
    process.stdout.write(`\n${name}: passed over, ${missing} is not set\n`);
    continue;
  }
  process.stdout.write(`\n${name}\n`);
  const { status } = spawnSync(process.execPath, [file, ...Object.values(needs)], {
    stdio: 'inherit',
  });
  if (status !== 0) failed = true;
}
process.exitCode = failed ? 1 : 0;
