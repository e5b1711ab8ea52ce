import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import { ClusterError } from '../../../src/cluster/cluster-error.js';
import { LogRecorder } from '../../../src/session/cluster/log-recorder.js';

const RUN = { pod: 'shop/web', container: 'app', run: 0 };
const line = (second: number): string => `2026-11-29T11:00:0${second}.5Z line ${second}`;

function recording(lines: AsyncIterable<string>, { isAborted = false } = {}) {
  const texts: string[] = [];
  const notes: string[] = [];
  const logs = new LogRecorder({
    cluster: { followLog: () => lines },
    signal: isAborted ? AbortSignal.abort() : new AbortController().signal,
    record: ({ text }) => texts.push(text),
    note: (text) => notes.push(text),
  });
  return { logs, texts, notes };
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

it.each([
  { isAborted: false, expected: ['without the log of app: pods "web" not found'] },
  { isAborted: true, expected: [] },
])('says why a log cannot be followed, unless it ends itself: $isAborted', async (row) => {
  const lines = new Readable({
    read() {
      this.destroy(new ClusterError('notFound', 'pods "web" not found'));
    },
  });
  const { logs, notes } = recording(lines, row);
  await logs.follow(RUN);
  expect(notes).toEqual(row.expected);
});
