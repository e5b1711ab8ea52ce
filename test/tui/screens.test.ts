import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openUi, summaryAt } from '../helpers/ui.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const;

/** Codes for bold, faint, inverse and their ends, which a screen without color may have. */
const WEIGHTS = /\x1b\[(?:1|2|7|22|27)m/g;

/** Compares a screen with its file: its text, or with `color` the terminal codes, with ␛ for ESC. */
async function expectScreen(name: string, frame: string, color = false): Promise<void> {
  const text = `${color ? frame.replaceAll('\x1b', '␛') : frame.replaceAll(WEIGHTS, '')}\n`;
  if (!color) expect(text).not.toContain('\x1b');
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'screens', `${name}.txt`));
}

/** The time at which the second run of the container starts to fail. */
const AT = 34.2;

describe.each(SIZES)('a screen of $columns×$rows', (size) => {
  const where = `${size.columns}x${size.rows}`;

  it.each([
    { name: 'pod', keys: [] },
    { name: 'timeline', keys: ['2'] },
    { name: 'timeline-closer', keys: ['2', '+', 'k', '\x1b[D'] },
    { name: 'events', keys: ['3'] },
    { name: 'status', keys: ['4'] },
    { name: 'logs', keys: ['5'] },
    { name: 'attempt', keys: ['k', '\r'] },
    { name: 'describe-probe', keys: ['k', 'd'] },
    { name: 'describe-container', keys: ['g', 'd'] },
    { name: 'explain', keys: ['x'] },
    { name: 'keys', keys: ['?'] },
    { name: 'question', keys: ['r'] },
  ])('shows $name', async ({ name, keys }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
    await ui.type(...keys);
    await expectScreen(`${name}-${where}`, ui.frame());
    ui.close();
  });

  it.each([
    { name: 'pod', keys: [] },
    { name: 'timeline', keys: ['2'] },
  ])('shows $name in color', async ({ name, keys }) => {
    const context = { theme: { color: true, unicode: true } };
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size, context });
    await ui.type(...keys);
    await expectScreen(`${name}-${where}-color`, ui.frame(), true);
    ui.close();
  });

  it('shows a container in back-off', async () => {
    const ui = await openUi({ summary: await summaryAt(9, 'crash-loop'), at: 9, size });
    await expectScreen(`back-off-${where}`, ui.frame());
    ui.close();
  });

  it('escapes untrusted text and keeps the columns', async () => {
    const ui = await openUi({ summary: await summaryAt(5, 'hostile'), at: 5, size });
    const frame = ui.frame();
    expect(frame.replaceAll(WEIGHTS, '')).not.toMatch(/[\x07\x1b\u202e\u200b]/);
    await expectScreen(`hostile-${where}`, frame);
    ui.close();
  });

  it('lists several pods, the worst first', async () => {
    const summary = await summaryAt(AT, 'hostile', 'web', 'crash-loop');
    const ui = await openUi({ summary, at: AT, size });
    await expectScreen(`pods-${where}`, ui.frame());
    ui.close();
  });
});

it('shows only ASCII in panels, also of texts from outside', async () => {
  const context = { theme: { color: false, unicode: false } };
  const size = { columns: 120, rows: 40 };
  const ui = await openUi({ summary: await summaryAt(5, 'hostile'), at: 5, context, size });
  for (const key of ['1', '2', '3', '4', '5', 'd', '?']) {
    await ui.type(key);
    expect(ui.frame().replaceAll(WEIGHTS, '')).toMatch(/^[\x20-\x7e\n]*$/);
  }
  ui.close();
});

it('shows only ASCII when the terminal has no Unicode', async () => {
  const context = { theme: { color: false, unicode: false } };
  const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, context });
  expect(ui.frame().replaceAll(WEIGHTS, '')).toMatch(/^[\x20-\x7e\n]*$/);
  await expectScreen('pod-ascii', ui.frame());
  ui.close();
});

it.each([
  { columns: 40, rows: 12 },
  { columns: 60, rows: 15 },
])('keeps the cause, what comes next and the failing probe at $columns×$rows', async (size) => {
  const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
  await expectScreen(`pod-${size.columns}x${size.rows}`, ui.frame());
  ui.close();
});

it('shows a message when the terminal is too small', async () => {
  const size = { columns: 39, rows: 11 };
  const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
  await expectScreen('too-small', ui.frame());
  ui.close();
});
