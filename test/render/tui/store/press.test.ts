import { describe, expect, it } from 'vitest';

import { openUi, summaryAt } from '../../../helpers/ui.js';

const AT = 34.2;

describe('an action key', () => {
  it.each([
    { name: 'q', keys: ['q'], effects: [{ kind: 'quit' }] },
    { name: 'Ctrl-C', keys: ['\x03'], effects: [{ kind: 'interrupt' }] },
    { name: 'Ctrl-Z', keys: ['\x1a'], effects: [{ kind: 'suspend' }] },
    { name: 'Ctrl-L', keys: ['\x0c'], effects: [{ kind: 'redraw' }] },
    { name: 'Ctrl-S', keys: ['\x13'], effects: [{ kind: 'save' }] },
    {
      name: 't on a probe',
      keys: ['k', 't'],
      effects: [{ kind: 'trigger', pod: 'default/web', container: 'app', probe: 'readiness' }],
    },
    {
      name: 't on a container',
      keys: ['j', 't'],
      effects: [{ kind: 'say', text: 'choose a probe first (j, k)' }],
    },
    { name: 'r without an answer', keys: ['r', 'q'], effects: [] },
    { name: 'r and n', keys: ['r', 'n'], effects: [] },
    {
      name: 'r and y',
      keys: ['r', 'y'],
      effects: [{ kind: 'restart', pod: 'default/web', container: 'app' }],
    },
    { name: 'q in a filter', keys: ['/', 'q'], effects: [] },
    { name: 'a pasted q', keys: ['\x1b[200~', 'q', '\x1b[201~'], effects: [] },
  ])('has its effect: $name', async ({ keys, effects }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type(...keys);
    expect(ui.effects).toEqual(effects);
    ui.close();
  });

  it.each([
    { name: 'is simulated', about: { isSimulated: () => true } },
    { name: 'is replayed', about: { replayLength: 40 } },
  ])('restarts without a question when the container $name', async ({ about }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, about });
    await ui.type('r');
    expect(ui.effects).toEqual([{ kind: 'restart', pod: 'default/web', container: 'app' }]);
    ui.close();
  });
});

describe('a paused view', () => {
  it('stands still, counts new lines, and shows them when resumed', async () => {
    const ui = await openUi({ summary: await summaryAt(5, 'web'), at: 5 });
    await ui.type(' ');
    const later = await summaryAt(12, 'web');
    ui.store.receive(later);
    ui.store.receive(later);
    await ui.pass(3000);
    expect(ui.frame()).toContain('PAUSED: 2 lines held back');
    expect(ui.frame()).toContain('up 5s');
    await ui.type(' ');
    expect(ui.frame()).not.toContain('PAUSED');
    expect(ui.frame()).toContain('up 8s');
    ui.close();
  });
});

describe('several pods', () => {
  it('are opened with Enter and left with Escape', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT });
    expect(ui.frame()).toContain('2 pods');
    await ui.type('j', '\r');
    expect(ui.frame()).toContain('exec cat healthy');
    await ui.type('\x1b');
    await ui.pass(200);
    expect(ui.frame()).toContain('2 pods');
    ui.close();
  });
});
