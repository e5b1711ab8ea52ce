import { expect, it } from 'vitest';

import { globPattern } from '../../../src/lint/config/glob.js';

it.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', 'x/y/a.yaml', true],
  ['x/*.yaml', 'x/a.yaml', true],
  ['x/*.yaml', 'x/y/a.yaml', false],
  ['x/**', 'x/y/a.yaml', true],
  ['x/**/a.yaml', 'x/a.yaml', true],
  ['x/**/a.yaml', 'x/y/z/a.yaml', true],
  ['x/', 'x/y/a.yaml', true],
  ['x/', 'z/x/a.yaml', true],
  ['./x/a.yaml', 'x/a.yaml', true],
  ['/x/a.yaml', 'x/a.yaml', true],
  ['?.yaml', 'a.yaml', true],
  ['?.yaml', 'ab.yaml', false],
  ['a+b(1).yaml', 'a+b(1).yaml', true],
  ['a.yaml', 'aXyaml', false],
  ['x/a', 'x/ab', false],
])('%s and %s: %s', (glob, path, matches) => {
  expect(globPattern(glob).test(path)).toBe(matches);
});
