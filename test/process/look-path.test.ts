import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isRunnable, lookPath } from '../../src/process/look-path.js';

let cwd = '';

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kprobe-path-'));
  for (const directory of ['first', 'second', 'second/folder']) mkdirSync(join(cwd, directory));
  write('first/plain', 'echo hi\n', 0o644);
  write('second/plain', '#!/bin/sh\n', 0o755);
  write('second/bare', 'echo hi\n', 0o755);
  write('second/elf', readFileSync(process.execPath).subarray(0, 64), 0o755);
  write('second/other-machine', elfOf(22), 0o755);
});

afterAll(() => rmSync(cwd, { recursive: true }));

/** The begin of an ELF file for a machine; 22 is s390x. */
function elfOf(machine: number): Buffer {
  const file = Buffer.alloc(64);
  file.write('7f454c46', 'hex');
  file.writeUInt16LE(machine, 18);
  return file;
}

function write(name: string, content: string | Buffer, mode: number): void {
  writeFileSync(join(cwd, name), content);
  chmodSync(join(cwd, name), mode);
}

describe('a command', () => {
  it('is the first executable file of its name in PATH', () => {
    const file = join(cwd, 'second/plain');
    const found = lookPath('plain', `/no/such:${cwd}/first:${cwd}/second`, cwd);
    expect(found).toEqual({ ok: true, value: { file, shown: file } });
  });

  it('with a slash is taken from the working directory, and shown as it is written', () => {
    const found = lookPath('./second/plain', '', cwd);
    expect(found).toEqual({
      ok: true,
      value: { file: `${cwd}/./second/plain`, shown: './second/plain' },
    });
  });

  it.each(['.', '/no/such:', '../second', './'])(
    'that PATH finds relative to the working directory is refused: %j',
    (path) => {
      const error = 'exec: "plain": cannot run executable found relative to current directory';
      expect(lookPath('plain', path, join(cwd, 'second'))).toEqual({ ok: false, error });
    },
  );

  it('is nowhere when PATH is empty', () => {
    const error = 'exec: "plain": executable file not found in $PATH';
    const found = lookPath('plain', undefined, join(cwd, 'second'));
    expect(found).toEqual({ ok: false, error, reason: 'notFound' });
  });

  it.each<[string, string, string?]>([
    ['plain', 'exec: "plain": executable file not found in $PATH', 'notFound'],
    ['', 'exec: "": executable file not found in $PATH', 'notFound'],
    ['./first/plain', 'exec: "./first/plain": permission denied', 'notPermitted'],
    ['second/folder', 'exec: "second/folder": is a directory'],
    ['second/none', 'exec: "second/none": stat second/none: no such file or directory', 'notFound'],
    ['second/\0', 'exec: "second/\\x00": stat second/\0: invalid argument'],
  ])('that cannot be run is told as Go tells it: %j', (name, error, reason) => {
    expect(lookPath(name, `${cwd}/first`, cwd)).toEqual({ ok: false, error, reason });
  });
});

it.each([
  ['second/plain', true],
  ['second/elf', true],
  ['second/other-machine', process.platform !== 'linux'],
  ['second/bare', false],
])('%s is run by the kernel itself: %s', (name, runnable) => {
  expect(isRunnable(join(cwd, name))).toBe(runnable);
});
