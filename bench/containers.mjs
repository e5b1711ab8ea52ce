// One exec attempt in a container beside a bare `docker exec`, in turns: the median of 40. The name of a running container
// that has `true` is the argument.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';

import { bundled } from './bundle.mjs';

const ROUNDS = 40;
const AIM = 1.25;

const [, , name] = process.argv;
if (name === undefined)
  throw new Error('name a running container: npm run bench:containers -- NAME');

const { connectEngine, EngineExecs, RealClock } = await bundled('execs');
const clock = new RealClock();
const host = { env: process.env, cwd: '/', kill: () => undefined };
const engine = await connectEngine('docker', clock, host);
const execs = new EngineExecs(engine);

const bare = [];
const ours = [];
for (let round = 0; round < ROUNDS; round += 1) {
  bare.push(await timed(dockerExec));
  ours.push(await timed(attempt));
}
await execs.close();

const ratio = median(ours) / median(bare);
process.stdout.write(
  `docker exec   ${median(bare).toFixed(1)} ms\nan attempt    ${median(ours).toFixed(1)} ms  ${ratio.toFixed(2)} ×  (aim ${AIM})\n`,
);

async function dockerExec() {
  const child = spawn('docker', ['exec', name, 'true'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`docker exec ended with exit code ${code}`);
}

async function attempt() {
  const about = {
    id: name,
    name,
    command: ['true'],
    timeoutSeconds: 10,
    onLeftovers: () => undefined,
  };
  const end = await execs.run(about);
  if (end.kind !== 'exited' || end.exitCode !== 0) throw new Error(JSON.stringify(end));
}

/** Milliseconds. */
async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.trunc(list.length / 2)];
}
