import type { Clock } from '../clock/clock.js';
import { connectEngine } from '../runtime/container/connect-engine.js';
import { findSessions } from '../runtime/container/create/sessions.js';
import type { EngineName } from '../runtime/container/engine-kind.js';
import type { Host } from '../runtime/host.js';
import { removeSession } from './create/create-target.js';

interface DownOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly engine: EngineName;
  /** Also remove pods of a kprobe that is still running. */
  readonly all: boolean;
}

/**
 * Removes the pods that runs of kprobe have left in an engine. Resolves with the names of the pods that it removed, and
 * of those that a running kprobe still uses.
 *
 * @throws RuntimeError when the engine cannot be reached
 */
export async function down({ clock, host, engine: name, all }: DownOptions) {
  const engine = await connectEngine(name, clock, host);
  const sessions = await findSessions(engine);
  const doomed = sessions.filter(({ isAlive }) => all || !isAlive);
  const kept = sessions.filter((session) => !doomed.includes(session));
  for (const { id } of doomed) await removeSession(engine, id);
  return { removed: namesOf(doomed), kept: namesOf(kept) };
}

function namesOf(sessions: Awaited<ReturnType<typeof findSessions>>): string[] {
  return sessions.flatMap(({ id, pods }) => {
    const names = [...new Set(pods.values())];
    return names.length > 0 ? names : [`volumes of ${id}`];
  });
}
