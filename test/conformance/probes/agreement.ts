import { readFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { expect } from 'vitest';

import { EXCEPTIONS } from './exceptions.js';
import { agrees, type CaseVerdict } from './run-all.js';

/** Attempts at the same time. */
export const AT_ONCE = 12;

/** The text of a file of this folder. */
export const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** What the cases are, with their file and the one of what the kubelet makes of them. */
export const FILES = [
  ['the given cases', 'cases.json', 'expected.ndjson'],
  ['our own cases', 'own-cases.json', 'own-expected.ndjson'],
  ['fresh mixtures', 'mixed-cases.json', 'mixed-expected.ndjson'],
] as const;

/** Each case agrees in everything, or, where exceptions.ts names it, in what holds there. */
export function expectAgreement(name: string, verdicts: readonly CaseVerdict[]): void {
  const ids = new Set(verdicts.map(({ id }) => id));
  const excepted = EXCEPTIONS.flatMap(({ cases }) => cases).filter((id) => ids.has(id));
  const exactly = verdicts.filter(agrees).length - excepted.length;
  stdout.write(`probes: ${exactly} of ${verdicts.length}, ${excepted.length} excepted (${name})\n`);
  expect(verdicts.filter((each) => !agrees(each))).toEqual([]);
}
