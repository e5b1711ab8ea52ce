import { Writable } from 'node:stream';

import type { Io } from './io.js';

/**
 * Keeps GitHub's runner from obeying what kprobe prints: a line that begins with `::` after blanks, or has `##[` anywhere,
 * is a command to it.
 */
export function withoutWorkflowCommands(io: Io): Io {
  if (io.env['GITHUB_ACTIONS'] !== 'true') return io;
  const streams = {
    stdout: { value: withoutCommands(io.stdout) },
    stderr: { value: withoutCommands(io.stderr) },
    notes: { value: withoutCommands(io.notes) },
    verbatim: { value: io.stdout },
  };
  return Object.create(io, streams) as Io;
}

function withoutCommands(stream: Io['stdout']): Io['stdout'] {
  if (stream.isTTY === true) return stream;
  const neutralize = neutralizer();
  return new Writable({
    decodeStrings: false,
    // The stream itself reports its errors.
    write: (chunk: string | Buffer, _, done) =>
      void stream.write(neutralize(chunk.toString()), () => done()),
  });
}

/** Returns a function that is called with the parts of a text in their order, wherever the text is cut. */
export function neutralizer(): (text: string) => string {
  let line = '';
  return (text) => {
    const whole = line + text;
    const neutral = neutralized(whole).slice(neutralized(line).length);
    const last = whole.slice(Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1);
    // Only the end of a line that has begun can still become a command.
    line = /^\s*:?$/.test(last) ? last : `x${last.slice(-2)}`;
    return neutral;
  };
}

function neutralized(text: string): string {
  return text.replaceAll(/^(\s*:)(?=:)|##(?=\[)/gm, (begin) => `${begin} `);
}
