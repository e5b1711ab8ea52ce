import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import * as library from '../src/index.js';
import { ROOT } from './helpers/kprobe.js';

it('the library exports what its page names, and nothing else', () => {
  const page = readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [
      ...row
        .split('|')
        .slice(1, 3)
        .join('|')
        .matchAll(/`([A-Za-z_]{2,})[`(]/g),
    ].map(([, name]) => name),
  );
  expect(Object.keys(library).filter((name) => !named.includes(name))).toEqual([]);
  const first = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Za-z]+)/g)].map(([, name]) => name),
  );
  expect(first.filter((name) => !Object.keys(library).includes(name ?? ''))).toEqual([]);
});
