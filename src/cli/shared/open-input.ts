import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';

import type { Io } from './io.js';

/**
 * What is read from a file, or from standard input for `-`. Reading it rejects with an AbortError when the process is
 * to end: who writes into a pipe may take for ever. Throws what the system says against the file.
 */
export async function openInput(path: string, { stdin, signal }: Io): Promise<Readable> {
  return addAbortSignal(signal, path === '-' ? stdin : await openFile(path));
}

async function openFile(path: string): Promise<Readable> {
  if (!statSync(path).isFIFO()) return createReadStream(path);
  // To open a pipe that nobody writes into yet would hold a thread, and with it the end of the process.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { Socket } = await import('node:net');
  return new Socket({ fd, readable: true, writable: false });
}
