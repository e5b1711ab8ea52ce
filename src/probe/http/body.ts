import { IoError } from '../io-error.js';
import { type BufioReader, EOF_ERROR, type ReadResult, UNEXPECTED_EOF_ERROR } from './bufio.js';
import { ChunkedReader } from './chunked.js';
import { readMIMEHeader } from './mime-header.js';
import type { Framing } from './transfer.js';

/** A response's body, read like an io.Reader: the end is the error `EOF`. */
export interface Body {
  read(into: Uint8Array): Promise<ReadResult>;
}

export const NO_BODY: Body = { read: () => Promise.resolve({ size: 0, error: EOF_ERROR }) };

/** Ports body (net/http/transfer.go). */
export function bodyOf(framing: Framing, reader: BufioReader): Body {
  switch (framing.kind) {
    case 'none':
      return NO_BODY;
    case 'length':
      return lengthBody(reader, framing.length);
    case 'chunked':
      return chunkedBody(reader);
    case 'untilClose':
      return reader;
  }
}

function lengthBody(reader: BufioReader, length: number): Body {
  let left = length;
  return {
    async read(into) {
      if (left === 0) return { size: 0, error: EOF_ERROR };
      const { size, error } = await reader.read(into.subarray(0, left));
      left -= size;
      if (left === 0) return { size, error: EOF_ERROR };
      if (error === undefined) return { size };
      // The end came before what was declared.
      return { size, error: error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error };
    },
  };
}

function chunkedBody(reader: BufioReader): Body {
  const chunks = new ChunkedReader(reader);
  let end: Error | undefined;
  return {
    async read(into) {
      if (end) return { size: 0, error: end };
      const result = await chunks.read(into);
      if (result.error !== EOF_ERROR) return result;
      end = (await readTrailer(reader)) ?? EOF_ERROR;
      return { size: result.size, error: end };
    },
  };
}

const TRAILER_EOF = 'http: unexpected EOF reading trailer';

/** Ports body.readTrailer (net/http/transfer.go). */
async function readTrailer(reader: BufioReader): Promise<Error | undefined> {
  const { bytes } = await reader.peek(2);
  if (bytes.toString('latin1') === '\r\n') {
    reader.discard(2);
    return undefined;
  }
  if (bytes.length < 2) return new IoError(TRAILER_EOF);
  if (!(await seesDoubleCRLF(reader))) {
    return new IoError('http: suspiciously long trailer after chunked body');
  }
  try {
    await readMIMEHeader(reader);
    return undefined;
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    return error === EOF_ERROR ? new IoError(TRAILER_EOF) : error;
  }
}

/** Whether the trailer ends within the buffer. Ports seeUpcomingDoubleCRLF (net/http/transfer.go). */
async function seesDoubleCRLF(reader: BufioReader): Promise<boolean> {
  for (let size = 4; ; size++) {
    const { bytes, error } = await reader.peek(size);
    if (bytes.subarray(-4).toString('latin1') === '\r\n\r\n') return true;
    if (error || bytes.length < size) return false;
  }
}
