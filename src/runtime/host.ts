import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { availableParallelism, hostname, totalmem } from 'node:os';

import type { Signaller } from '../process/processes.js';
import type { EnvironmentNode } from './environment/environment-variables.js';

/** The parts of kprobe's machine that a runtime needs. */
export interface Host extends Signaller {
  /** kprobe's own variables, which a container's override. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory of a process whose container's directory does not exist on this machine. */
  readonly cwd: string;
}

export function definedEnv({ env }: Host): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Returns this machine as a node: without limits a container may use all of it. */
export function localNode(address: string): EnvironmentNode {
  return {
    // A kubelet names its node like this.
    name: hostname().trim().toLowerCase(),
    hostIPs: [address],
    allocatable: { cpu: `${availableParallelism()}`, memory: `${totalmem()}` },
  };
}

/** Returns the container's directory if this machine has it, or kprobe's own. */
export async function workingDirectory(host: Host, directory = ''): Promise<string> {
  if (!directory.startsWith('/')) return host.cwd;
  try {
    await access(directory, constants.X_OK);
    return (await stat(directory)).isDirectory() ? directory : host.cwd;
  } catch {
    return host.cwd;
  }
}
