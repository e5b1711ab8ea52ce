import { closeSync, existsSync, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Scenario } from '../../sim/scenario.js';
import { simulate } from '../../sim/simulate.js';
import { TraceMask } from '../../trace/trace-mask.js';
import { lineEncoder, type TraceEnd, traceEnd } from '../../trace/trace-record.js';
import { EXIT } from '../shared/exit-code.js';
import { orUsageError } from '../shared/file-errors.js';
import { openTrace } from '../shared/trace-file.js';
import { simulatedHeader } from './simulate-output.js';

/** Simulates scenarios, each into a trace of its name. */
export async function writeTraces(
  scenarios: readonly Scenario[],
  folder: string,
  { seed, withSecrets = false }: { readonly seed?: number; readonly withSecrets?: boolean } = {},
): Promise<void> {
  await orUsageError(folder, () => makeFolder(folder));
  for (const scenario of scenarios) {
    const path = join(folder, `${scenario.name}.ndjson`);
    await orUsageError(path, () => simulateInto(scenario, path, seed, withSecrets));
  }
}

/** Node's own recursive mkdir never ends in a file system that makes no folders, as /proc. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) {
    // Says that it is there, unless it is a folder.
    if (!statSync(path).isDirectory()) await mkdir(path);
    return;
  }
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path);
}

async function simulateInto(
  scenario: Scenario,
  path: string,
  seed: number | undefined,
  withSecrets: boolean,
): Promise<void> {
  const file = await openTrace(path);
  if (fstatSync(file).isFile()) ftruncateSync(file);
  const lines = new Lines(file);
  const encode = lineEncoder();
  const mask = withSecrets ? undefined : new TraceMask();
  try {
    lines.write(`${encode(simulatedHeader([scenario]))}\n`);
    await simulate(scenario, (line) => lines.write(`${encode(mask?.line(line) ?? line)}\n`), seed);
    lines.write(`${encode(endOf(scenario))}\n`);
    lines.flush();
  } finally {
    closeSync(file);
  }
}

/** Characters that are kept back before they are written together. */
const CHUNK = 64 * 1024;
/** Bytes that a character of a string takes in UTF-8, at most. */
const LONGEST_CHARACTER = 3;
const BYTES = 2 * CHUNK * LONGEST_CHARACTER;

/** Lines on their way to a file: a simulated hour has tens of thousands. */
class Lines {
  private waiting = '';
  private readonly bytes = Buffer.allocUnsafe(BYTES);

  constructor(private readonly file: number) {}

  /** Takes a line with its line break. */
  write(line: string): void {
    const waiting = this.waiting + line;
    this.waiting = waiting;
    if (waiting.length > CHUNK) this.flush();
  }

  flush(): void {
    const bytes = this.encoded();
    this.waiting = '';
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
  }

  /** In the same memory again and again, unless there is more than fits whatever its characters are. */
  private encoded(): Uint8Array {
    if (this.waiting.length * LONGEST_CHARACTER > BYTES) return Buffer.from(this.waiting);
    return this.bytes.subarray(0, this.bytes.write(this.waiting));
  }
}

function endOf({ until }: Scenario): TraceEnd {
  const t = until / 1000;
  const verdict = { kind: 'holds', sentence: `${t} s were simulated` } as const;
  return traceEnd({ t, kind: 'goal', verdict, exitCode: EXIT.success }, t);
}
