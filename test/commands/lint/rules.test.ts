import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Rule } from '../../../src/commands/lint/rule.js';
import { RULES } from '../../../src/commands/lint/rules.js';
import type { Diagnostic } from '../../../src/manifest/diagnostic.js';
import { formatDiagnostic } from '../../../src/report/format-diagnostic.js';
import { lint } from '../../helpers/lint.js';

const PAGES = new URL('../../../docs/rules/', import.meta.url);

/** The recorded starts on the page of startup-budget-too-short. */
const STARTS = new Map([['app', [41.2]]]);

/** The code blocks of a section. */
function blocks(page: string, section: string): readonly string[] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

async function find(rule: Rule, text: string): Promise<readonly Diagnostic[]> {
  const [file] = await lint([{ file: 'pod.yaml', text }], {
    level: (each) => (each.optIn && each !== rule ? 'off' : each.severity),
    starts: rule.id === 'startup-budget-too-short' ? STARTS : new Map(),
  });
  return file?.advice ?? [];
}

it('every rule in the source files is in use and has a page of its name, and there are no other pages', () => {
  const ids = RULES.map(({ id }) => id);
  const sources = new URL('../../../src/commands/lint/rules/', import.meta.url);
  const written = readdirSync(sources).flatMap((name) =>
    [...readFileSync(new URL(name, sources), 'utf8').matchAll(/^  id: '(.+)',$/gm)].map(
      ([, id]) => id,
    ),
  );
  expect(written.toSorted()).toEqual(ids);
  const pages = readdirSync(PAGES).map((name) => name.replace(/\.md$/, ''));
  expect(pages.toSorted()).toEqual(ids);
});

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  const page = readFileSync(new URL(`${id}.md`, PAGES), 'utf8');
  const [bad = '', says = ''] = blocks(page, 'Bad');
  const [good = ''] = blocks(page, 'Good');

  it('reports for the bad example exactly what the page shows', async () => {
    const found = await find(rule, bad);
    expect(found.map((each) => formatDiagnostic(each)).join('\n')).toBe(says.trimEnd());
    expect(found.map((each) => [each.rule, each.severity])).toEqual([[id, rule.severity]]);
  });

  it('reports nothing for the good example', async () => {
    expect(await find(rule, good)).toEqual([]);
  });

  it('has the fix that its page shows', async () => {
    const [found] = await find(rule, bad);
    expect(found?.fix?.diff ?? '').toBe(blocks(page, 'Fix')[0] ?? '');
    if (rule.safeFix) expect(found?.fix?.safe).toBe(true);
  });

  it('has its severity, reason and sources on its page', () => {
    expect(page).toContain(`Severity: ${rule.severity}.`);
    expect(page).toContain(rule.reason);
    for (const source of rule.sources) expect(page).toContain(`<${source}>`);
    expect(page.includes('Off unless it is asked for')).toBe(rule.optIn === true);
  });
});
