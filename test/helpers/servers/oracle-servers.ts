import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { normalize } from './fleet.js';

/** The servers of a case file as the probe oracle plays them. */
export interface OracleServers {
  readonly portOf: (id: string) => number;
  readonly normalize: (text: string) => string;
  close(): Promise<void>;
}

/** Starts `probe serve` for the case file at a path. */
export async function startOracleServers(oracle: string, path: string): Promise<OracleServers> {
  const child = spawn(oracle, ['serve', path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const ports = JSON.parse(line) as Record<string, number>;
  const ids = new Map(Object.entries(ports).map(([id, port]) => [port, id]));
  return {
    portOf: (id) => ports[id] ?? 0,
    normalize: (text) => normalize(text, ids),
    async close() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}
