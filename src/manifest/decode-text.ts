/**
 * The text of a file: a byte order mark is honoured (UTF-8, UTF-16) and taken off, bytes that are not UTF-8
 * become U+FFFD. Ports what kubectl does with unicode.BOMOverride.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
