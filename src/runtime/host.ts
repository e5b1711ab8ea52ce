import { availableParallelism, totalmem } from 'node:os';

import type { Signaller } from '../process/signal.js';
import type { EnvironmentNode } from './environment/environment-variables.js';

/** The machine that kprobe runs on, as far as a runtime needs it. */
export interface Host extends Signaller {
  /** kprobe's own variables; a container's lie over them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a process starts whose container's directory is not on this machine. */
  readonly cwd: string;
}

/** Returns kprobe's own variables, those that are set. */
export function definedEnv({ env }: Host): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** This machine as a node: what a container without limits may use is all that there is. */
export function localNode(address: string): EnvironmentNode {
  return {
    hostIPs: [address],
    allocatable: { cpu: `${availableParallelism()}`, memory: `${totalmem()}` },
  };
}
