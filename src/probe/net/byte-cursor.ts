/** Reads fields one after another; undefined when too little is left. Ports cryptobyte.String (golang.org/x/crypto/cryptobyte). */
export class ByteCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isEmpty(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** An unsigned number of 1 to 3 bytes. */
  uint(size: 1 | 2 | 3): number | undefined {
    const bytes = this.take(size);
    return bytes?.readUIntBE(0, size);
  }

  take(size: number): Buffer | undefined {
    if (this.#bytes.length - this.#at < size) return undefined;
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  /** Bytes behind a number of `size` bytes that tells how many they are. */
  prefixed(size: 1 | 2 | 3): Buffer | undefined {
    const length = this.uint(size);
    return length === undefined ? undefined : this.take(length);
  }
}
