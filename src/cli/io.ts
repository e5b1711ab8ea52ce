import type { Readable, Writable } from 'node:stream';

import type { Host } from '../runtime/host.js';

/** What a command gets of the process. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The machine, for what runs on it. */
  readonly host: Host;
  /** Aborted when the process is to end; the reason is the exit code. */
  readonly signal: AbortSignal;
}

/** Writes all of a text, and waits until it has gone out. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
