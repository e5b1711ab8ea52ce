import { describe, expect, it } from 'vitest';

import type { Event } from '../../src/kubelet/event.js';
import { simulateEvents } from '../../src/sim/simulate.js';
import { encodeLine } from '../../src/trace/codec.js';
import { EventEncoder } from '../../src/trace/event-encoder.js';
import { toTraceLine } from '../../src/trace/trace-line.js';
import { arbitraryScenario, readScenario } from '../helpers/arbitrary-scenario.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';

const ORIGIN = 1_000;
const NOW = 2_234.5678;

const names = { pod: 'default/web', container: 'app' } as const;
const probe = { ...names, probe: 'readiness', attempt: 7, containerID: 'docker://4f' } as const;
const attempt: Event = { kind: 'attempt', ...probe };
const attemptDone: Event = {
  kind: 'attemptDone',
  ...probe,
  result: 'success',
  output: '',
  tries: 1,
  latency: 7.00049,
  lastResult: 'success',
  resultRun: 3,
  threshold: 1,
  nextTick: 12_345.678,
};
const detail = { address: 'check', timings: { total: 7 }, body: new Uint8Array([255]) };
const exec: Event = { kind: 'exec', ...names, run: 0, command: 'check' };
const execDone: Event = { kind: 'execDone', ...names, run: 0, command: 'check', exit: 0 };

const line = (event: Event): string => `${encodeLine(toTraceLine(event, NOW, ORIGIN))}\n`;

describe('the text of an event is that of its line', () => {
  it.each<[string, ...Event[]]>([
    ['an attempt', attempt],
    ['an attempt that was asked for', { ...attempt, trigger: 'user' }],
    ['an answer', attemptDone],
    ['an answer that is set', { ...attemptDone, set: 'success' }],
    ['an answer with output', { ...attemptDone, output: 'a "word"\n\u001B[1m\uD800' }],
    ['an error', { ...attemptDone, error: 'no such host' }],
    ['an answer with its detail', { ...attemptDone, detail }],
    ['a command', exec],
    ['a command of other characters', { ...exec, command: 'echo "\\\u2028' }],
    ['a command that has ended', execDone],
    [
      'a command that took too long',
      { kind: 'execDone', ...names, run: 0, command: 'check', timedOut: true },
    ],
    [
      'one command in two containers and two runs',
      exec,
      { ...exec, container: 'other' },
      { ...execDone, run: 1 },
      { ...exec, pod: 'default/other' },
      execDone,
    ],
    [
      'the probes of one container, and of the next one',
      attempt,
      { ...attemptDone, probe: 'liveness' },
      { ...attempt, containerID: 'docker://50' },
      attemptDone,
    ],
    [
      'answers that differ in each of what is remembered of the last one',
      attemptDone,
      { ...attemptDone, result: 'failure' },
      { ...attemptDone, output: 'no' },
      { ...attemptDone, tries: 2 },
      { ...attemptDone, latency: 8 },
      { ...attemptDone, lastResult: 'failure' },
      { ...attemptDone, resultRun: 4 },
      { ...attemptDone, threshold: 2 },
      { ...attemptDone, nextTick: 13_345.678 },
      { ...attemptDone, set: 'success' },
      { ...attemptDone, set: 'failure' },
      attemptDone,
    ],
    ['one command with two exit codes', execDone, { ...execDone, exit: 1 }, execDone],
    ['an event of another kind', { kind: 'note', level: 'info', text: 'a\nb' }],
  ])('%s', (_, ...events) => {
    const encoder = new EventEncoder(ORIGIN);
    expect(events.map((event) => encoder.encode(event, NOW))).toEqual(events.map(line));
  });

  it('at each time', () => {
    const encoder = new EventEncoder(ORIGIN);
    for (const now of [NOW, NOW + 500, NOW]) {
      const expected = `${encodeLine(toTraceLine(attempt, now, ORIGIN))}\n`;
      expect(encoder.encode(attempt, now)).toBe(expected);
    }
  });

  it('in any scenario', { timeout: 60_000 }, () =>
    fc.assert(
      fc.asyncProperty(arbitraryScenario, async (written) => {
        let encoder: EventEncoder | undefined;
        await simulateEvents(readScenario(written), (event, now, origin) => {
          encoder ??= new EventEncoder(origin);
          const expected = `${encodeLine(toTraceLine(event, now, origin))}\n`;
          expect(encoder.encode(event, now)).toBe(expected);
        });
      }),
      { numRuns: 50 * RUNS_FACTOR },
    ),
  );
});
