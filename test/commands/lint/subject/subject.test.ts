import { expect, it } from 'vitest';

import { startTimes } from '../../../../src/commands/lint/subject/subject.js';
import type { TraceLine } from '../../../../src/trace/trace-line.js';

const started = (t: number, run: number): TraceLine => ({
  t,
  kind: 'started',
  pod: 'default/web',
  container: 'app',
  run,
});
const done = (t: number, result: 'success' | 'failure'): TraceLine => ({
  ...{ t, kind: 'attemptDone', pod: 'default/web', container: 'app', probe: 'startup', attempt: 1 },
  ...{ containerID: 'x', result, output: '', tries: 1, latency: 5, lastResult: result },
  ...{ resultRun: 1, threshold: 1, nextTick: t + 10 },
});

it('startTimes measures each run from its start to its first success', () => {
  const lines = [
    started(1, 0),
    done(5, 'failure'),
    done(15, 'success'),
    done(25, 'success'),
    started(40, 1),
    done(44, 'success'),
  ];
  expect(startTimes(lines)).toEqual(new Map([['app', [14, 4]]]));
});

it('startTimes omits a run that never succeeds', () => {
  expect(startTimes([started(1, 0), done(5, 'failure')])).toEqual(new Map());
});
