import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

import { RuntimeError } from '../kubelet/ports.js';
import {
  type EnvironmentInput,
  makeEnvironmentVariables,
} from './environment/environment-variables.js';
import type { Host } from './host.js';

/** What a container's commands run in on this machine. */
export interface ContainerContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Rejects with the kubelet's text when the container's environment cannot be made. */
export async function containerContext(
  host: Host,
  mark: Readonly<Record<string, string>>,
  input: EnvironmentInput,
): Promise<ContainerContext> {
  const environment = makeEnvironmentVariables(input);
  if (!environment.ok) throw new RuntimeError(environment.error, 'configuration');
  const own = Object.entries(host.env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined;
  });
  return {
    env: { ...mark, ...Object.fromEntries([...own, ...environment.value]), ...mark },
    cwd: await workingDirectory(host, input.container.workingDir),
  };
}

/** The container's directory where this machine has it, too. */
async function workingDirectory(host: Host, directory = ''): Promise<string> {
  if (!directory.startsWith('/')) return host.cwd;
  try {
    await access(directory, constants.X_OK);
    return (await stat(directory)).isDirectory() ? directory : host.cwd;
  } catch {
    return host.cwd;
  }
}
