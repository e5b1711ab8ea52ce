import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import {
  createTar,
  type TarEntry,
  withoutEngineFiles,
} from '../../../src/runtime/container/tar.js';

const file = (path: string, text: string): TarEntry => ({
  ...{ path, mode: 0o644, content: new TextEncoder().encode(text) },
});
const empty = (path: string): TarEntry => ({ path, mode: 0o755 });

/** Passes an archive in pieces of a size. */
function filtered(tar: Uint8Array, size: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < tar.length; at += size) pieces.push(tar.subarray(at, at + size));
  return buffer(Readable.from(pieces).pipe(withoutEngineFiles()));
}

const OF_IMAGE = [
  empty('models/'),
  file('models/weights', 'x'.repeat(1500)),
  file('etc/hosts', 'own'),
  { path: 'link', mode: 0o777, link: 'models' },
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
      expect(await filtered(createTar(both), size)).toEqual(createTar(OF_IMAGE));
    },
  );

  it('leaves out the extension of a header with it, and keeps that of another', async () => {
    const extended = (path: string): Buffer => {
      const header = Buffer.from(createTar([file('PaxHeaders', 'mtime=1')])).subarray(0, 1024);
      header.write('x', 156);
      return Buffer.concat([header, createTar([empty(path)]).subarray(0, 512)]);
    };
    const kept = extended('models/');
    const tar = Buffer.concat([extended('.dockerenv'), kept, createTar([])]);
    expect(await filtered(tar, 700)).toEqual(Buffer.concat([kept, createTar([])]));
  });
});
