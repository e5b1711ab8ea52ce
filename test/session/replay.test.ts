import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Replay } from '../../src/session/replay.js';
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

describe('the player of a replay', () => {
  it('stands still while it is paused, and then plays on from there', async () => {
    const { clock, run, seen, ended } = replay(1);
    await clock.advance(1000);
    run.togglePause();
    await clock.advance(60_000);
    expect([run.now, run.isPaused, seen.length]).toEqual([1, true, 1]);
    run.togglePause();
    await clock.advance(20_000);
    expect(seen).toEqual(['0 at 0', '2 at 62', '2 at 62', '6 at 66']);
    expect(ended()).toBe('ended at 70');
  });

  it('goes forward at once, with the lines up to there', async () => {
    const { clock, run, seen } = replay(1);
    await clock.advance(1000);
    run.seek(4);
    expect(seen).toEqual(['0 at 0', '2 at 1', '2 at 1']);
    expect(run.now).toBe(5);
    await clock.advance(1000);
    expect(seen.at(-1)).toBe('6 at 2');
  });

  it('goes back to the summary of that time, and tells no line twice', async () => {
    const { clock, run, seen } = replay(1);
    const shown: string[] = [];
    run.onSeek(({ notes }, line) => shown.push(`${line?.t ?? 'seek'}: ${notes.length} notes`));
    await clock.advance(7000);
    run.seek(-6);
    expect([run.now, run.summary.notes.length]).toEqual([1, 1]);
    await clock.advance(6000);
    expect(shown).toEqual(['seek: 1 notes', '2: 2 notes', '2: 3 notes', '6: 4 notes']);
    expect(seen).toHaveLength(4);
  });

  it('goes no further than the ends, and plays again after the end', async () => {
    const { clock, run } = replay(Infinity);
    await clock.advance(0);
    run.seek(10);
    expect(run.now).toBe(10);
    run.seek(-100);
    expect([run.now, run.speed]).toEqual([0, 1]);
    await clock.advance(3000);
    expect([run.now, run.summary.notes.length]).toEqual([3, 3]);
  });

  it('shows the place it goes to while it is paused', async () => {
    const { clock, run } = replay(1);
    await clock.advance(0);
    run.togglePause();
    run.seek(2);
    await clock.advance(5000);
    expect([run.now, run.summary.notes.length]).toEqual([2, 3]);
  });

  it('plays faster and slower from the present time on, within bounds', async () => {
    const { clock, run } = replay(1);
    await clock.advance(1000);
    run.faster();
    await clock.advance(1000);
    expect([run.now, run.speed]).toEqual([3, 2]);
    for (let i = 0; i < 20; i++) run.faster();
    expect(run.speed).toBe(64);
    for (let i = 0; i < 20; i++) run.slower();
    await clock.advance(4000);
    expect([run.now, run.speed]).toEqual([4, 0.25]);
  });
});
