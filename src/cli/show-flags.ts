import type { COLORS, Output } from './run-flags.js';

/** How a run is to be shown. */
export interface ShowFlags {
  readonly output?: Output;
  readonly plain?: boolean;
  readonly color?: (typeof COLORS)[number];
  readonly hints?: boolean;
  readonly verbose?: boolean;
  readonly logs?: boolean;
}
