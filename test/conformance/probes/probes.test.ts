import { readFileSync } from 'node:fs';
import { env, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { startCaseFile } from '../../helpers/servers/case-file.js';
import { parseExpected } from './observe.js';
import { agrees, runAll } from './run-all.js';
import { differsAtAll, runServed } from './run-served.js';

const AT_ONCE = 12;
/** Of texts; result, event and retries agree in each case. */
const MIN_AGREEING = 0.98;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const FILES = [
  ['the given cases', 'cases.json', 'expected.ndjson'],
  ['our own cases', 'own-cases.json', 'own-expected.ndjson'],
  ['fresh mixtures', 'mixed-cases.json', 'mixed-expected.ndjson'],
] as const;

describe('probe attempts against scripted servers', () => {
  it.each(FILES)(
    'make of %s what the kubelet makes of them',
    { timeout: 180_000 },
    async (_, cases, lines) => {
      const file = await startCaseFile(read(cases));
      const verdicts = await runAll(file, parseExpected(read(lines)), AT_ONCE);
      await file.fleet.close();
      const agreeing = verdicts.filter(agrees);
      const differing = verdicts.filter((each) => !agrees(each));
      stdout.write(`probes: ${agreeing.length} of ${verdicts.length} (${cases})\n`);
      for (const each of differing) stdout.write(`  ${JSON.stringify(each).slice(0, 2000)}\n`);
      expect(verdicts.flatMap(({ classDiffers }) => classDiffers)).toEqual([]);
      expect(agreeing.length / verdicts.length).toBeGreaterThanOrEqual(MIN_AGREEING);
    },
  );
});

/** The Go program that plays the same servers, where it is there. */
const ORACLES = [env['KPROBE_PROBE_ORACLE'] ?? []].flat();

describe.each(ORACLES)('probe attempts against the servers of %s', (oracle) => {
  it.each(FILES)('make of %s the same', { timeout: 180_000 }, async (_, cases, lines) => {
    const path = fileURLToPath(new URL(cases, import.meta.url));
    const file = { path, text: read(cases), expected: parseExpected(read(lines)) };
    const verdicts = await runServed(oracle, file, AT_ONCE);
    const differing = verdicts.filter(differsAtAll);
    const agreeing = verdicts.length - differing.length;
    stdout.write(`probes: ${agreeing} of ${verdicts.length} (${cases}, its servers)\n`);
    for (const each of differing) stdout.write(`  ${JSON.stringify(each).slice(0, 2000)}\n`);
    expect(agreeing / verdicts.length).toBeGreaterThanOrEqual(MIN_AGREEING);
  });
});
