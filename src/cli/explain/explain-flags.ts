import type { COLORS } from '../show/show-flags.js';

export const EXPLAIN_OUTPUTS = ['text', 'json', 'svg'] as const;

/** What the command line of `explain` says. */
export interface ExplainFlags {
  readonly container?: string;
  readonly output?: (typeof EXPLAIN_OUTPUTS)[number];
  readonly color?: (typeof COLORS)[number];
}
