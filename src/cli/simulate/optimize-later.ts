import type { Scenario } from '../../sim/scenario.js';

/** Virtual milliseconds of all pods together. A longer simulation gets back what it costs to optimize its code. */
const SHORT = 2 * 3600 * 1000;

/** Bytes of bytecode that a function runs before V8 optimizes it; by itself it waits for a fraction of that. */
const BUDGET = 1_800_000;

/** The last major version of Node whose V8 is known to have the flag. */
const LAST_KNOWN = 24;

/** Whether a simulation is over before the code that was optimized for it has made up for that. */
export function isShort(scenarios: readonly Scenario[]): boolean {
  return scenarios.reduce((sum, { until }) => sum + until, 0) <= SHORT;
}

/** V8's flag that has it optimize only what runs for long, or undefined of a Node that may not have it. */
export function optimizeLaterFlag(nodeVersion: string): string | undefined {
  return Number.parseInt(nodeVersion, 10) > LAST_KNOWN ? undefined : `--interrupt-budget=${BUDGET}`;
}
