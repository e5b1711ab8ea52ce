import type { Admission, DecodeIssue, SyntaxProblem } from '../../api/index.js';
import type { JsonNode } from '../../go/json-node.js';
import type { DuplicateKey } from '../../go/yaml/decode-tree.js';
import type { Verdict } from './verdict.js';

/** A verdict and what it was read off, for those who want to know where in the text it comes from. */
export interface Judged {
  readonly verdict: Verdict;
  /** Undefined for a document that could not be read, and for a file with nothing in it. */
  readonly node?: JsonNode;
  readonly problem?: SyntaxProblem;
  /** Keys that stand twice in YAML, when that is what is sent. */
  readonly duplicates?: readonly DuplicateKey[];
  /** Of an object that was looked into. */
  readonly admission?: Admission;
  /** Of a list. */
  readonly issues?: readonly DecodeIssue[];
  /** Whether it is of a kind that no server has by itself. */
  readonly unserved?: boolean;
}
