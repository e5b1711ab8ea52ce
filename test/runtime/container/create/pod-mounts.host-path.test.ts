import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import {
  resolveSubPath,
  setUpHostPath,
} from '../../../../src/runtime/container/create/pod-mounts.js';

let folder = '';
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kprobe-host-path-')));
  mkdirSync(join(folder, 'dir'));
  writeFileSync(join(folder, 'file'), 'text');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
  onTestFinished(() => void server.close());
});

describe('a hostPath type', () => {
  it.each([
    ['Directory', 'dir', undefined],
    ['Directory', 'file', 'is not a directory'],
    ['Directory', 'none', 'is not a directory'],
    ['DirectoryOrCreate', 'file', 'is not a directory'],
    ['File', 'file', undefined],
    ['File', 'dir', 'is not a file'],
    ['File', 'none', 'is not a file'],
    ['FileOrCreate', 'dir', 'is not a file'],
    ['Socket', 'socket', undefined],
    ['Socket', 'file', 'is not a socket file'],
    ['CharDevice', 'file', 'is not a character device'],
    ['BlockDevice', 'file', 'is not a block device'],
    ['', 'none', undefined],
  ])('%j of %s: %s', (type, name, problem) => {
    const path = join(folder, name);
    const before = readdirSync(folder);
    expect(setUpHostPath({ path, type }, true)).toBe(
      problem && `hostPath type check failed: ${path} ${problem}`,
    );
    expect(readdirSync(folder)).toEqual(before);
  });

  it('CharDevice accepts /dev/null', () => {
    expect(setUpHostPath({ path: '/dev/null', type: 'CharDevice' }, true)).toBeUndefined();
  });

  it.each([
    ['DirectoryOrCreate', 'a/b', true],
    ['FileOrCreate', 'a', false],
  ])('%s creates a missing path, except in a dry run', (type, name, isDirectory) => {
    const path = join(folder, name);
    expect(setUpHostPath({ path, type }, false)).toBeUndefined();
    expect(readdirSync(folder)).not.toContain('a');
    expect(setUpHostPath({ path, type }, true)).toBeUndefined();
    expect(statSync(path).isDirectory()).toBe(isDirectory);
  });

  it('FileOrCreate does not create the parent directory', () => {
    const path = join(folder, 'a/b');
    expect(setUpHostPath({ path, type: 'FileOrCreate' }, true)).toBe(
      `open ${path}: no such file or directory`,
    );
  });
});

describe('a subPath of a hostPath volume', () => {
  it('is created if it is missing', () => {
    expect(resolveSubPath(folder, ['a', 'b'])).toBe(join(folder, 'a/b'));
    expect(statSync(join(folder, 'a/b')).isDirectory()).toBe(true);
  });

  it('follows symbolic links within the volume', () => {
    symlinkSync('dir', join(folder, 'link'));
    expect(resolveSubPath(folder, ['link', 'c'])).toBe(join(folder, 'dir/c'));
  });

  it.each([
    ['an absolute symbolic link', '/etc', ['link']],
    ['a relative symbolic link', `${'../'.repeat(20)}etc`, ['link']],
    ['a symbolic link in the middle of the path', '/', ['link', 'etc']],
  ])('is rejected for %s out of the volume', (_, to, parts) => {
    symlinkSync(to, join(folder, 'link'));
    expect(resolveSubPath(folder, parts)).toBeUndefined();
  });

  it('is rejected for a sibling directory with the same prefix', () => {
    mkdirSync(join(folder, 'dir2'));
    symlinkSync('../dir2', join(folder, 'dir/link'));
    expect(resolveSubPath(join(folder, 'dir'), ['link'])).toBeUndefined();
  });

  it('fails for a dangling symbolic link', () => {
    symlinkSync('/no/such/folder', join(folder, 'link'));
    expect(() => resolveSubPath(folder, ['link'])).toThrow('ENOENT');
  });
});
