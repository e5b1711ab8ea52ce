import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { textsOf } from '../../scripts/screens/animated-svg.mjs';
import { play } from '../../scripts/screens/recording.mjs';
import { ROOT } from '../helpers/kprobe.js';

const MAX_BYTES = 300_000;

it('has a recording that shows what the demo shows now (npm run screens)', async () => {
  const svg = readFileSync(join(ROOT, 'docs/recording.svg'), 'utf8');
  expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(MAX_BYTES);
  const now = new Map<string, string>();
  await play((tmux, name) => {
    if (name !== undefined) now.set(name, tmux.screen());
  });
  expect(sameRows(textsOf(svg))).toEqual(sameRows(now));
});

/** Rows that are the same in each run, however busy the machine is. */
const SAME =
  /PROBE|^.1 pod|kubelet does next|^verdict|^exit code|^again|^Lesson|^for an answer|^Other faults/;

/** The words of those rows of each screen. */
function sameRows(screens: ReadonlyMap<string, string>): [string, string[]][] {
  return [...screens].map(([name, screen]) => {
    const rows = screen.split('\n').filter((row) => SAME.test(row));
    return [name, rows.map((row) => (row.match(/\p{L}{3,}/gu) ?? []).join(' '))];
  });
}
