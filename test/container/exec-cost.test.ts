import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import { EngineCli } from '../../src/runtime/container/engine-cli.js';
import { EngineExecs } from '../../src/runtime/container/engine-execs.js';
import { engineKind } from '../../src/runtime/container/engine-kind.js';
import { docker, IMAGE, requireEngine } from './engine.js';

const NAME = `kprobe-cost-${process.pid}`;
const ROUNDS = 25;

beforeAll(() => {
  requireEngine();
  docker(['run', '-d', '--name', NAME, '--network', 'none', IMAGE, 'sleep', '1000']);
});
afterAll(() => void docker(['rm', '--force', NAME]));

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.trunc(list.length / 2)]!;

it('an attempt costs less than 1.25 times a bare docker exec', { timeout: 120_000 }, async () => {
  const clock = new RealClock();
  const host = { env: process.env, cwd: '/', kill: () => undefined };
  const cli = new EngineCli({ kind: engineKind('docker'), clock, host });
  const execs = new EngineExecs({ cli, clock, host });
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    execFileSync('docker', ['exec', NAME, 'true'], { stdio: 'ignore' });
    const middle = performance.now();
    const end = await execs.run({
      id: NAME,
      command: ['true'],
      timeoutSeconds: 10,
      onLeft: () => undefined,
    });
    expect(end).toMatchObject({ kind: 'exited', exitCode: 0 });
    bare.push(middle - begin);
    ours.push(performance.now() - middle);
  }
  const ratio = median(ours) / median(bare);
  process.stdout.write(
    `an attempt: ${median(ours).toFixed(1)} ms, bare docker exec: ${median(bare).toFixed(1)} ms, ${ratio.toFixed(2)} times\n`,
  );
  expect(ratio).toBeLessThan(1.25);
});
