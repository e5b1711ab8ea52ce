import type { Host } from '../../host.js';
import type { EngineCli } from '../engine-cli.js';
import { inspectContainers } from '../inspect-containers.js';
import { claimantOf, isOwnerAlive } from '../owner.js';
import { Engine } from './engine.js';
import { decodeLabels, SESSION_LABEL } from './labels.js';

/** A run of kprobe, by what it has made in the engine. */
export interface Session {
  readonly id: string;
  /** A process looks after it. */
  readonly isAlive: boolean;
  /** `namespace/name` by uid; empty when only its volumes are left. */
  readonly pods: ReadonlyMap<string, string>;
  readonly containers: number;
}

/** All sessions that the engine holds something of. Rejects when it cannot be asked. */
export async function findSessions(cli: EngineCli, host: Host): Promise<readonly Session[]> {
  const engine = new Engine(cli);
  const printed = await engine.run([
    'ps',
    '--all',
    '--quiet',
    '--no-trunc',
    '--filter',
    `label=${SESSION_LABEL}`,
  ]);
  const seen = await inspectContainers(
    cli,
    printed.split('\n').filter((id) => id !== ''),
  );
  const labels = seen.map((each) => decodeLabels(each.labels)).filter((each) => each !== undefined);
  const ids = new Set([...labels.map(({ session }) => session), ...(await volumeSessions(engine))]);
  return Promise.all(
    [...ids].map(async (id) => {
      const own = labels.filter(({ session }) => session === id);
      const claimant = await claimantOf(id);
      const owners = [
        ...own.map(({ owner }) => owner),
        ...(claimant === undefined ? [] : [claimant]),
      ];
      const alive = await Promise.all(
        [...new Set(owners)].map((owner) => isOwnerAlive(owner, host)),
      );
      return {
        id,
        isAlive: alive.includes(true),
        pods: new Map(own.map(({ uid, namespace, name }) => [uid, `${namespace}/${name}`])),
        containers: own.length,
      };
    }),
  );
}

async function volumeSessions(engine: Engine): Promise<readonly string[]> {
  const format = `{{.Label "${SESSION_LABEL}"}}`;
  const filter = ['--filter', `label=${SESSION_LABEL}`];
  const printed = await engine.run(['volume', 'ls', ...filter, '--format', format]);
  return printed.split('\n').filter((id) => id !== '');
}
