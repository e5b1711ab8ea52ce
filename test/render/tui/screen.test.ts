import { expect, it } from 'vitest';

import { frameDiff, pinColumns } from '../../../src/render/tui/screen.js';

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
