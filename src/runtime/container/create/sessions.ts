import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import type { Host } from '../../host.js';
import { isOwnerAlive } from '../../process-owner.js';
import type { Engine } from '../engine.js';
import type { EngineCommands } from '../engine-commands.js';
import { decodeLabels, LABELS } from './labels.js';

/** A run of kprobe, by what it made in the engine. */
export interface EngineSession {
  readonly id: string;
  readonly isAlive: boolean;
  /** The pods as `namespace/name`, by uid; empty when only volumes are left. */
  readonly pods: ReadonlyMap<string, string>;
  readonly containers: number;
}

/** Returns all sessions with containers or volumes. Rejects when the engine does not answer. */
export async function findSessions(engine: Engine, host: Host): Promise<readonly EngineSession[]> {
  const [states, volumes] = await Promise.all([
    engine.states([sessionLabel()]),
    volumeSessions(engine.commands),
  ]);
  const seen = await engine.inspect([...states.keys()]);
  const labels = seen.map((each) => decodeLabels(each.labels)).filter((each) => each !== undefined);
  const ids = new Set([...labels.map(({ session }) => session), ...volumes]);
  return Promise.all(
    [...ids].map(async (id) => {
      const containers = labels.filter(({ session }) => session === id);
      // The claimant is a process that took over the session.
      const claimant = await readFile(join(folder(), id), 'utf8').catch(() => '');
      const owners = new Set([...containers.map(({ owner }) => owner), claimant]);
      const alive = await Promise.all([...owners].map((owner) => isOwnerAlive(owner, host)));
      return {
        id,
        isAlive: alive.includes(true),
        pods: new Map(containers.map(({ uid, namespace, name }) => [uid, `${namespace}/${name}`])),
        containers: containers.length,
      };
    }),
  );
}

async function volumeSessions(commands: EngineCommands): Promise<readonly string[]> {
  const names = await commands.volumesWith(sessionLabel());
  return commands.labelsOfVolumes(names, LABELS.session);
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

/** Returns the label of what a session made, or without one, of what any session made. */
export function sessionLabel(session?: string): string {
  return session === undefined ? LABELS.session : `${LABELS.session}=${session}`;
}

/** Seconds between TERM and KILL. */
const STOP_GRACE_PERIOD = 2;

export async function removeContainersAndVolumes(engine: Engine, session: string): Promise<void> {
  const { commands } = engine;
  const label = sessionLabel(session);
  const states = await engine.states([label]);
  const sandboxes = await engine.states([label, `${LABELS.kind}=sandbox`]);
  const containers = [...states.keys()].filter((id) => !sandboxes.has(id));
  // A pause process ignores TERM.
  const running = containers.filter((id) => states.get(id) === 'running');
  if (running.length > 0) await commands.stop(running, STOP_GRACE_PERIOD);
  // podman keeps a sandbox while containers share its namespaces.
  for (const ids of [containers, [...sandboxes.keys()]]) {
    if (ids.length > 0) await commands.remove(ids);
  }
  const volumes = await commands.volumesWith(label);
  if (volumes.length > 0) await commands.removeVolumes(volumes);
}
