import type { Session } from '../app/session.js';
import type { Clock } from '../clock/clock.js';
import { createTui, type Tui } from '../render/tui/tui.js';
import type { Io } from './io.js';
import { processTerminal } from './process-terminal.js';
import type { RunFlags } from './run-flags.js';

export interface TuiRendererInput {
  readonly flags: RunFlags;
  readonly io: Io;
  readonly session: Session;
  readonly clock: Clock;
  readonly target: string;
}

/** The terminal UI over a session. */
export function createTuiRenderer({ flags, io, session, clock, target }: TuiRendererInput): Tui {
  return createTui({
    clock,
    now: () => session.now,
    terminal: processTerminal,
    about: {
      target,
      simulated: target === 'attached',
      kubeletVersion: flags.kubeletVersion,
      hints: true,
      look: { color: (io.env['NO_COLOR'] ?? '') === '', unicode: true },
    },
    actions: {
      trigger: (pod, container, probe) => session.trigger(pod, container, probe),
      interrupt: () => void process.kill(process.pid, 'SIGINT'),
    },
  });
}
