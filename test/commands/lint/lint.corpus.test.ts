import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { RULES } from '../../../src/commands/lint/rules.js';
import { lint } from '../../helpers/lint.js';

const FIXTURES = new URL('../../fixtures/lint/', import.meta.url);
const JUDGMENTS = new URL('judgments.ndjson', FIXTURES);
/** Published manifests of other projects; README.md lists their sources. */
const CORPUS = new URL('corpus/', FIXTURES);
/** Settings of published workloads that were not used to tune the rules. */
const HELD_OUT = 'held-out.yaml';
const PAGE = new URL('../../../docs/lint.md', import.meta.url);

/** The judgment of a finding, made with knowledge of the manifest's project. */
interface Judgment {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly verdict: 'right' | 'wrong';
  readonly reason: string;
}

type Finding = Pick<Judgment, 'file' | 'line' | 'rule'>;

function keyOf({ file, line, rule }: Finding): string {
  return `${file}:${line} ${rule}`;
}

const judgments = readFileSync(JUDGMENTS, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Judgment);

async function allFindings(names: readonly string[], from: URL): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const file of names) {
    const text = readFileSync(new URL(file, from), 'utf8');
    const [linted] = await lint([{ file, text }]);
    for (const { line, rule = '' } of linted?.advice ?? []) found.push({ file, line, rule });
  }
  return found;
}

it('each finding is judged once', () => {
  expect(new Set(judgments.map(keyOf)).size).toBe(judgments.length);
});

const verdicts = new Map(judgments.map((each) => [keyOf(each), each.verdict]));

describe.each([
  ['published manifests', readdirSync(CORPUS).filter((name) => name.endsWith('.yaml')), CORPUS],
  ['held-out workloads', [HELD_OUT], FIXTURES],
])('%s', async (title, names, folder) => {
  const found = await allFindings(names, folder);

  it('have only judged findings, including all right ones', () => {
    expect(found.map(keyOf).filter((key) => !verdicts.has(key))).toEqual([]);
    const keys = new Set(found.map(keyOf));
    const lost = judgments.filter(
      (each) => names.includes(each.file) && each.verdict === 'right' && !keys.has(keyOf(each)),
    );
    expect(lost).toEqual([]);
  });

  it('have the number of right findings given in docs/lint.md', () => {
    const right = found.filter((each) => verdicts.get(keyOf(each)) === 'right').length;
    const figure = `${right} of ${found.length} findings`;
    // eslint-disable-next-line no-console -- the figure is what the test is for
    console.log(`${title}, right: ${figure} (${((100 * right) / found.length).toFixed(1)} %)`);
    expect(readFileSync(PAGE, 'utf8')).toContain(figure);
    expect(right / found.length).toBeGreaterThanOrEqual(title.startsWith('held') ? 0.9 : 0.95);
  });
});

it('no default rule has findings in more than a third of the manifests with probes', async () => {
  const published = readdirSync(CORPUS).map((name) => readFileSync(new URL(name, CORPUS), 'utf8'));
  const heldOut = readFileSync(new URL(HELD_OUT, FIXTURES), 'utf8').split(/^---\n(?=#)/m);
  for (const texts of [published, heldOut]) {
    const probed = texts.filter((text) => /^ +\w+Probe:/m.test(text));
    const files = await Promise.all(probed.map((text) => lint([{ file: 'a.yaml', text }])));
    const rules = files.map(([linted]) => new Set(linted?.advice.map(({ rule }) => rule)));
    for (const { id } of RULES) {
      const share = rules.filter((each) => each.has(id)).length / probed.length;
      expect(share, id).toBeLessThanOrEqual(1 / 3);
    }
  }
});
