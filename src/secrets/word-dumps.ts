/** Numbers of bytes in a word, and the functions that reverse their order. */
const SWAPS = [
  [2, (bytes: Buffer) => bytes.swap16()],
  [4, (bytes: Buffer) => bytes.swap32()],
  [8, (bytes: Buffer) => bytes.swap64()],
] as const;

/** The fewest bytes of a value that are masked as words: fewer may as well come from something else. */
const MIN_WORDS = 6;

/**
 * Returns the words that `od` may print of a value's bytes, the last byte first: two, four or eight bytes in hexadecimal
 * digits, two in octal ones. A word at either end may have bytes of the value beside others; it is left out.
 */
export function wordDumps(bytes: Uint8Array): string[] {
  return SWAPS.flatMap(([size, swap]) =>
    Array.from({ length: size }, (_, begin) => {
      const whole = bytes.slice(begin, bytes.length - ((bytes.length - begin) % size));
      if (whole.length < MIN_WORDS) return [];
      const words = swap(Buffer.from(whole)).toString('hex');
      const octal = (word: string) => parseInt(word, 16).toString(8).padStart(6, '0');
      return size === 2 ? [words, words.replaceAll(/.{4}/g, octal)] : words;
    }).flat(),
  );
}
