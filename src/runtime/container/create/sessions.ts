import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { Fields, tryParseJson } from '../../../api/index.js';
import { statFields } from '../../../process/processes.js';
import type { Host } from '../../host.js';
import type { Engine } from '../engine.js';
import { sessionLabel, volumesOf } from './engine.js';
import { decodeLabels, LABELS } from './labels.js';

/** A run of kprobe, by what it made in the engine. */
export interface Session {
  readonly id: string;
  /** Its process exists. */
  readonly isAlive: boolean;
  /** `namespace/name` by uid; empty when only its volumes are left. */
  readonly pods: ReadonlyMap<string, string>;
  readonly containers: number;
}

/** Returns all sessions with containers or volumes. Rejects when the engine does not answer. */
export async function findSessions(engine: Engine): Promise<readonly Session[]> {
  const { cli } = engine;
  const [states, volumes] = await Promise.all([
    engine.states([sessionLabel()]),
    volumeSessions(cli),
  ]);
  const seen = await engine.inspect([...states.keys()]);
  const labels = seen.map((each) => decodeLabels(each.labels)).filter((each) => each !== undefined);
  const ids = new Set([...labels.map(({ session }) => session), ...volumes]);
  return Promise.all(
    [...ids].map(async (id) => {
      const own = labels.filter(({ session }) => session === id);
      // A process that took over the session.
      const claimant = await readFile(join(folder(), id), 'utf8').catch(() => '');
      const owners = new Set([...own.map(({ owner }) => owner), claimant]);
      const alive = await Promise.all([...owners].map((owner) => isOwnerAlive(owner, cli.host)));
      return {
        id,
        isAlive: alive.includes(true),
        pods: new Map(own.map(({ uid, namespace, name }) => [uid, `${namespace}/${name}`])),
        containers: own.length,
      };
    }),
  );
}

/** Returns the sessions of the volumes that are there. */
async function volumeSessions(cli: Engine['cli']): Promise<readonly string[]> {
  const names = await volumesOf(cli);
  if (names.length === 0) return [];
  const list = tryParseJson(await cli.run(['volume', 'inspect', ...names]));
  const sessions = new Fields({ list })
    .list('list')
    .map((volume) => volume.in('Labels').text(LABELS.session));
  return sessions.filter((session) => session !== '');
}

/** Returns the identity of a process: its id and start time, since ids are reused. */
export async function ownerOf(pid: number): Promise<string> {
  return `${pid}.${await startOf(pid)}`;
}

/** Returns true while that process exists. */
async function isOwnerAlive(owner: string, host: Host): Promise<boolean> {
  const [pid = 0, start = 0] = owner.split('.').map(Number);
  if (pid <= 0 || Number.isNaN(pid)) return false;
  try {
    host.kill(pid, 0);
  } catch (error) {
    // It exists, and is another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return start === 0 || start === (await startOf(pid));
}

/** Takes over a session: the labels of its containers name a process that is gone. */
export async function claimSession(session: string, owner: string): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  await writeFile(join(folder(), session), owner, { mode: 0o600 });
}

export async function releaseSession(session: string): Promise<void> {
  await rm(join(folder(), session), { force: true });
}

function folder(): string {
  return join(tmpdir(), `kprobe-sessions-${userInfo().uid}`);
}

/** Returns a process's start in ticks since boot; 0 without /proc. */
async function startOf(pid: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    return Number(statFields(stat)[19] ?? 0);
  } catch {
    return 0;
  }
}
