import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { lint } from '../../src/lint/lint.js';

/** Published manifests of other projects; their sources are in its README.md. */
const CORPUS = new URL('../fixtures/lint/corpus/', import.meta.url);
const JUDGEMENTS = new URL('../fixtures/lint/judgements.ndjson', import.meta.url);
const PAGE = new URL('../../docs/lint.md', import.meta.url);

/** A finding as someone who knows the project of the manifest judges it. */
interface Judgement {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly verdict: 'right' | 'wrong';
  readonly reason: string;
}

type Finding = Pick<Judgement, 'file' | 'line' | 'rule'>;

function keyOf({ file, line, rule }: Finding): string {
  return `${file}:${line} ${rule}`;
}

const judgements = readFileSync(JUDGEMENTS, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Judgement);

async function allFindings(names: readonly string[], from: URL): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const file of names) {
    const text = readFileSync(new URL(file, from), 'utf8');
    const [linted] = await lint([{ file, text }]);
    for (const { line, rule = '' } of linted?.advice ?? []) found.push({ file, line, rule });
  }
  return found;
}

it('judges a finding once', () => {
  expect(new Set(judgements.map(keyOf)).size).toBe(judgements.length);
});

describe('published manifests', async () => {
  const names = readdirSync(CORPUS).filter((name) => name.endsWith('.yaml'));
  const found = await allFindings(names, CORPUS);
  const verdicts = new Map(judgements.map((each) => [keyOf(each), each.verdict]));

  it('have only findings that are judged, and all that are right', () => {
    expect(found.map(keyOf).filter((key) => !verdicts.has(key))).toEqual([]);
    const keys = new Set(found.map(keyOf));
    const lost = judgements.filter((each) => each.verdict === 'right' && !keys.has(keyOf(each)));
    expect(lost).toEqual([]);
  });

  it('have findings of which 95 % or more are right, as docs/lint.md says', () => {
    const right = found.filter((each) => verdicts.get(keyOf(each)) === 'right').length;
    const figure = `${right} of ${found.length} findings`;
    // eslint-disable-next-line no-console -- the figure is what the test is for
    console.log(`judged right: ${figure} (${((100 * right) / found.length).toFixed(1)} %)`);
    expect(right / found.length).toBeGreaterThanOrEqual(0.95);
    expect(readFileSync(PAGE, 'utf8')).toContain(figure);
  });

  it('no rule that is on by default speaks of more than a third of those with probes', () => {
    const probed = names.filter((name) =>
      /Probe\b/.test(readFileSync(new URL(name, CORPUS), 'utf8')),
    );
    for (const rule of new Set(found.map((each) => each.rule))) {
      const files = new Set(found.filter((each) => each.rule === rule).map(({ file }) => file));
      expect(files.size / probed.length, rule).toBeLessThanOrEqual(1 / 3);
    }
  });
});
