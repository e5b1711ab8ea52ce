import { Readable } from 'node:stream';

import { createTarDecoder, createTarPacker, packTar, unpackTar } from 'modern-tar';

export interface TarEntry {
  /** Relative; folders end in a slash. */
  readonly path: string;
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly content?: Uint8Array;
  /** The target of a symbolic link. */
  readonly link?: string;
}

/** Returns an archive for `import -` and `cp -`. */
export function createTar(entries: readonly TarEntry[]): Promise<Uint8Array> {
  return packTar(
    entries.map(({ path, mode, uid = 0, gid = 0, content, link }) => ({
      header: {
        name: path,
        mode,
        uid,
        gid,
        size: content?.length ?? 0,
        type: link !== undefined ? 'symlink' : path.endsWith('/') ? 'directory' : 'file',
        ...(link !== undefined && { linkname: link }),
      },
      body: content,
    })),
  );
}

/** Returns the first entry of an archive that may be cut off, with the data that it has. */
export async function firstEntry(tar: Uint8Array) {
  const [first] = await unpackTar(tar);
  return first && { type: first.header.type, data: first.data };
}

/** Entries that engines add to a container that they create and do not start: empty files and folders, and a link. */
const ENGINE_FILES = [
  ...['.dockerenv', 'dev', 'dev/console', 'dev/pts', 'dev/shm', 'proc', 'sys'],
  ...['etc', 'etc/hostname', 'etc/hosts', 'etc/mtab', 'etc/resolv.conf'],
];

/** Removes the engine's entries from an exported container, so that the image's files remain. */
export function withoutEngineFiles(archive: Readable): Readable {
  const { readable, controller } = createTarPacker();
  const copy = async (): Promise<void> => {
    for await (const { header, body } of Readable.toWeb(archive).pipeThrough(createTarDecoder())) {
      const path = header.name.replace(/^\.\//, '').replace(/\/$/, '');
      if (header.size > 0 || !ENGINE_FILES.includes(path)) {
        await body.pipeTo(controller.add(header));
      }
    }
    controller.finalize();
  };
  copy().catch((error: unknown) => controller.error(error));
  return Readable.fromWeb(readable);
}
