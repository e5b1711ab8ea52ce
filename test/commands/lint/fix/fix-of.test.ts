import { expect, it } from 'vitest';

import { type Change, remove, set } from '../../../../src/commands/lint/fix/change.js';
import { fixOf } from '../../../../src/commands/lint/fix/fix-of.js';
import { applyEdits } from '../../../../src/commands/lint/fix/text-edits.js';
import { readObjects } from '../../../../src/manifest/documents/manifest-object.js';
import { SourceFile } from '../../../../src/manifest/documents/source-file.js';

const HEAD = 'apiVersion: v1\nkind: Pod\n';
const PERIOD = 'spec.probe.period';

function fixed(body: string, changes: readonly Change[]): string | undefined {
  const text = body.startsWith('{') ? body : HEAD + body;
  const source = new SourceFile({ file: 'pod.yaml', text });
  const object = readObjects(source).at(-1)!;
  const fix = fixOf(object, { start: 0, text }, changes, true);
  return fix && applyEdits(text, fix.edits).replace(HEAD, '');
}

it.each([
  [
    'a number',
    'spec:\n  probe:\n    period: 1 # often\n',
    [set(PERIOD, 10)],
    'spec:\n  probe:\n    period: 10 # often\n',
  ],
  [
    'a quoted string',
    'spec: {probe: {period: "a, b"}}\n',
    [set(PERIOD, 'c d')],
    'spec: {probe: {period: "c d"}}\n',
  ],
  [
    'a string in single quotes',
    "spec: {probe: {period: 'it''s'}}\n",
    [set(PERIOD, 'x')],
    'spec: {probe: {period: x}}\n',
  ],
  [
    'a list',
    'spec:\n  probe:\n    period:\n    - a\n    - b\n    other: 1\n',
    [set(PERIOD, ['c'])],
    'spec:\n  probe:\n    period: [c]\n    other: 1\n',
  ],
  [
    'a list with comments',
    'spec:\n  probe:\n    period: # x\n    - "#a" # y\n    - b#c\n    other: 1\n',
    [set(PERIOD, ['c'])],
    'spec:\n  probe:\n    period: [c] # x # y\n    other: 1\n',
  ],
  [
    'a list in brackets',
    'spec:\n  probe:\n    period: [a, "]"] # x\n    other: 1\n',
    [set(PERIOD, ['c'])],
    'spec:\n  probe:\n    period: [c] # x\n    other: 1\n',
  ],
  [
    'a list of JSON',
    '{"apiVersion": "v1", "kind": "Pod", "spec": {"probe": {"period": ["a", ["b"]]}}}',
    [set(PERIOD, ['c'])],
    '{"apiVersion": "v1", "kind": "Pod", "spec": {"probe": {"period": ["c"]}}}',
  ],
])('%s is replaced without changing anything else', (_, text, changes, after) => {
  expect(fixed(text, changes)).toBe(after);
});

it.each([
  [
    'after the last single-line key',
    'spec:\n  probe:\n    a: 1 # one\n    b:\n      c: 2\n',
    'spec:\n  probe:\n    a: 1 # one\n    period: 10\n    b:\n      c: 2\n',
  ],
  [
    'before a multi-line key',
    'spec:\n  probe:\n    b:\n      c: 2\n',
    'spec:\n  probe:\n    period: 10\n    b:\n      c: 2\n',
  ],
  [
    'before a block scalar',
    'spec:\n  probe:\n    b: |\n      c\n',
    'spec:\n  probe:\n    period: 10\n    b: |\n      c\n',
  ],
  [
    'before a plain scalar that continues on the next line',
    'spec:\n  probe:\n    b: c\n      d\n',
    'spec:\n  probe:\n    period: 10\n    b: c\n      d\n',
  ],
  [
    'without a trailing line break',
    'spec:\n  probe:\n    a: 1',
    'spec:\n  probe:\n    a: 1\n    period: 10',
  ],
  ['into braces', 'spec: {probe: {a: 1}}\n', 'spec: {probe: {period: 10, a: 1}}\n'],
  ['into empty braces', 'spec: {probe: {}}\n', 'spec: {probe: {period: 10}}\n'],
  [
    'into multi-line braces',
    'spec: {\n  probe: {\n    a: 1,\n  },\n}\n',
    'spec: {\n  probe: {\n    period: 10,\n    a: 1,\n  },\n}\n',
  ],
  [
    'into JSON',
    '{"apiVersion": "v1", "kind": "Pod", "spec": {"probe": {"a": 1}}}',
    '{"apiVersion": "v1", "kind": "Pod", "spec": {"probe": {"period": 10, "a": 1}}}',
  ],
])('a key is inserted %s', (_, text, after) => {
  expect(fixed(text, [set(PERIOD, 10)])).toBe(after);
});

it.each([
  [
    'a line, but not the comment behind it,',
    'spec:\n  probe:\n    a: 1\n    period: 3 # x\n    # of b\n    b: 2\n',
    'spec:\n  probe:\n    a: 1\n    # x\n    # of b\n    b: 2\n',
  ],
  [
    'a line with a comment that ignores a rule in it',
    'spec:\n  probe:\n    a: 1\n    period: 3 # kprobe-ignore: latest-image\n    b: 2\n',
    'spec:\n  probe:\n    a: 1\n    b: 2\n',
  ],
  [
    'a multi-line list',
    'spec:\n  probe:\n    period:\n    - 1\n    - 2\n    b: 2\n',
    'spec:\n  probe:\n    b: 2\n',
  ],
  ['the last key in braces', 'spec: {probe: {a: 1, period: 3}}\n', 'spec: {probe: {a: 1}}\n'],
  ['the first key in braces', 'spec: {probe: {period: 3, a: 1}}\n', 'spec: {probe: {a: 1}}\n'],
])('%s is removed', (_, text, after) => {
  expect(fixed(text, [remove(PERIOD)])).toBe(after);
});

it('the first key of a list item can be removed', () => {
  const change = remove('spec.items[0].a');
  expect(fixed('spec:\n  items:\n  - a: 1\n    b: 2\n', [change])).toBe(
    'spec:\n  items:\n  - b: 2\n',
  );
});

it('there is no fix for a path through an alias', () => {
  const text = 'base: &p\n  a: 1\nspec:\n  probe: *p\n';
  expect(fixed(text, [set(PERIOD, 10)])).toBeUndefined();
});

it('there is no fix for a path that does not exist', () => {
  expect(fixed('spec: {}\n', [set(PERIOD, 10)])).toBeUndefined();
});

it('several changes have one diff hunk each', () => {
  const filler = Array.from({ length: 9 }, (_, n) => `    f${n}: 1\n`).join('');
  const text = `${HEAD}spec:\n  probe:\n    period: 1\n${filler}    last: 1\n`;
  const source = new SourceFile({ file: 'pod.yaml', text });
  const [object] = readObjects(source);
  const changes = [set(PERIOD, 10), set('spec.probe.last', 2)];
  const fix = fixOf(object!, { start: 0, text }, changes, true);
  expect(fix?.diff).toBe(
    [
      '--- a/pod.yaml',
      '+++ b/pod.yaml',
      '@@ -2,7 +2,7 @@',
      ' kind: Pod',
      ' spec:',
      '   probe:',
      '-    period: 1',
      '+    period: 10',
      '     f0: 1',
      '     f1: 1',
      '     f2: 1',
      '@@ -12,4 +12,4 @@',
      '     f6: 1',
      '     f7: 1',
      '     f8: 1',
      '-    last: 1',
      '+    last: 2',
      '',
    ].join('\n'),
  );
});
