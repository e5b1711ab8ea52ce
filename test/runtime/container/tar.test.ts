import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { packTar, unpackTar } from 'modern-tar';
import { describe, expect, it } from 'vitest';

import {
  createTar,
  firstEntry,
  type TarEntry,
  withoutEngineFiles,
} from '../../../src/runtime/container/tar.js';

const file = (path: string, text: string): TarEntry => ({
  ...{ path, mode: 0o644, content: new TextEncoder().encode(text) },
});
const empty = (path: string): TarEntry => ({ path, mode: 0o755 });

/** Passes an archive in pieces of a size; returns its entries without their times. */
async function filtered(tar: Uint8Array, size: number) {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < tar.length; at += size) pieces.push(tar.subarray(at, at + size));
  return entriesOf(await buffer(withoutEngineFiles(Readable.from(pieces))));
}

async function entriesOf(tar: Uint8Array) {
  const entries = await unpackTar(tar);
  return entries.map(({ header: { mtime: _, ...header }, data }) => ({ ...header, data }));
}

const OF_IMAGE = [
  empty('models/'),
  file('models/weights', 'x'.repeat(1500)),
  file('etc/hosts', 'own'),
  { path: 'link', mode: 0o777, link: 'models' },
  { ...file('shadow', 'x'), mode: 0 },
  file(`deep/${'long/'.repeat(40)}name`, 'y'),
  empty('dev/own'),
];
const OF_ENGINE = [
  ...['.dockerenv', 'dev/', 'dev/console', 'etc/', 'etc/hostname', 'proc/', './sys/'].map(empty),
  { path: 'etc/mtab', mode: 0o777, link: '/proc/mounts' },
];

describe('withoutEngineFiles', () => {
  it.each([1, 100, 512, 4096, 1_000_000])(
    'keeps only the files of the image: %i bytes',
    async (size) => {
      const both = [...OF_ENGINE, ...OF_IMAGE, ...OF_ENGINE];
      const kept = await filtered(await createTar(both), size);
      expect(kept).toEqual(await entriesOf(await createTar(OF_IMAGE)));
    },
  );

  it('keeps hard links and extended attributes', async () => {
    const headers = [
      { name: 'etc/hostname', size: 0, pax: { mtime: '1.5' } },
      { name: 'bin/ping', size: 0, mode: 0o755, pax: { 'SCHILY.xattr.user.a': 'b' } },
      { name: 'bin/ping6', size: 0, type: 'link', linkname: 'bin/ping' } as const,
    ];
    const tar = await packTar(headers.map((header) => ({ header })));
    expect(await filtered(tar, 700)).toMatchObject(headers.slice(1));
  });

  it('fails where the archive does', async () => {
    const broken = Readable.from(
      (async function* () {
        yield await createTar([file('a', 'b')]);
        throw new Error('the engine is gone');
      })(),
    );
    await expect(buffer(withoutEngineFiles(broken))).rejects.toThrow('the engine is gone');
  });
});

describe('firstEntry', () => {
  it('returns what has come of a file that is cut off', async () => {
    const tar = await createTar([file('message', 'x'.repeat(2000))]);
    const entry = await firstEntry(tar.subarray(0, 512 + 700));
    expect(entry).toEqual({ type: 'file', data: new TextEncoder().encode('x'.repeat(700)) });
  });

  it('returns nothing of an archive that ends within its first header', async () => {
    expect(await firstEntry(new Uint8Array(100))).toBeUndefined();
  });
});
