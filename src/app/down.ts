import type { Clock } from '../clock/clock.js';
import { RuntimeError } from '../kubelet/ports.js';
import { findSessions } from '../runtime/container/create/sessions.js';
import { EngineCli } from '../runtime/container/engine-cli.js';
import { engineKind, type EngineName } from '../runtime/container/engine-kind.js';
import type { Host } from '../runtime/host.js';
import { removeSession } from './create-target.js';

export interface DownOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly engine: EngineName;
  /** Also what a running kprobe looks after. */
  readonly all: boolean;
}

export type DownEnd =
  | {
      readonly kind: 'done';
      /** The pods whose containers were removed. */
      readonly removed: readonly string[];
      /** Those that a running kprobe looks after. */
      readonly spared: readonly string[];
    }
  | { readonly kind: 'unreachable'; readonly message: string };

/** Removes what runs of kprobe have left in an engine. */
export async function down({ clock, host, engine, all }: DownOptions): Promise<DownEnd> {
  const cli = new EngineCli({ kind: engineKind(engine), clock, host });
  try {
    const sessions = await findSessions(cli, host);
    const doomed = sessions.filter(({ isAlive }) => all || !isAlive);
    const spared = sessions.filter((session) => !doomed.includes(session));
    for (const { id } of doomed) await removeSession(cli, id);
    return { kind: 'done', removed: namesOf(doomed), spared: namesOf(spared) };
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { kind: 'unreachable', message: error.message };
  }
}

function namesOf(sessions: Awaited<ReturnType<typeof findSessions>>): string[] {
  return sessions.flatMap(({ id, pods }) => {
    const names = [...new Set(pods.values())];
    return names.length > 0 ? names : [`volumes of ${id}`];
  });
}
