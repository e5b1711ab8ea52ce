import { cpuUsage, memoryUsage } from 'node:process';

import { afterAll, expect, it } from 'vitest';

import type { GetRuleLevel } from '../../src/cli/shared/config/config.js';
import { fixSources, lintSources } from '../../src/commands/lint/lint-sources.js';
import { defaultLevel } from '../../src/commands/lint/rule.js';
import type { Diagnostic } from '../../src/manifest/diagnostic.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';
import { validateSource } from '../../src/manifest/verdict/validate.js';
import { formatDiagnostic } from '../../src/report/format-diagnostic.js';
import { fc, RUNS_FACTOR, SEED } from '../helpers/property.js';
import { mutations } from './fuzz/mutations.js';
import { SEEDS } from './fuzz/seeds.js';

const RUNS = 500 * RUNS_FACTOR;

/** Linting takes longest, so only one of this many inputs is linted. */
const LINTED_ONE_OF = 20;
/** Limits of one input: milliseconds of CPU time, and bytes. */
const LONGEST = 2000;
const MOST_MEMORY = 512 * 1024 * 1024;

const tally = {
  inputs: 0,
  characters: 0,
  accepted: 0,
  refused: 0,
  unreadable: 0,
  linted: 0,
  slowest: 0,
  memory: 0,
};

const manifest = fc
  .tuple(fc.noBias(fc.nat(SEEDS.length - 1)), mutations)
  .map(([index, mutate]) => mutate(SEEDS[index] ?? ''));

/** Rules that simulate; simulations have their own tests and read no texts. */
const SIMULATED = ['late-ready', 'slow-recovery', 'slow-start-restarts', 'stall-restarts'];
const level: GetRuleLevel = (rule, file) =>
  SIMULATED.includes(rule.id) ? 'off' : rule.optIn ? 'info' : defaultLevel(rule, file);

function checkDiagnostics(text: string, diagnostics: readonly Diagnostic[]): void {
  const lines = text.split(/\r\n?|\n/).length;
  for (const diagnostic of diagnostics) {
    const { line, column, message } = diagnostic;
    if (line < 1 || line > lines || column < 1 || message === '') {
      throw new Error(`a diagnostic without a place or a message: ${JSON.stringify(diagnostic)}`);
    }

    if (
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(formatDiagnostic(diagnostic))
    ) {
      throw new Error(`a diagnostic that a terminal would obey: ${JSON.stringify(diagnostic)}`);
    }
  }
}

function timed<T>(act: () => T): T {
  const before = cpuUsage();
  const held = memoryUsage.rss();
  const result = act();
  const { user, system } = cpuUsage(before);
  const took = (user + system) / 1000;
  tally.slowest = Math.max(tally.slowest, took);
  if (took > LONGEST) throw new Error(`took ${took.toFixed(0)} ms`);
  const grown = memoryUsage.rss() - held;
  tally.memory = Math.max(tally.memory, grown);
  if (grown > MOST_MEMORY) throw new Error(`took ${grown} bytes`);
  return result;
}

const options = { endOnFailure: true } as const;

it(
  `mutated manifests cause only diagnostics (seed ${SEED})`,
  () => {
    const property = fc.property(manifest, (text) => {
      tally.inputs++;
      tally.characters += text.length;
      const validated = timed(() =>
        validateSource({ file: 'pod.yaml', text }, { as: 'direct', strictKinds: false }),
      );
      checkDiagnostics(text, validated.diagnostics);
      const { pods, diagnostics } = timed(() => loadManifest([{ file: 'pod.yaml', text }]));
      checkDiagnostics(text, diagnostics);
      if (validated.unreadable) tally.unreadable++;
      else if (validated.rejected > 0 || pods.length === 0) tally.refused++;
      else tally.accepted++;
    });
    fc.assert(property, { ...options, numRuns: RUNS });
  },
  30 * RUNS + 60_000,
);

it(
  `mutated manifests are linted, and fixes are complete (seed ${SEED})`,
  async () => {
    const property = fc.asyncProperty(manifest, async (text) => {
      tally.linted++;
      const source = { file: 'pod.yaml', text };
      const [linted] = await lintSources([source], { level });
      checkDiagnostics(text, linted?.diagnostics ?? []);
      const [fixed = source] = await fixSources([source], { level });
      if (fixed.text === text) return;
      const again = await lintSources([fixed], { level });
      if (again[0]?.diagnostics.some(({ fix }) => fix?.safe === true))
        throw new Error('mended by half');
    });
    await fc.assert(property, { ...options, numRuns: Math.ceil(RUNS / LINTED_ONE_OF) });
  },
  30 * RUNS + 60_000,
);

it('Object.prototype is not polluted', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

afterAll(() => {
  const { inputs, characters, slowest, memory, ...rest } = tally;
  const heap = process.memoryUsage().heapUsed / 1024 / 1024;
  const counts = Object.entries(rest).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(
    `fuzz: seed ${SEED}, ${SEEDS.length} manifests, ${inputs} inputs of ${(characters / inputs).toFixed(0)} characters, ${counts.join(', ')}, slowest ${slowest.toFixed(0)} ms and ${(memory / 1024 / 1024).toFixed(0)} MiB, heap ${heap.toFixed(0)} MiB at the end\n`,
  );
});
