import type { ByteString } from '../../go/byte-string.js';
import { isValidHeaderValue } from '../../go/header.js';
import { quote } from '../../go/quote.js';
import { errorCode, StreamError } from './error-code.js';
import { fieldSize, type HeaderField } from './hpack-decoder.js';

const WIRE_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/** The fields of a header block, checked as they come. Ports a part of readMetaFrame (golang.org/x/net/http2/frame.go). */
export class HeaderList {
  readonly #fields: HeaderField[] = [];
  #left: number;
  #sawRegular = false;
  #truncated = false;
  #invalid: string | undefined;

  constructor(maxSize: number) {
    this.#left = maxSize;
  }

  /** Whether a piece of a block is worth decoding at all. */
  mayTake(size: number): boolean {
    return size <= 2 * this.#left && this.#invalid === undefined;
  }

  add(field: HeaderField): void {
    if (this.#invalid !== undefined || this.#truncated) return;
    this.#invalid = this.#problem(field);
    if (this.#invalid !== undefined) return;
    const size = fieldSize(field);
    if (size > this.#left) {
      this.#truncated = true;
      this.#left = 0;
      return;
    }
    this.#left -= size;
    this.#fields.push(field);
  }

  /** The fields; throws a StreamError when they are not valid. */
  checked(streamID: number): {
    readonly fields: readonly HeaderField[];
    readonly truncated: boolean;
  } {
    const problem = this.#invalid ?? pseudoProblem(this.#fields);
    if (problem !== undefined) {
      throw new StreamError(streamID, errorCode('PROTOCOL_ERROR'), problem);
    }
    return { fields: this.#fields, truncated: this.#truncated };
  }

  #problem({ name, value }: HeaderField): string | undefined {
    let problem = isValidHeaderValue(value)
      ? undefined
      : `invalid header field value for ${quote(name)}`;
    if (name.startsWith(':')) {
      if (this.#sawRegular) problem = 'pseudo header field after regular';
    } else {
      this.#sawRegular = true;
      if (!WIRE_NAME.test(name)) problem = `invalid header field name ${quote(name)}`;
    }
    return problem;
  }
}

export function isPseudo({ name }: HeaderField): boolean {
  return name.startsWith(':');
}

const REQUEST_PSEUDOS = new Set<ByteString>([
  ':method',
  ':path',
  ':scheme',
  ':authority',
  ':protocol',
]);

/** Ports checkPseudos (golang.org/x/net/http2/frame.go). */
function pseudoProblem(fields: readonly HeaderField[]): string | undefined {
  const seen = new Set<ByteString>();
  for (const field of fields) {
    if (!isPseudo(field)) break;
    const { name } = field;
    if (!REQUEST_PSEUDOS.has(name) && name !== ':status') {
      return `invalid pseudo-header ${quote(name)}`;
    }
    if (seen.has(name)) return `duplicate pseudo-header ${quote(name)}`;
    seen.add(name);
  }
  const isMixed = seen.has(':status') && seen.size > 1;
  return isMixed ? 'mix of request and response pseudo headers' : undefined;
}
