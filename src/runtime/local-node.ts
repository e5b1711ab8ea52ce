import { availableParallelism, totalmem } from 'node:os';

import type { EnvironmentNode } from './environment/environment-variables.js';

/** This machine as a node: what a container without limits may use is all that there is. */
export function localNode(address: string): EnvironmentNode {
  return {
    hostIPs: [address],
    allocatable: { cpu: `${availableParallelism()}`, memory: `${totalmem()}` },
  };
}
