/** Characters: more is cut out of the middle of a message, some quote a value whole. */
const LONGEST = 4000;
const ELLIPSIS = '…';

/** A message that is not too long to be read: its begin and its end. */
export function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const half = LONGEST / 2;
  return `${text.slice(0, half)}${ELLIPSIS}${text.slice(-half)}`;
}

/** As shorten, each line of a text by itself. */
export function shortenLines(text: string): string {
  return text.split('\n').map(shorten).join('\n');
}
