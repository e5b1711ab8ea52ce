import { goQuote } from '../../go/quote.js';
import type { DecodeIssue } from './decode-issue.js';

/** The answer of strict decoding to one issue, in the server's words; undefined for what it does not mind. */
export function strictMessage(issue: DecodeIssue): string | undefined {
  switch (issue.kind) {
    case 'unknown-field':
      return `unknown field ${goQuote(issue.path)}`;
    case 'duplicate-field':
      return `duplicate field ${goQuote(issue.path)}`;
    case 'wrong-type':
    case 'unsafe-integer':
      return undefined;
  }
}

/** The error that decoding ends in: Go shows the first wrong type, or the first that stops it at once. */
export function decodeMessage(issues: readonly DecodeIssue[]): string | undefined {
  const wrong = issues.filter((issue) => issue.kind === 'wrong-type');
  return (wrong.find((issue) => issue.fatal) ?? wrong[0])?.message;
}
