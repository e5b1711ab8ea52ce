import { env } from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { startCaseFile } from '../../helpers/servers/case-file.js';
import { AT_ONCE, expectAgreement, FILES, read } from './agreement.js';
import { EXCEPTIONS } from './exceptions.js';
import { parseExpected } from './observe.js';
import { runAll } from './run-all.js';
import { runServed } from './run-served.js';

describe('probe attempts against scripted servers', () => {
  it.each(FILES)('make of %s what the kubelet makes of them', async (_, cases, lines) => {
    const file = await startCaseFile(read(cases));
    const verdicts = await runAll(file, parseExpected(read(lines)), AT_ONCE);
    await file.fleet.close();
    expectAgreement(cases, verdicts);
  });
});

describe('the exceptions', () => {
  it('name cases that there are, each once', () => {
    const known = FILES.flatMap(([, , lines]) => [...parseExpected(read(lines)).keys()]);
    const named = EXCEPTIONS.flatMap(({ cases }) => cases);
    expect(named.filter((id) => !known.includes(id))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });
});

/** The Go program that plays the same servers, where it is there. */
const ORACLES = [env['KPROBE_PROBE_ORACLE'] ?? []].flat();

describe.each(ORACLES)('probe attempts against the servers of %s', (oracle) => {
  it.each(FILES)('make of %s the same', async (_, cases, lines) => {
    const path = fileURLToPath(new URL(cases, import.meta.url));
    const file = { path, text: read(cases), expected: parseExpected(read(lines)) };
    const verdicts = await runServed(oracle, file, AT_ONCE);
    expectAgreement(`${cases}, its servers`, verdicts);
  });
});
