import type { Dispatcher } from 'undici';

import { type Header, headerOf } from '../../../go/header.js';
import type { Body } from '../body.js';
import { EOF_ERROR, type ReadResult, UNEXPECTED_EOF_ERROR } from '../bufio.js';
import { trim } from '../mime-header.js';
import { hasReadAsGo, type ReadHead } from './limits.js';
import type { TappedConn } from './tapped-conn.js';

/** What may wait to be read before the peer is made to wait. */
const HIGH_WATER = 16 * 1024;

/** What undici tells of a response: its head, and then its body, read like an io.Reader. */
export class Answer implements Dispatcher.DispatchHandler, Body {
  /** Undefined when it is to be read again, by somebody else. */
  readonly head: Promise<ReadHead | undefined>;
  readonly #tapped: TappedConn;
  #onHead: (head: ReadHead | undefined) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #end: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(tapped: TappedConn) {
    this.#tapped = tapped;
    this.head = new Promise((resolve) => {
      this.#onHead = resolve;
    });
  }

  async read(into: Uint8Array): Promise<ReadResult> {
    while (this.#chunks.length === 0) {
      if (this.#end) return { size: 0, error: this.#end };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { size: this.#take(into) };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    const { head: raw } = this.#tapped;
    const header = headerFrom((controller.rawHeaders ?? []) as Buffer[]);
    const head = { raw, statusCode, header };
    if (!hasReadAsGo(head)) {
      this.#tapped.endStream();
      return this.#onHead(undefined);
    }
    this.#tapped.forget();
    this.#onHead(head);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting >= HIGH_WATER) controller.pause();
    this.#wakeUp();
  }

  onResponseEnd(): void {
    // undici would do so with an error of its own.
    this.#tapped.endStream();
    this.#endWith(EOF_ERROR);
  }

  /** In a body of known length, or up to the end, nothing but the connection can go wrong. */
  onResponseError(): void {
    this.#onHead(undefined);
    this.#endWith(this.#tapped.failure ?? UNEXPECTED_EOF_ERROR);
  }

  #take(into: Uint8Array): number {
    const [chunk] = this.#chunks;
    if (!chunk) return 0;
    const size = Math.min(chunk.length, into.length);
    into.set(chunk.subarray(0, size));
    if (size === chunk.length) this.#chunks.shift();
    else this.#chunks[0] = chunk.subarray(size);
    this.#waiting -= size;
    if (this.#waiting < HIGH_WATER) this.#controller?.resume();
    return size;
  }

  #endWith(error: Error): void {
    this.#end ??= error;
    this.#wakeUp();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

/** Names and values in turns. */
function headerFrom(raw: readonly Buffer[]): Header {
  const texts = raw.map((each) => trim(each.toString('latin1')));
  return headerOf(
    texts.flatMap((name, at) => (at % 2 ? [] : [[name, texts[at + 1] ?? ''] as const])),
  );
}
