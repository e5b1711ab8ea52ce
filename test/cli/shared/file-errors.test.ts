import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

it('replaceFile keeps a symbolic link, and the mode of the file that it names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  const [file, link] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  writeFileSync(file, 'old', { mode: 0o600 });
  symlinkSync(file, link);
  await replaceFile(link, 'text');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('replaceFile writes into a pipe', async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), 'kprobe-test-')), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  await replaceFile(pipe, 'text');
  expect(statSync(pipe).isFIFO()).toBe(true);
  const bytes = Buffer.alloc(4);
  expect(readSync(reader, bytes)).toBe(4);
  expect(bytes.toString()).toBe('text');
  closeSync(reader);
});
