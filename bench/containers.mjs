// Exec attempts in a container: one beside a bare `docker exec`, in turns, the median of 40; then 20 probes with a period of
// 1 s in a run of kprobe, with its own CPU time. The name of a running container that has `true` is the argument.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { bundled } from './bundle.mjs';

const ROUNDS = 40;
const AIM = 0.8;
const CONTAINERS = 10;
/** Seconds before, and while, CPU time and attempts are counted. */
const WARM_UP = 5;
const COUNTED = 20;
const CPU_AIM = 5;

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

const { attempts, failures, cpu } = await probes();
process.stdout.write(
  `20 probes     ${attempts} attempts of ${2 * CONTAINERS * COUNTED} in ${COUNTED} s, ${failures} failed\nCPU           ${cpu.toFixed(1)} % of a core  (aim ${CPU_AIM})\n`,
);

/** Runs two exec probes in each of ten containers of a pod, all of which are this one. */
async function probes() {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-'));
  const probe = { exec: { command: ['true'] }, periodSeconds: 1, timeoutSeconds: 10 };
  const containers = Array.from({ length: CONTAINERS }, (_, index) => ({
    ...{ name: `c${index}`, image: 'none' },
    ...{ readinessProbe: probe, livenessProbe: probe },
  }));
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'bench' }, spec: { containers } };
  const file = join(folder, 'pod.yaml');
  writeFileSync(file, JSON.stringify(pod));
  const choices = containers.flatMap((container) => ['--docker', `${container.name}=${name}`]);
  const args = ['run', file, ...choices, '--for', `${WARM_UP + COUNTED + 5}s`, '-o', 'json'];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/kprobe.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ends = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { kind, result } = JSON.parse(line);
    if (kind === 'attemptDone') ends.push(result);
  });
  await setTimeout(WARM_UP * 1000);
  const [before, first] = [cpuTime(child.pid), ends.length];
  await setTimeout(COUNTED * 1000);
  const after = cpuTime(child.pid);
  const counted = ends.slice(first);
  child.kill();
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  const failed = counted.filter((result) => result !== 'success').length;
  return { attempts: counted.length, failures: failed, cpu: ((after - before) / COUNTED) * 100 };
}

/** Seconds of CPU time of a process of Linux. */
function cpuTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

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
