import { bytesOf, type ByteString, isValidUTF8, toText } from './byte-string.js';

export interface Output {
  readonly output: string;
  /** The output as it came, when it is not UTF-8. */
  readonly outputBytes?: Uint8Array;
}

const NONE: Output = { output: '' };

/** An output as text, and as bytes where the text does not tell them. */
export function outputOf(bytes: ByteString): Output {
  if (bytes === '') return NONE;
  const output = toText(bytes);
  return isValidUTF8(bytes) ? { output } : { output, outputBytes: bytesOf(bytes) };
}
