import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import { LogRecorder } from '../../../src/session/cluster/log-recorder.js';

const RUN = { pod: 'shop/web', container: 'app', run: 0 };
const line = (second: number): string => `2026-11-29T11:00:0${second}.5Z line ${second}`;

function recording(...logs: readonly AsyncIterable<string>[]) {
  const clock = new VirtualClock(1);
  const stopping = new AbortController();
  const texts: string[] = [];
  const notes: string[] = [];
  const since: (number | undefined)[] = [];
  let opened = 0;
  const recorder = new LogRecorder({
    clock,
    cluster: {
      followLog(_, __, after) {
        since.push(after);
        return logs[Math.min(opened++, logs.length - 1)]!;
      },
    },
    signal: stopping.signal,
    record: ({ text }) => texts.push(text),
    note: (text) => notes.push(text),
  });
  const pass = async (seconds: number, isRunning = true): Promise<void> => {
    await clock.advance(1000 * seconds);
    recorder.reopen(() => isRunning);
    await new Promise(setImmediate);
  };
  return { logs: recorder, texts, notes, since, stopping, pass, opened: () => opened };
}

it('records a line once that both the end of a run and the followed log have', async () => {
  const { logs, texts } = recording(Readable.from([line(1), line(2), line(2)]));
  const at = Date.parse('2026-11-29T11:00:01.5Z');
  logs.output(RUN, [{ text: 'line 1', at }]);
  await logs.follow(RUN);
  logs.output(RUN, [
    { text: 'line 2', at: at + 1000 },
    { text: 'line 3', at: at + 2000 },
    { text: 'without a time' },
  ]);
  // Two lines of one log may have one time.
  expect(texts).toEqual(['line 1', 'line 2', 'line 2', 'line 3', 'without a time']);
});

const failing = (error: Error): Readable =>
  new Readable({
    read() {
      this.destroy(error);
    },
  });

const NOT_FOUND = new ClusterError('notFound', 'pods "web" not found');

it.each([
  {
    isAborted: false,
    error: NOT_FOUND,
    expected: ['without the log of app: pods "web" not found'],
  },
  { isAborted: true, error: NOT_FOUND, expected: [] },
  { isAborted: true, error: new DOMException('aborted', 'AbortError'), expected: [] },
])('says why a log cannot be followed, unless it ends itself: $isAborted', async (row) => {
  const { logs, notes, stopping, pass, opened } = recording(failing(row.error));
  if (row.isAborted) stopping.abort();
  await logs.follow(RUN);
  await pass(60);
  expect({ notes, opened: opened() }).toEqual({ notes: row.expected, opened: 1 });
});

it('opens a log again that has ended before its run, and records what is new', async () => {
  const lost = failing(new ClusterError('unreachable', 'the kubelet does not answer'));
  const { logs, texts, notes, since, pass, opened } = recording(
    Readable.from([line(1)]),
    lost,
    Readable.from([line(1), line(2)]),
  );
  await logs.follow(RUN);
  await pass(1);
  expect(opened()).toBe(1);
  await pass(1);
  await pass(4);
  expect({ texts, notes }).toEqual({ texts: ['line 1', 'line 2'], notes: [] });
  // However much was written in between.
  const at = Date.parse('2026-11-29T11:00:01.5Z');
  expect(since).toEqual([undefined, at, at]);
  await pass(60, false);
  await pass(60);
  expect(opened()).toBe(3);
});

it.each([
  { error: undefined, note: 'without the log of app: it ends again and again' },
  {
    error: new ClusterError('unreachable', 'the kubelet does not answer'),
    note: 'without the log of app: the kubelet does not answer',
  },
])('gives a log up that ends again and again: $note', async ({ error, note }) => {
  const log = (): Readable => (error === undefined ? Readable.from([]) : failing(error));
  const { logs, notes, pass, opened } = recording(...Array.from({ length: 9 }, log));
  await logs.follow(RUN);
  for (let second = 0; second < 120; second += 1) await pass(1);
  expect({ notes, opened: opened() }).toEqual({ notes: [note], opened: 6 });
});
