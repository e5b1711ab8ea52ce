import type { ByteString } from '../../../../src/go/byte-string.js';
import { huffmanDecode } from './huffman.js';
import { STATIC_TABLE } from './static-table.js';

export interface HeaderField {
  readonly name: ByteString;
  readonly value: ByteString;
}

/** What the decoding of a header block ended with. */
export type DecodeProblem = 'invalid' | 'stringTooLong';

const DYNAMIC_TABLE_SIZE = 4096;

/** RFC 7541, section 4.1. */
export function fieldSize({ name, value }: HeaderField): number {
  return name.length + value.length + 32;
}

interface Parsed<T> {
  readonly value: T;
  /** What comes behind it. */
  readonly at: number;
}

/** A value, that its bytes have not all come yet, or that it is none. */
type Parse<T> = Parsed<T> | 'needMore' | DecodeProblem;

/** Decodes header blocks in pieces. Ports Decoder (golang.org/x/net/http2/hpack/hpack.go). */
export class HpackDecoder {
  readonly #maxStringLength: number;
  /** Oldest first. */
  #dynamic: HeaderField[] = [];
  #size = 0;
  #maxSize = DYNAMIC_TABLE_SIZE;
  #rest: Buffer = Buffer.alloc(0);
  #isFirstField = true;

  constructor(maxStringLength: number) {
    this.#maxStringLength = maxStringLength;
  }

  /** Takes a piece of a block, and hands on each field that is complete. */
  write(piece: Buffer, emit: (field: HeaderField) => void): DecodeProblem | undefined {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    this.#rest = Buffer.alloc(0);
    for (let at = 0; at < bytes.length;) {
      const parsed = this.#parseField(bytes, at);
      if (parsed === 'needMore') {
        if (bytes.length - at > 2 * (this.#maxStringLength + 8)) return 'stringTooLong';
        this.#rest = Buffer.from(bytes.subarray(at));
        return undefined;
      }
      this.#isFirstField = false;
      if (typeof parsed === 'string') return parsed;
      at = parsed.at;
      const field = parsed.value;
      if (!field) continue;
      if (Math.max(field.name.length, field.value.length) > this.#maxStringLength) {
        return 'stringTooLong';
      }
      emit(field);
    }
    return undefined;
  }

  /** The block has ended; false when it was not complete. */
  close(): boolean {
    this.#isFirstField = true;
    const complete = this.#rest.length === 0;
    this.#rest = Buffer.alloc(0);
    return complete;
  }

  /** Ports parseHeaderFieldRepr (hpack.go). Undefined stands for what is no field. */
  #parseField(bytes: Buffer, at: number): Parse<HeaderField | undefined> {
    const first = bytes[at] ?? 0;
    if (first & 0x80) return this.#parseIndexed(bytes, at);
    if (first & 0x40) return this.#parseLiteral(bytes, at, 6);
    if (first & 0x20) return this.#parseSizeUpdate(bytes, at);
    return this.#parseLiteral(bytes, at, 4);
  }

  #parseIndexed(bytes: Buffer, start: number): Parse<HeaderField> {
    const index = readVarInt(bytes, start, 7);
    if (typeof index === 'string') return index;
    const field = this.#at(index.value);
    return field ? { value: field, at: index.at } : 'invalid';
  }

  /** With a prefix of 6 bits the field goes into the table. */
  #parseLiteral(bytes: Buffer, start: number, prefix: 4 | 6): Parse<HeaderField> {
    const index = readVarInt(bytes, start, prefix);
    if (typeof index === 'string') return index;
    const name =
      index.value > 0 ? this.#nameAt(index.value, index.at) : this.#readString(bytes, index.at);
    if (typeof name === 'string') return name;
    const value = this.#readString(bytes, name.at);
    if (typeof value === 'string') return value;
    const field = { name: name.value, value: value.value };
    if (prefix === 6) this.#add(field);
    return { value: field, at: value.at };
  }

  #nameAt(index: number, at: number): Parse<ByteString> {
    const field = this.#at(index);
    return field ? { value: field.name, at } : 'invalid';
  }

  #parseSizeUpdate(bytes: Buffer, start: number): Parse<undefined> {
    // It has to come first in a block.
    if (!this.#isFirstField && this.#size > 0) return 'invalid';
    const size = readVarInt(bytes, start, 5);
    if (typeof size === 'string') return size;
    if (size.value > DYNAMIC_TABLE_SIZE) return 'invalid';
    this.#maxSize = size.value;
    this.#evict();
    return { value: undefined, at: size.at };
  }

  #at(index: number): HeaderField | undefined {
    const known = STATIC_TABLE[index - 1];
    if (known) return { name: known[0], value: known[1] };
    return index === 0 ? undefined : this.#dynamic.at(STATIC_TABLE.length - index);
  }

  #add(field: HeaderField): void {
    this.#dynamic.push(field);
    this.#size += fieldSize(field);
    this.#evict();
  }

  #evict(): void {
    for (
      let [oldest] = this.#dynamic;
      oldest && this.#size > this.#maxSize;
      [oldest] = this.#dynamic
    ) {
      this.#size -= fieldSize(oldest);
      this.#dynamic.shift();
    }
  }

  #readString(bytes: Buffer, start: number): Parse<ByteString> {
    const isHuffman = ((bytes[start] ?? 0) & 0x80) !== 0;
    const length = readVarInt(bytes, start, 7);
    if (typeof length === 'string') return length;
    if (length.value > this.#maxStringLength) return 'stringTooLong';
    const at = length.at + length.value;
    if (at > bytes.length) return 'needMore';
    const raw = bytes.subarray(length.at, at);
    const value = isHuffman ? huffmanDecode(raw) : raw.toString('latin1');
    return value === undefined ? 'invalid' : { value, at };
  }
}

/** An integer with a prefix of so many bits. Ports readVarInt (hpack.go). */
function readVarInt(bytes: Buffer, start: number, prefix: number): Parse<number> {
  const first = bytes[start];
  if (first === undefined) return 'needMore';
  const max = 2 ** prefix - 1;
  let value = first & max;
  if (value < max) return { value, at: start + 1 };
  for (let at = start + 1, shift = 0; ; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'needMore';
    value += (byte & 0x7f) * 2 ** shift;
    if ((byte & 0x80) === 0) return { value, at: at + 1 };
    shift += 7;
    if (shift >= 63) return 'invalid';
  }
}
