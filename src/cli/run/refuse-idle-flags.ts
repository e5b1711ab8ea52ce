import { UsageError } from '../shared/usage-error.js';
import type { RunFlags } from './run-flags.js';

/** Flags that say how an engine's containers are taken, and the flags that say that there are any. */
const OF: Readonly<Partial<Record<keyof RunFlags, readonly ('create' | 'docker')[]>>> = {
  runtime: ['docker', 'create'],
  via: ['docker', 'create'],
  restart: ['docker'],
  network: ['create'],
  keep: ['create'],
  adopt: ['create'],
  replace: ['create'],
  allowHostPath: ['create'],
  allowPrivileged: ['create'],
};

/** Throws a UsageError for a flag that would do nothing: who gave it expects something of it. */
export function refuseIdleFlags(flags: RunFlags): void {
  for (const [name, of] of Object.entries(OF)) {
    const isGiven = flags[name as keyof RunFlags] !== undefined;
    if (!isGiven || of.some((flag) => flags[flag] !== undefined)) continue;
    throw new UsageError(`${optionOf(name)} is for ${of.map(optionOf).join(' and ')}`);
  }
}

/** `allowHostPath` as it is typed. */
function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
