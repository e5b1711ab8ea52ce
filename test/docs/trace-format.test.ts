import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { RECORD_FIELDS } from '../../src/trace/record-fields.js';
import { FORMAT_VERSION } from '../../src/trace/trace-record.js';
import { ROOT } from '../helpers/kprobe.js';

const page = readFileSync(join(ROOT, 'docs/trace-format.md'), 'utf8');

/** The text below a kind's heading. */
function section(kind: string): string {
  return page.split(/^(?=##)/m).find((text) => text.startsWith(`### ${kind}\n`)) ?? '';
}

describe('docs/trace-format.md', () => {
  it('describes the version that is written', () => {
    expect(page).toContain(`This page describes version ${FORMAT_VERSION}.`);
  });

  it.each(Object.entries(RECORD_FIELDS))('describes %s and its fields', (kind, fields) => {
    const text = section(kind);
    expect(text).not.toBe('');
    const missing = Object.keys(fields).filter((name) => !text.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it('describes no kind that there is not', () => {
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, kind]) => kind);
    expect(headings.filter((kind) => !Object.hasOwn(RECORD_FIELDS, kind ?? ''))).toEqual([]);
  });
});
