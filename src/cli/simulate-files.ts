import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { hasErrors } from '../manifest/diagnostic.js';
import { formatDiagnostics } from '../render/format-diagnostic.js';
import { loadScenarios } from '../sim/load-scenarios.js';
import type { Scenario } from '../sim/scenario.js';
import { simulate } from '../sim/simulate.js';
import { encodeLine } from '../trace/codec.js';
import type { Io } from './io.js';
import { readSources } from './read-sources.js';

export interface SimulatedFiles {
  readonly count: number;
  /** What is wrong with the scenarios; then nothing was simulated. */
  readonly errors: string;
}

/** Simulates the scenarios of files, each into a trace of its name. */
export async function simulateFiles(
  paths: readonly string[],
  folder: string,
  io: Io,
): Promise<SimulatedFiles> {
  const { scenarios, diagnostics } = loadScenarios(await readSources(paths, io));
  if (hasErrors(diagnostics)) return { count: 0, errors: formatDiagnostics(diagnostics) };
  await mkdir(folder, { recursive: true });
  for (const scenario of scenarios) await simulateInto(scenario, folder);
  return { count: scenarios.length, errors: '' };
}

async function simulateInto(scenario: Scenario, folder: string): Promise<void> {
  const file = createWriteStream(join(folder, `${scenario.name}.ndjson`));
  await simulate(scenario, (line) => file.write(`${encodeLine(line)}\n`));
  file.end();
  await finished(file);
}
