import { expect, it } from 'vitest';

import { unifiedDiff } from '../../../../src/commands/lint/fix/text-edits.js';

const HEAD = '--- a/pod.yaml\n+++ b/pod.yaml\n';

it.each([
  [
    'a change of a last line without a line break',
    'a: 1\nb: 2',
    { start: 5, end: 9, text: 'b: 3' },
    '@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n\\ No newline at end of file\n+b: 3\n\\ No newline at end of file\n',
  ],
  [
    'a change before a last line without a line break',
    'a: 1\nb: 2',
    { start: 0, end: 5, text: 'a: 3\n' },
    '@@ -1,2 +1,2 @@\n-a: 1\n+a: 3\n b: 2\n\\ No newline at end of file\n',
  ],
  [
    'an added line break',
    'a: 1\nb: 2',
    { start: 5, end: 9, text: 'b: 3\n' },
    '@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n\\ No newline at end of file\n+b: 3\n',
  ],
  [
    'a change of a last line with a line break',
    'a: 1\nb: 2\n',
    { start: 5, end: 10, text: 'b: 3\n' },
    '@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n',
  ],
])('%s has the format of diff -u', (_, text, edit, hunk) => {
  expect(unifiedDiff({ file: 'pod.yaml', text }, [edit])).toBe(HEAD + hunk);
});

it('unifiedDiff omits context lines with secrets and stays applicable', () => {
  const text = 'env:\n  value: hunter2\n  b: 1\n  c: 2\n  d: 3\n  value: other22\n';
  const edit = { start: text.indexOf('  c'), end: text.indexOf('  d'), text: '  c: 4\n' };
  expect(unifiedDiff({ file: 'pod.yaml', text }, [edit])).toContain(
    '@@ -3,3 +3,3 @@\n   b: 1\n-  c: 2\n+  c: 4\n   d: 3\n',
  );
});
