import { Transform } from 'node:stream';

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

const BLOCK = 512;

/** An archive in the form of POSIX (ustar), for `import -` and `cp -`. */
export function createTar(entries: readonly TarEntry[]): Uint8Array {
  const blocks = entries.flatMap((entry) => [header(entry), padded(entry.content)]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** The first file of an archive, as far as it has come; undefined when it begins with none. */
export function firstFile(tar: Uint8Array): Uint8Array | undefined {
  if (tar.length < BLOCK) return undefined;
  const { type, size } = readHeader(Buffer.from(tar.subarray(0, BLOCK)));
  return ['0', '\0'].includes(type) ? tar.subarray(BLOCK, BLOCK + size) : undefined;
}

export function beginsWithLink(tar: Uint8Array): boolean {
  return tar.length >= BLOCK && readHeader(Buffer.from(tar.subarray(0, BLOCK))).type === '2';
}

function header({ path, mode, uid = 0, gid = 0, content, link }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { name, prefix } = splitPath(path);
  block.write(name, 0);
  const octal = (value: number, offset: number, length: number): void => {
    block.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1');
  };
  octal(mode, 100, 8);
  octal(uid, 108, 8);
  octal(gid, 116, 8);
  octal(content?.length ?? 0, 124, 12);
  octal(0, 136, 12);
  block.write(link !== undefined ? '2' : path.endsWith('/') ? '5' : '0', 156);
  block.write(link ?? '', 157);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345);
  block.fill(' ', 148, 156);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

/** A long path goes in two parts, cut at a slash. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' };
  const at = [...path.slice(0, -1).matchAll(/\//g)]
    .map(({ index }) => index)
    .find((index) => Buffer.byteLength(path.slice(index + 1)) <= 100);
  if (at === undefined || at > 155) throw new RangeError(`${path} is too long for an archive`);
  return { name: path.slice(at + 1), prefix: path.slice(0, at) };
}

function padded(content: Uint8Array = new Uint8Array()): Buffer {
  const block = Buffer.alloc(Math.ceil(content.length / BLOCK) * BLOCK);
  block.set(content);
  return block;
}

/** Entries that engines add to a container that they create and do not start: empty files and folders, and a link. */
const ENGINE_FILES = [
  ...['.dockerenv', 'dev', 'dev/console', 'dev/pts', 'dev/shm', 'proc', 'sys'],
  ...['etc', 'etc/hostname', 'etc/hosts', 'etc/mtab', 'etc/resolv.conf'],
];

/** Extensions of the header that follows them: of POSIX, and of GNU. */
const EXTENSIONS = ['x', 'L', 'K'];

/**
 * Leaves out of an exported container what is the engine's, so that the image's files remain. Headers pass as they are;
 * packages for tar write new ones.
 */
export function withoutEngineFiles(): Transform {
  let buffered: Buffer = Buffer.alloc(0);
  let content = 0;
  let extension: Buffer[] = [];
  let keeps: 'now' | 'later' | 'never' = 'now';
  const take = (stream: Transform, length: number): void => {
    const part = buffered.subarray(0, length);
    buffered = buffered.subarray(length);
    if (keeps === 'now') stream.push(part);
    else if (keeps === 'later') extension.push(part);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      buffered = Buffer.concat([buffered, chunk]);
      while (content > 0 ? buffered.length > 0 : buffered.length >= BLOCK) {
        if (content === 0) {
          const { name, type, size } = readHeader(buffered);
          content = Math.ceil(size / BLOCK) * BLOCK + BLOCK;
          if (EXTENSIONS.includes(type)) keeps = 'later';
          else {
            keeps = size === 0 && ENGINE_FILES.includes(name) ? 'never' : 'now';
            if (keeps === 'now') for (const part of extension) this.push(part);
            extension = [];
          }
        }
        const length = Math.min(content, buffered.length);
        content -= length;
        take(this, length);
      }
      done();
    },
    flush(done) {
      keeps = 'now';
      take(this, buffered.length);
      done();
    },
  });
}

function readHeader(block: Buffer) {
  const text = (from: number, to: number): string =>
    block.toString('latin1', from, to).split('\0')[0] ?? '';
  const prefix = text(345, 500);
  const name = `${prefix === '' ? '' : `${prefix}/`}${text(0, 100)}`;
  // A size of 8 GiB and more is binary.
  const isBinary = ((block[124] ?? 0) & 0x80) !== 0;
  const size = isBinary
    ? Number(block.readBigUInt64BE(128))
    : Number.parseInt(text(124, 136), 8) || 0;
  return {
    name: name.replace(/^\.\//, '').replace(/\/$/, ''),
    type: block.toString('latin1', 156, 157),
    size,
  };
}
