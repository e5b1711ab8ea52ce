import { Transform } from 'node:stream';

// By hand, since headers pass as they are: packages for tar write new ones.
const BLOCK = 512;

/** Entries that engines add to a container that they create and do not start: empty files and folders, and a link. */
const ENGINE_FILES = [
  ...['.dockerenv', 'dev', 'dev/console', 'dev/pts', 'dev/shm', 'proc', 'sys'],
  ...['etc', 'etc/hostname', 'etc/hosts', 'etc/mtab', 'etc/resolv.conf'],
];

/** Extensions of the header that follows them: of POSIX, and of GNU. */
const EXTENSIONS = ['x', 'L', 'K'];

/** Leaves out of an exported container what is the engine's, so that the image's files remain. */
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

interface Header {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

function readHeader(block: Buffer): Header {
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
