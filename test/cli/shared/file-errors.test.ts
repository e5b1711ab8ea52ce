import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { orUsageError, replaceFile } from '../../../src/cli/shared/file-errors.js';

it.each([
  ['EACCES', 'UsageError', 'a.yaml: permission denied'],
  ['ENOSPC', 'RuntimeError', 'a.yaml: no space left on the device'],
])('an error %s about a file is a %s that names it', async (code, name, message) => {
  const failed = orUsageError('a.yaml', () => {
    throw Object.assign(new Error('x'), { code });
  });
  await expect(failed).rejects.toMatchObject({ name, message });
});

it('replaceFile leaves nothing where the file cannot be replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  await replaceFile(join(folder, 'a.yaml'), 'text');
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('text');
  mkdirSync(join(folder, 'b.yaml'));
  await expect(replaceFile(join(folder, 'b.yaml'), 'text')).rejects.toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['a.yaml', 'b.yaml']);
});
