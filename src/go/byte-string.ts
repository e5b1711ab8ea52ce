/**
 * A string as Go has it: each character stands for one byte (0 to 255). What is ASCII looks the same
 * in both; anything else is converted on the way in and out.
 */
export type ByteString = string;

const ASCII = /^[\x00-\x7f]*$/;

export function isASCII(text: string): boolean {
  return ASCII.test(text);
}

/** The bytes of a text in UTF-8; half a surrogate pair becomes U+FFFD. */
export function toByteString(text: string): ByteString {
  return isASCII(text) ? text : latin1(new TextEncoder().encode(text));
}

/** Bytes, one character each. */
export function latin1({ buffer, byteOffset, length }: Uint8Array): ByteString {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

export function bytesOf(byteString: ByteString): Uint8Array {
  return Uint8Array.from(Buffer.from(byteString, 'latin1'));
}

/** One character of UTF-8, or a byte that does not begin a character. Ports utf8.DecodeRune (unicode/utf8/utf8.go). */
interface DecodedRune {
  /** U+FFFD with a width of 1 is a byte that is not UTF-8. */
  readonly rune: number;
  readonly width: number;
}

const INVALID: DecodedRune = { rune: 0xfffd, width: 1 };

export function decodeRune(bytes: ByteString, at: number): DecodedRune {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return { rune: first, width: 1 };
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + width > bytes.length) return INVALID;
  let rune = first & (0xff >> (width + 1));
  for (let i = 1; i < width; i++) {
    const next = bytes.charCodeAt(at + i);
    if ((next & 0xc0) !== 0x80) return INVALID;
    rune = (rune << 6) | (next & 0x3f);
  }
  const shortest = width === 2 || rune >= (width === 3 ? 0x800 : 0x10000);
  const isScalar = rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff);
  return shortest && isScalar ? { rune, width } : INVALID;
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A text for people and JSON: each byte that is not UTF-8 becomes U+FFFD, as encoding/json writes it. */
export function toText(bytes: ByteString): string {
  return outputOf(bytes).output;
}

interface Output {
  readonly output: string;
  /** The output as it came, when it is not UTF-8. */
  readonly outputBytes?: Uint8Array;
}

/** An output as text, and as bytes where the text cannot represent them. */
export function outputOf(byteString: ByteString): Output {
  if (isASCII(byteString)) return { output: byteString };
  const outputBytes = bytesOf(byteString);
  try {
    return { output: STRICT.decode(outputBytes) };
  } catch {
    return { output: decodeLeniently(byteString), outputBytes };
  }
}

function decodeLeniently(bytes: ByteString): string {
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const { rune, width } = decodeRune(bytes, at);
    out += String.fromCodePoint(rune);
    at += width;
  }
  return out;
}
