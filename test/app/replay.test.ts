import { describe, expect, it } from 'vitest';

import { Replay } from '../../src/app/replay.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

const note = (t: number): TraceLine => ({ t, kind: 'note', level: 'info', text: String(t) });
const lines = [note(0), note(2), note(2), note(6)];

function replay(speed: number, length = 10) {
  const clock = new VirtualClock();
  const begin = clock.now();
  const seen: string[] = [];
  const run = new Replay({ clock, lines, length, speed });
  run.onLine(({ t }) => seen.push(`${t} at ${(clock.now() - begin) / 1000}`));
  const abort = new AbortController();
  let how = '';
  void run.play(abort.signal).then((end) => {
    how = `${end} at ${(clock.now() - begin) / 1000}`;
  });
  return { clock, run, seen, abort, ended: () => how };
}

describe('a replay', () => {
  it('emits each line at its time', async () => {
    const { clock, seen, ended } = replay(1);
    await clock.advance(20_000);
    expect(seen).toEqual(['0 at 0', '2 at 2', '2 at 2', '6 at 6']);
    expect(ended()).toBe('ended at 10');
  });

  it('is four times as fast with speed 4', async () => {
    const { clock, seen, ended } = replay(4);
    await clock.advance(20_000);
    expect(seen).toEqual(['0 at 0', '2 at 0.5', '2 at 0.5', '6 at 1.5']);
    expect(ended()).toBe('ended at 2.5');
  });

  it('emits all lines at once with infinite speed', async () => {
    const { clock, run, seen, ended } = replay(Infinity);
    await clock.advance(0);
    expect(seen).toHaveLength(4);
    expect([run.now, ended()]).toEqual([10, 'ended at 0']);
  });

  it('has the time of the trace', async () => {
    const { clock, run } = replay(4);
    await clock.advance(1000);
    expect(run.now).toBe(4);
    await clock.advance(5000);
    expect(run.now).toBe(10);
  });

  it('stops at the given length, with a summary up to there', async () => {
    const { clock, run, ended } = replay(1, 3);
    await clock.advance(20_000);
    expect(run.summary.notes.map(({ text }) => text)).toEqual(['0', '2', '2']);
    expect(ended()).toBe('ended at 3');
  });

  it('ends when it is aborted', async () => {
    const { clock, seen, abort, ended } = replay(1);
    await clock.advance(3000);
    abort.abort();
    await clock.advance(20_000);
    expect(seen).toHaveLength(3);
    expect(ended()).toBe('aborted at 3');
  });
});
