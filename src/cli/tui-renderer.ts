import { join } from 'node:path';

import type { Session } from '../app/session.js';
import type { Clock } from '../clock/clock.js';
import { createTui, type Tui } from '../render/tui/tui.js';
import type { Io } from './io.js';
import { lookOf } from './look.js';
import { processTerminal } from './process-terminal.js';
import type { RunFlags } from './run-flags.js';
import { isSimulated } from './simulated-restarts.js';
import { TraceSpool } from './trace-spool.js';

export interface TuiRendererInput {
  readonly flags: RunFlags;
  readonly io: Io;
  readonly session: Session;
  readonly clock: Clock;
  readonly target: string;
}

/** The terminal UI over a session. */
export function createTuiRenderer({ flags, io, session, clock, target }: TuiRendererInput): Tui {
  const spool = new TraceSpool();
  const tui = createTui({
    clock,
    now: () => session.now,
    terminal: processTerminal,
    about: {
      target,
      isSimulated: (_, container) => isSimulated(target, flags, session.summary, container),
      kubeletVersion: flags.kubeletVersion,
      hints: flags.hints ?? true,
      look: lookOf(flags, io.env),
    },
    again: commandText(process.argv.slice(2)),
    actions: {
      trigger: (pod, container, probe) => session.trigger(pod, container, probe),
      restart: (pod, container) => session.restart(pod, container),
      save: () => save(spool, io.cwd),
      interrupt: () => void process.kill(process.pid, 'SIGINT'),
    },
  });
  return {
    quit: tui.quit,
    line(line, summary) {
      spool.line(line);
      tui.line(line, summary);
    },
    async end(ending, summary) {
      spool.close();
      await tui.end(ending, summary);
    },
  };
}

/** Saves the trace beside the user's other files; the name tells when. */
async function save(spool: TraceSpool, folder: string): Promise<string> {
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '');
  const name = `kprobe-${time}.ndjson`;
  const { lines, dropped } = await spool.save(join(folder, name));
  const missing = dropped === 0 ? '' : `; ${dropped} more were too many to keep`;
  return `${name}: ${lines} lines${missing}`;
}

/** The command line as a shell would take it. */
function commandText(argv: readonly string[]): string {
  const words = argv.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return ['kprobe', ...words].join(' ');
}
