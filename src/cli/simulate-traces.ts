import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { KUBELET_VERSION } from '../kubelet/kubelet.js';
import type { Scenario } from '../sim/scenario.js';
import { simulate } from '../sim/simulate.js';
import { encodeLine } from '../trace/codec.js';
import { traceEnd } from '../trace/trace-end.js';
import type { TraceEnd, TraceRecord } from '../trace/trace-record.js';
import { EXIT } from './exit-code.js';
import { orUsageError } from './file-error.js';
import { simulatedHeader } from './trace-header.js';

/** Simulates scenarios, each into a trace of its name. */
export async function writeTraces(
  scenarios: readonly Scenario[],
  folder: string,
  seed?: number,
): Promise<void> {
  await orUsageError(folder, () => mkdir(folder, { recursive: true }));
  for (const scenario of scenarios) {
    const path = join(folder, `${scenario.name}.ndjson`);
    await orUsageError(path, () => simulateInto(scenario, path, seed));
  }
}

async function simulateInto(
  scenario: Scenario,
  path: string,
  seed: number | undefined,
): Promise<void> {
  const file = createWriteStream(path);
  const written = finished(file);
  const write = (record: TraceRecord): void => void file.write(`${encodeLine(record)}\n`);
  write(simulatedHeader(KUBELET_VERSION));
  await Promise.race([written, simulate(scenario, write, seed)]);
  write(endOf(scenario));
  file.end();
  await written;
}

function endOf({ until }: Scenario): TraceEnd {
  const t = until / 1000;
  const verdict = { kind: 'holds', sentence: `${t} s were simulated` } as const;
  return traceEnd({ t, kind: 'goal', verdict, exitCode: EXIT.holds }, t);
}
