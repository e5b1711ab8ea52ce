import { expect, it } from 'vitest';

import { pathMatcher } from '../../../../src/cli/shared/config/config.js';

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
  ['x/**', 'x/.hidden/a.yaml', true],
  ['x**', 'xy/z/a.yaml', true],
  ['x/**.yaml', 'x/y/a.yaml', true],
  ['x/[a].yaml', 'x/[a].yaml', true],
  ['!a.yaml', 'b.yaml', false],
  ['charts/{a,b}/**', 'charts/a/templates/pod.yaml', true],
  ['charts/{a,b}/**', 'charts/c/pod.yaml', false],
  ['*.{yaml,yml}', 'x/pod.yml', true],
])('the pattern %s matches %s: %s', (glob, path, matches) => {
  expect(pathMatcher(glob)(path)).toBe(matches);
});
