import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import type { End } from './spec.js';

const HEAD_END = Buffer.from('\r\n\r\n');
/** How long a server waits for the peer after its FIN. */
const LINGER = 2000;

/** An accepted connection, with TLS on top when the server has it. */
export class ServerConn {
  buffer: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(
    readonly raw: Socket,
    readonly stream: Duplex = raw,
  ) {
    stream.on('data', (chunk: Buffer) => {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      this.#wakeUp();
    });
    for (const event of ['end', 'close', 'error']) {
      stream.on(event, () => {
        this.#ended = true;
        this.#wakeUp();
      });
    }
  }

  get isGone(): boolean {
    return this.stream.destroyed || this.raw.destroyed;
  }

  /** Waits for more; false at the end. */
  async fill(): Promise<boolean> {
    const before = this.buffer.length;
    while (this.buffer.length === before && !this.#ended && !this.isGone) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.buffer.length > before;
  }

  take(size: number): Buffer {
    const taken = this.buffer.subarray(0, size);
    this.buffer = this.buffer.subarray(size);
    return taken;
  }

  async readHead(): Promise<string | undefined> {
    for (;;) {
      const end = this.buffer.indexOf(HEAD_END);
      if (end >= 0) return this.take(end + HEAD_END.length).toString('latin1');
      if (!(await this.fill())) return undefined;
    }
  }

  /** Waits until the kernel has it; false when the peer is gone. */
  async write(data: Uint8Array): Promise<boolean> {
    if (this.isGone || !this.stream.writable) return false;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.raw.off('close', done);
        resolve();
      };
      this.raw.once('close', done);
      this.stream.write(data, done);
    });
    return !this.isGone;
  }

  /** The same again and again, until the peer is gone; others get their turns in between. */
  async writeForever(data: Uint8Array, everyMs = 0): Promise<void> {
    for (let n = 1; (await this.write(data)) && (await this.sleep(everyMs)); n++) {
      if (n % 32 === 0) await setImmediate();
    }
  }

  /** False when the connection ended meanwhile. */
  async sleep(ms: number): Promise<boolean> {
    if (ms <= 0) return !this.isGone;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.raw.off('close', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.raw.once('close', wake);
    });
    return !this.isGone;
  }

  async drip(data: Buffer, bytes: number, everyMs: number): Promise<boolean> {
    for (let at = 0; at < data.length; at += Math.max(bytes, 1)) {
      if (at > 0 && !(await this.sleep(everyMs))) return false;
      if (!(await this.write(data.subarray(at, at + Math.max(bytes, 1))))) return false;
    }
    return true;
  }

  /** Reads and forgets until the peer goes away. */
  async drain(): Promise<void> {
    do this.buffer = Buffer.alloc(0);
    while (await this.fill());
  }

  /** Ends the connection as a case asks. */
  async finish(how: End): Promise<void> {
    switch (how) {
      case 'rst':
        this.raw.resetAndDestroy();
        return;
      case 'fin':
        // No close_notify before the FIN.
        this.raw.end();
        break;
      case 'hold':
      case 'keepOpen':
        break;
      case 'close':
        this.stream.end();
    }
    if (how === 'close' || how === 'fin') await Promise.race([this.drain(), this.sleep(LINGER)]);
    else await this.drain();
    this.raw.destroy();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
