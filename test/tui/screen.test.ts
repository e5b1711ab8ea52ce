import { EventEmitter } from 'node:events';

import { describe, expect, it } from 'vitest';

import { frameDiff, pinColumns, Screen } from '../../src/tui/screen.js';

it('frameDiff writes nothing when nothing changed', () => {
  expect(frameDiff(['a', 'b'], ['a', 'b'])).toBe('');
});

it('frameDiff writes only changed rows, each erased first', () => {
  expect(frameDiff(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\x1b[2;1H\x1b[2Kx');
});

it('frameDiff erases removed rows', () => {
  expect(frameDiff(['a', 'b'], ['a'])).toBe('\x1b[2;1H\x1b[2K');
});

it('pinColumns sets the column after characters of ambiguous width', () => {
  expect(pinColumns('漢字 ok')).toBe('漢字\x1b[5G ok');
  expect(pinColumns('\x1b[1m✓\x1b[22m yes')).toBe('\x1b[1m✓\x1b[22m\x1b[2G yes');
  expect(pinColumns('plain')).toBe('plain');
});

describe('Screen', () => {
  function open() {
    const written: string[] = [];
    const screen = new Screen(
      {
        input: process.stdin,
        output: new EventEmitter(),
        size: () => ({ columns: 80, rows: 24 }),
        write: (text) => written.push(text),
        close: () => undefined,
        setRawMode: () => undefined,
        suspend: () => undefined,
        onSuspend: () => () => undefined,
        onExit: () => () => undefined,
      },
      () => undefined,
    );
    screen.enter();
    return { screen, written };
  }

  it('takes the mouse, and gives it back when it leaves', () => {
    const { screen, written } = open();
    expect(written.join('')).toContain('\x1b[?1000h\x1b[?1006h');
    screen.leave();
    expect(written.at(-1)).toContain('\x1b[?1006l\x1b[?1000l');
  });

  it('copies a text by OSC 52, whatever is in it', () => {
    const { screen, written } = open();
    screen.copy('a\x07b');
    expect(written.at(-1)).toBe('\x1b]52;c;YQdi\x07');
  });
});
