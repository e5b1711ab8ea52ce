import { openSync } from 'node:fs';
import { join } from 'node:path';
import { ReadStream } from 'node:tty';

import type { Renderer } from '../../report/renderer.js';
import { counted } from '../../text/count.js';
import { shellWord } from '../../text/escape.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import { fromZero } from '../../trace/trace-line.js';
import type { Ending } from '../../trace/trace-record.js';
import type { Terminal } from '../../tui/screen.js';
import type { Size } from '../../tui/store/state.js';
import { InkTui } from '../../tui/tui.js';
import { loadLayout } from '../../tui/yoga.js';
import { endingBy } from './exit-code.js';
import { TraceSpool } from './output/trace-spool.js';
import { isSimulatedIn, type RunRendererInput, TERMINAL, themeOf } from './output-style.js';

export async function createTuiRenderer(
  input: RunRendererInput,
): Promise<Renderer & Pick<InkTui, 'quit' | 'seek'>> {
  await loadLayout();
  const { flags, io, run, clock, header } = input;
  const spool = new TraceSpool(header);
  const tui = new InkTui({
    clock,
    now: () => run.now,
    terminal: processTerminal(),
    context: {
      target: header.target,
      isSimulated: isSimulatedIn(header),
      kubeletVersion: header.kubelet,
      hints: flags.hints ?? true,
      triesOnKey: input.actions.try !== undefined,
      theme: themeOf(flags, io.env),
      replayLength: input.player?.length,
    },
    player: input.player,
    command:
      input.isSummarized === false
        ? undefined
        : [io.name ?? 'kprobe', ...process.argv.slice(2).map(shellWord)].join(' '),
    actions: {
      ...input.actions,
      save: () => save(spool, endingBy(verdictOf(run.summary), 'saved', run.now), io.cwd),
      interrupt: () => void process.kill(process.pid, 'SIGINT'),
    },
  });
  return {
    quit: tui.quit,
    line(line, summary) {
      spool.line(fromZero(line));
      tui.line(line, summary);
    },
    seek: (summary, line) => tui.seek(summary, line),
    end(ending, summary) {
      spool.close();
      tui.end(ending, summary);
    },
  };
}

/** Saves the trace in a folder; the file's name contains the time. */
async function save(spool: TraceSpool, end: Ending, folder: string): Promise<string> {
  // Two that are saved within a second have two names.
  const time = new Date().toISOString().replaceAll(/[-:.Z]/g, '');
  const name = `kprobe-${time}.ndjson`;
  const { lines, dropped } = await spool.save(join(folder, name), end);
  const missing = dropped === 0 ? '' : `; ${dropped} more did not fit`;
  return `${name}: ${counted(lines, 'line')}${missing}`;
}

const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };

function processTerminal(): Terminal {
  const input = process.stdin.isTTY ? process.stdin : new ReadStream(openSync(TERMINAL, 'r'));
  return {
    ...SCREEN,
    input,
    setRawMode(on) {
      try {
        input.setRawMode(on);
      } catch {
        // The terminal is gone, and its mode with it.
      }
    },
    close() {
      if (input !== process.stdin) input.destroy();
    },
  };
}

const SCREEN: Omit<Terminal, 'input' | 'setRawMode' | 'close'> = {
  output: process.stdout,
  size() {
    // A terminal that does not know its size reports 0.
    const { columns, rows } = process.stdout;
    return columns > 0 && rows > 0 ? { columns, rows } : DEFAULT_SIZE;
  },
  write: (text) => void process.stdout.write(text),
  suspend() {
    stopProcess(0);
  },
  onSuspend(before, after) {
    suspension = { before, after };
    const continued = (): void => {
      after();
      // The window may have another size: Node reads it on this signal, which only foreground jobs get.
      process.kill(process.pid, 'SIGWINCH');
    };
    process.on('SIGTSTP', stopped);
    process.on('SIGCONT', continued);
    return () => {
      suspension = undefined;
      process.off('SIGTSTP', stopped);
      process.off('SIGCONT', continued);
    };
  },
  onExit(restore) {
    process.on('exit', restore);
    return () => process.off('exit', restore);
  },
};

let suspension: { readonly before: () => void; readonly after: () => void } | undefined;

function stopped(): void {
  stopProcess(process.pid);
}

/** Stops the process, or with 0 the whole job, as Ctrl-Z does. */
function stopProcess(pid: number): void {
  suspension?.before();
  // Without a listener, the signal stops the process.
  process.off('SIGTSTP', stopped);
  process.once('SIGCONT', () => {
    if (suspension !== undefined) process.on('SIGTSTP', stopped);
  });
  process.kill(pid, 'SIGTSTP');
}
