import { toByteString, toText } from '../go/byte-string.js';
import { quote } from '../go/quote.js';

/** A text as Go's `%q` shows it. */
export function goQuote(text: string): string {
  return toText(quote(toByteString(text)));
}
