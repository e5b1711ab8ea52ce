import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { JsonReader, tryParseJson } from '../../../api/index.js';
import { startTicks, statFields } from '../../../process/processes.js';
import type { Host } from '../../host.js';
import type { Engine } from '../engine.js';
import type { EngineCli } from '../engine-cli.js';
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

async function volumeSessions(cli: EngineCli): Promise<readonly string[]> {
  const names = await volumesOf(cli);
  if (names.length === 0) return [];
  const list = tryParseJson(await cli.run(['volume', 'inspect', ...names]));
  const sessions = new JsonReader({ list })
    .list('list')
    .map((volume) => volume.in('Labels').text(LABELS.session));
  return sessions.filter((session) => session !== '');
}

/** Returns the identity of a process: its id and start time, since ids are reused. */
export async function ownerOf(pid: number): Promise<string> {
  return `${pid}.${await startOf(pid)}`;
}

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
    return startTicks(statFields(stat));
  } catch {
    return 0;
  }
}

/** Returns the label of what a session made, or without one, of what any session made. */
export function sessionLabel(session?: string): string {
  return session === undefined ? LABELS.session : `${LABELS.session}=${session}`;
}

/** Returns the names of the volumes that a session made, or that any session made. */
async function volumesOf(cli: EngineCli, session?: string): Promise<readonly string[]> {
  const filter = ['--filter', `label=${sessionLabel(session)}`];
  const printed = await cli.run(['volume', 'ls', '--quiet', ...filter]);
  return printed.split('\n').filter((name) => name !== '');
}

/** Seconds between TERM and KILL. */
const STOP_GRACE_PERIOD = '2';

export async function removeContainersAndVolumes(engine: Engine, session: string): Promise<void> {
  const { cli } = engine;
  const label = sessionLabel(session);
  const states = await engine.states([label]);
  const sandboxes = await engine.states([label, `${LABELS.kind}=sandbox`]);
  const containers = [...states.keys()].filter((id) => !sandboxes.has(id));
  // A pause process ignores TERM.
  const running = containers.filter((id) => states.get(id) === 'running');
  if (running.length > 0) await cli.runIfPresent(['stop', '-t', STOP_GRACE_PERIOD, ...running]);
  // podman keeps a sandbox while containers share its namespaces.
  for (const ids of [containers, [...sandboxes.keys()]]) {
    if (ids.length > 0) await cli.runIfPresent(['rm', '--force', '--volumes', ...ids]);
  }
  const volumes = await volumesOf(cli, session);
  if (volumes.length > 0) await cli.runIfPresent(['volume', 'rm', '--force', ...volumes]);
}
