/** A text that spaces were put into, and the way back to the offsets of the text before. */
export interface PaddedText {
  readonly text: string;
  readonly originalOffset: (offset: number) => number;
}

export interface Padding {
  /** In the text before. */
  readonly offset: number;
  readonly spaces: number;
}

/** Puts spaces into a text; the paddings come in the order of their offsets. */
export function pad(text: string, paddings: readonly Padding[]): PaddedText {
  const parts: string[] = [];
  /** Where each padding begins in the new text, and how much has been put in up to its end. */
  const starts: number[] = [];
  const sums: number[] = [0];
  let from = 0;
  let sum = 0;
  for (const { offset, spaces } of paddings) {
    parts.push(text.slice(from, offset), ' '.repeat(spaces));
    starts.push(offset + sum);
    sum += spaces;
    sums.push(sum);
    from = offset;
  }
  parts.push(text.slice(from));
  const originalOffset = (offset: number): number => {
    const before = countUpTo(starts, offset);
    // A place inside the padding stands for its end.
    return Math.max(offset - (sums[before] ?? 0), paddings[before - 1]?.offset ?? 0);
  };
  return { text: parts.join(''), originalOffset };
}

/** How many of the sorted numbers are smaller than the limit, or the limit itself. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
