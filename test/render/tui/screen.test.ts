import { expect, it } from 'vitest';

import { frameDiff, pinColumns } from '../../../src/render/tui/screen.js';

it('writes nothing when nothing changed', () => {
  expect(frameDiff(['a', 'b'], ['a', 'b'])).toBe('');
});

it('writes only the rows that changed, each erased first', () => {
  expect(frameDiff(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\x1b[2;1H\x1b[2Kx');
});

it('erases rows that are gone', () => {
  expect(frameDiff(['a', 'b'], ['a'])).toBe('\x1b[2;1H\x1b[2K');
});

it('says at which column text goes on after characters whose width terminals differ in', () => {
  expect(pinColumns('漢字 ok')).toBe('漢字\x1b[5G ok');
  expect(pinColumns('\x1b[1m✓\x1b[22m yes')).toBe('\x1b[1m✓\x1b[22m\x1b[2G yes');
  expect(pinColumns('plain')).toBe('plain');
});
