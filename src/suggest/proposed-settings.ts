import type { Probe } from '../api/index.js';
import type { Trade } from './trades.js';

/** What is proposed for one probe. */
export interface ProposedSettings {
  readonly after: Probe;
  readonly reasons: readonly string[];
  readonly trades?: readonly Trade[];
}
