import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import type { Scenario } from '../sim/scenario.js';
import { simulate } from '../sim/simulate.js';
import { encodeLine } from '../trace/codec.js';
import { orUsageError } from './file-error.js';

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
  await Promise.race([
    written,
    simulate(scenario, (line) => file.write(`${encodeLine(line)}\n`), seed),
  ]);
  file.end();
  await written;
}
