import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { diagnosePod, isEndOfRun } from '../../../src/diagnosis/diagnosis.js';
import { type Diagnosis, provenChange } from '../../../src/diagnosis/fault.js';
import { linesOfRun, readTrace } from '../../../src/trace/read-trace.js';
import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { freePort } from '../../helpers/free-port.js';
import { ended, startKprobe } from '../../helpers/kprobe.js';
import { waitForPort } from '../../helpers/wait-for-port.js';
import { judge } from './judge.js';
import type { Needs, ProgramCase } from './programs/program-case.js';

const MODULES: ReadonlySet<Needs> = new Set(['flask', 'django', 'gunicorn', 'uvicorn']);
const present = new Map<Needs, boolean>();

/** Reports whether this machine has what the program needs. */
export function isPresent(needs: readonly Needs[]): boolean {
  return needs.every((each) => {
    const known = present.get(each) ?? has(each);
    present.set(each, known);
    return known;
  });
}

function has(what: Needs): boolean {
  const [command = '', ...args] = MODULES.has(what)
    ? ['python3', '-c', `import ${what}`]
    : ['sh', '-c', `command -v ${what}`];
  return spawnSync(command, args).status === 0;
}

export interface ProgramRun {
  readonly code: number | null;
  readonly stderr: string;
  /** The worst, when the run was ended. */
  readonly diagnosis?: Diagnosis | undefined;
  /** What was recorded, with the folder as `/app`. */
  readonly trace: string;
}

/** Runs a program under kprobe; cured, until it is ready. */
export async function runProgram(
  program: ProgramCase,
  { cured = false, proven }: { readonly cured?: boolean; readonly proven?: Diagnosis } = {},
): Promise<ProgramRun> {
  const cure = cured && program.cure !== 'proven' ? program.cure : {};
  const [port, other] = [await freePort(), await freePort()];
  const place = (text: string): string =>
    text.replaceAll('PORT', `${port}`).replaceAll('OTHER', `${other}`);
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-corpus-'));
  const files = { ...program.files, ...cure.files };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), place(text));
  }
  const build = cure.build ?? program.build;
  if (build !== undefined) execFileSync('sh', ['-c', place(build)], { cwd: folder });
  const probes = withChange(place(cure.probes ?? program.probes), proven, port);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
  const container = `{name: app, image: app, ${probes}}`;
  const spec = `{terminationGracePeriodSeconds: 2, containers: [${container}]}`;
  writeFileSync(join(folder, 'pod.yaml'), `${JSON.stringify(pod).slice(0, -1)}, spec: ${spec}}\n`);
  const beside = cure.alone === true ? undefined : program.beside?.map(place);
  const neighbor = beside && (await neighborOf(beside, other));
  const end = cured ? ['--until', 'ready', '--timeout', '60s'] : ['--for', '60s'];
  const command = (cure.command ?? program.command).map(place);
  const child = startKprobe(
    ['run', 'pod.yaml', ...end, '-o', 'json', '--allow-local-exec', '--', ...command],
    { cwd: folder },
  );
  try {
    const whole = ended(child);
    if (!cured) await interruptWhenDiagnosed(child, program);
    const { code, stdout, stderr } = await whole;
    return { code, stderr, diagnosis: worstOf(stdout), trace: withoutMachine(stdout, folder) };
  } finally {
    if (neighbor !== undefined) await killed(neighbor);
    endDaemon(join(folder, 'nginx.pid'));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A recording that names no folder of this machine. */
function withoutMachine(trace: string, folder: string): string {
  return trace
    .replaceAll(folder, '/app')
    .replaceAll(/\/[\w./-]*(?=\/lib\/python3)/g, '/usr')
    .replaceAll(/\/(?:root|tmp|work)\/(?:[\w.-]+\/)*/g, '/opt/');
}

/** Milliseconds between two looks, and for which a diagnosis has to stand; seconds after which no other is expected. */
const INTERVAL = 400;
const STANDS = 1500;
const PATIENCE = 40;

async function interruptWhenDiagnosed(
  child: ChildProcess,
  { fault, cure, field = '' }: ProgramCase,
): Promise<void> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const isRight = (): boolean => {
    const worst = text === '' ? undefined : worstOf(text);
    if (worst === undefined || judge(fault, worst.fault) !== 'right') return false;
    if (!JSON.stringify(worst.changes).includes(field)) return false;
    return cure !== 'proven' || provenChange(worst) !== undefined;
  };
  const end = Date.now() + PATIENCE * 1000;
  while (!isRight() && Date.now() < end && child.exitCode === null) await sleep(INTERVAL);
  await sleep(STANDS);
  child.kill('SIGINT');
}

/** The worst diagnosis at the end of a recorded run. */
export function worstOf(text: string): Diagnosis | undefined {
  const { trace } = readTrace(text);
  const lines = trace === undefined ? [] : linesOfRun(trace);
  const end = lines.findIndex(isEndOfRun);
  const live = end === -1 ? lines : lines.slice(0, end);
  const [pod] = live.reduce(fold, EMPTY_SUMMARY).pods;
  return pod && diagnosePod(pod, live.at(-1)?.t ?? 0)[0];
}

function withChange(probes: string, proven: Diagnosis | undefined, port: number): string {
  if (proven === undefined) return probes;
  const change = provenChange(proven);
  if (change === undefined) throw new Error('no change was proven');
  const [probe, ...rest] = change.field.split('.');
  const key = rest.at(-1)!;
  // Another run has other ports: the program's next one is the other.
  const value = key === 'port' ? port + 1 : JSON.stringify(change.to);
  const set = `${key}: ${value}`;
  const without = probes.replace(new RegExp(`(?:, ${key}: [^,}]+|${key}: [^,}]+, )`), '');
  return rest.length === 1
    ? without.replace(`${probe}: {`, `${probe}: {${set}, `)
    : without.replace(`${rest[0]}: {`, `${rest[0]}: {${set}, `);
}

async function neighborOf(
  [command, ...args]: readonly string[],
  port: number,
): Promise<ChildProcess> {
  const child = spawn(command!, args, { stdio: 'ignore' });
  await waitForPort(port);
  return child;
}

/** A daemon outlives the run that began it. */
function endDaemon(pidFile: string): void {
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
