import { load } from 'js-yaml';
import { expect, it } from 'vitest';

import { dumpYaml } from '../../../src/manifest/documents/dump-yaml.js';

it.each([
  ['a bidi control character', { a: 'x\u202ey' }, 'a: "x\\U0000202Ey"\n'],
  ['a next-line character', { a: '\u0085' }, 'a: "\\U00000085"\n'],
  ['a tag character', { '\u{e0041}': 1 }, '"\\U000E0041": 1\n'],
])('%s is escaped and can be read back', (_, value, text) => {
  expect(dumpYaml(value)).toBe(text);
  expect(load(text)).toEqual(value);
});

it.each([
  [{}, 'name: app\nimage: web:1\n'],
  [{ sortKeys: true }, 'image: web:1\nname: app\n'],
])('dumpYaml writes fields in their order, or sorted: %j', (options, text) => {
  expect(dumpYaml({ name: 'app', image: 'web:1' }, options)).toBe(text);
});
