import { readFileSync } from 'node:fs';
import { env, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { startCaseFile } from '../../helpers/servers/case-file.js';
import { EXCEPTIONS } from './exceptions.js';
import type { Expected } from './expected.js';
import { parseExpected } from './observe.js';
import { agrees, type CaseVerdict, runAll } from './run-all.js';
import { runServed } from './run-served.js';

const AT_ONCE = 12;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const FILES = [
  ['the given cases', 'cases.json', 'expected.ndjson'],
  ['our own cases', 'own-cases.json', 'own-expected.ndjson'],
  ['fresh mixtures', 'mixed-cases.json', 'mixed-expected.ndjson'],
] as const;

/** Each case agrees in everything, or, where exceptions.ts names it, in what holds there. */
function expectAgreement(name: string, verdicts: readonly CaseVerdict[]): void {
  const ids = new Set(verdicts.map(({ id }) => id));
  const excepted = EXCEPTIONS.flatMap(({ cases }) => cases).filter((id) => ids.has(id));
  const exactly = verdicts.filter(agrees).length - excepted.length;
  stdout.write(`probes: ${exactly} of ${verdicts.length}, ${excepted.length} excepted (${name})\n`);
  expect(verdicts.filter((each) => !agrees(each))).toEqual([]);
}

describe('probe attempts against scripted servers', () => {
  it.each(FILES)('make of %s what the kubelet makes of them', async (_, cases, lines) => {
    const file = await startCaseFile(read(cases));
    const verdicts = await runAll(file, parseExpected(read(lines)), AT_ONCE);
    await file.fleet.close();
    expectAgreement(cases, verdicts);
  });
});

/** What the other releases make of a gRPC case, where it isn't what 1.36 makes of it. */
interface ReleaseAnswer {
  readonly id: string;
  readonly releases: readonly string[];
  readonly result: string;
  /** Null where node:http2 rejects what grpc-go reads: trailers that don't end the stream. */
  readonly output: string | null;
}

const RELEASE_ANSWERS = read('grpc-releases.ndjson')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as ReleaseAnswer);

/** Returns what a release makes of the gRPC cases; when and with what request, only those of 1.36 tell. */
function expectedOf(release: string, lines: string): Map<string, Expected> {
  const answers = RELEASE_ANSWERS.filter(({ releases }) => releases.includes(release));
  const byID = new Map(answers.map((answer) => [answer.id, answer]));
  const cases = [...parseExpected(lines).values()].filter(({ handler }) => handler === 'grpc');
  return new Map(
    cases.map((expected) => {
      const answer = byID.get(expected.id);
      const { result, output } = { ...expected, ...answer };
      const told = answer ? { result, output, kubeletResult: result } : {};
      const unstable = [...(expected.unstable ?? []), 'request', 'attempts', 'elapsedClass'];
      if (answer) unstable.push('event');
      if (answer?.output === null) unstable.push('output');
      return [expected.id, { ...expected, ...told, unstable }];
    }),
  );
}

describe.each(['1.32', '1.33', '1.34', '1.35', '1.37'])('gRPC attempts of %s', (release) => {
  it.each(FILES)('make of %s what its kubelet makes of them', async (_, cases, lines) => {
    const expected = expectedOf(release, read(lines));
    const all = await startCaseFile(read(cases));
    const file = { ...all, cases: all.cases.filter(({ id }) => expected.has(id)) };
    const verdicts = await runAll(file, expected, AT_ONCE, release);
    await file.fleet.close();
    expectAgreement(`${cases}, ${release}`, verdicts);
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
