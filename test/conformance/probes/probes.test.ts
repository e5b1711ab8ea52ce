import { readFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { describe, expect, it } from 'vitest';

import { startCaseFile } from '../../helpers/servers/case-file.js';
import { parseExpected } from './observe.js';
import { agrees, runAll } from './run-all.js';

const AT_ONCE = 12;
/** Of texts; result, event and retries agree in each case. */
const MIN_AGREEING = 0.98;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

describe('probe attempts against scripted servers', () => {
  it.each([
    ['the given cases', 'cases.json', 'expected.ndjson'],
    ['our own cases', 'own-cases.json', 'own-expected.ndjson'],
  ])('make of %s what the kubelet makes of them', { timeout: 180_000 }, async (_, cases, lines) => {
    const file = await startCaseFile(read(cases));
    const verdicts = await runAll(file, parseExpected(read(lines)), AT_ONCE);
    await file.fleet.close();
    const agreeing = verdicts.filter(agrees);
    const differing = verdicts.filter((each) => !agrees(each));
    stdout.write(`probes: ${agreeing.length} of ${verdicts.length} (${cases})\n`);
    for (const each of differing) stdout.write(`  ${JSON.stringify(each).slice(0, 2000)}\n`);
    expect(verdicts.flatMap(({ classDiffers }) => classDiffers)).toEqual([]);
    expect(agreeing.length / verdicts.length).toBeGreaterThanOrEqual(MIN_AGREEING);
  });
});
