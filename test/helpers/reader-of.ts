import { BufioReader } from '../../src/go/http/bufio.js';
import type { IoError } from '../../src/go/io-error.js';

/** Reads from pieces, one at a time; then comes the end, or an error. */
export function readerOf(pieces: readonly string[], error?: IoError, limit?: number): BufioReader {
  const left = pieces.map((piece) => Buffer.from(piece, 'latin1'));
  return new BufioReader((into) => {
    const [piece] = left;
    if (!piece) {
      if (error) throw error;
      return 0;
    }
    const size = Math.min(into.length, piece.length);
    into.set(piece.subarray(0, size));
    if (size === piece.length) left.shift();
    else left[0] = piece.subarray(size);
    return size;
  }, limit);
}

/** Reads a body to its end: its text, and the error's where the end is not `EOF`. */
export async function readAll(body: {
  read(into: Uint8Array): Promise<{ readonly size: number; readonly error?: Error }>;
}): Promise<string> {
  const into = Buffer.alloc(512);
  for (let text = ''; ;) {
    const { size, error } = await body.read(into);
    text += into.toString('latin1', 0, size);
    if (error) return error.message === 'EOF' ? text : `${text}!${error.message}`;
  }
}
