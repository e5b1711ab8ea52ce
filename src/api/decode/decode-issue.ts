import type { JsonNode } from '../../go/json-node.js';

/** Something that strict decoding finds; `start` is where it stands in the text. */
export type DecodeIssue =
  | {
      readonly kind: 'unknown-field';
      readonly path: string;
      readonly start: number;
      readonly name: string;
      /** The type of the object, and of those around it, the innermost first. */
      readonly structs: readonly string[];
    }
  | { readonly kind: 'duplicate-field'; readonly path: string; readonly start: number }
  | {
      readonly kind: 'wrong-type';
      readonly path: string;
      readonly start: number;
      readonly found: JsonNode;
      /** The Go type that was wanted. */
      readonly wanted: string;
      /** The server's own words. */
      readonly message: string;
      /** Whether Go's decoder stops here, so that its answer is this one alone. */
      readonly fatal: boolean;
    }
  | {
      readonly kind: 'unsafe-integer';
      readonly path: string;
      readonly start: number;
      readonly literal: string;
    };
