import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');
const WORDS = join(SRC, 'diagnosis/words');

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.tsx?$/.test(path) && (folder === WORDS || !path.startsWith(WORDS)))
    .map((path) => readFileSync(path, 'utf8'));
}

/** Words in a row that stand in a pattern of one text only where it is meant for that text. */
const IN_A_ROW = 3;

/** What other programs say in the same words. */
const OTHERS = [
  'name does not',
  'does not resolve',
  'does not have',
  'on the node',
  'longer than the',
];

it('has the sentences of diagnoses, which no pattern and no comparison elsewhere reads', () => {
  const literals = sourcesOf(WORDS).flatMap((text) => text.match(/'[^'\n]*'|`[^`]*`/g) ?? []);
  const rows = literals.flatMap((literal) => {
    const words = literal.slice(1, -1).split(/\s+/);
    return words.map((_, at) => words.slice(at, at + IN_A_ROW).join(' '));
  });
  const ours = new Set(rows.filter((row) => /^[a-z]+ [a-z]+ [a-z]+$/i.test(row)));
  const patterns = sourcesOf(SRC).flatMap((text) => [
    ...(text.match(/(?<=[(,=>:!&|?[] *|return )\/(?:[^/\\\n]|\\.)+\/[gimsu]*/g) ?? []),
    ...(text.match(/\.(?:includes|startsWith|endsWith)\([^)]*/g) ?? []),
  ]);
  expect(ours.size).toBeGreaterThan(1000);
  expect(patterns.length).toBeGreaterThan(500);
  const read = [...ours].filter((row) => patterns.some((pattern) => pattern.includes(row)));
  expect(read.filter((row) => !OTHERS.includes(row))).toEqual([]);
});
