import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { unprovenSettings } from '../../src/diagnosis/replays.js';
import { firstChange } from '../../src/diagnosis/words.js';
import { replayChange, settingsToReplay } from '../../src/session/replayed-changes.js';
import { readTrace } from '../../src/trace/read-trace.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

const always = (): boolean => true;

/** What was recorded up to a time, in which kprobe left the process alone at each restart. */
function recordedUntil(name: 'slow-start' | 'outage', now: number) {
  const { trace } = readTrace(
    readFileSync(new URL(`../fixtures/replays/${name}.ndjson`, import.meta.url), 'utf8'),
  );
  const lines = trace!.lines.filter(({ t }) => t <= now);
  const [pod] = lines.reduce(fold, EMPTY_SUMMARY).pods;
  return { header: trace!.header, lines, pod: pod!, container: pod!.containers[0]!, now };
}

type Recorded = ReturnType<typeof recordedUntil>;

function changeWith({ lines, pod, container, now }: Recorded, replay: object) {
  const line = { t: now, kind: 'replayed', pod: pod.key, container: container.name, ...replay };
  const { pods } = [...lines, line as TraceLine].reduce(fold, EMPTY_SUMMARY);
  const [diagnosis] = diagnosePod(pods[0]!, now, always);
  return diagnosis && firstChange(diagnosis);
}

it.each([
  [
    'the startup budget of a slow start',
    recordedUntil('slow-start', 9.3),
    'Raise startupProbe.failureThreshold to 11 (replayed: ready after 9.0 s)',
  ],
  [
    'the threshold that outlasts an outage',
    recordedUntil('outage', 13.5),
    'Raise livenessProbe.failureThreshold to 8 (replayed: no restart in 15.4 s, not 1)',
  ],
])('proves %s', async (_, recorded, change) => {
  const [setting, ...others] = settingsToReplay(recorded, always);
  expect(others).toEqual([]);
  const replay = await replayChange(recorded, setting!);
  expect(replay).toMatchObject({ ...setting, result: 'success' });
  expect(changeWith(recorded, replay!)).toBe(change);
});

it('does not propose a change that does not help', async () => {
  const recorded = recordedUntil('outage', 13.5);
  const [setting] = settingsToReplay(recorded, always);
  const replay = await replayChange(recorded, { ...setting!, to: 3 });
  expect(replay).toMatchObject({ result: 'failure' });
  expect(changeWith(recorded, { ...replay, to: setting!.to })).not.toMatch(/ to \d+/);
});

it.each([
  ['before the start has taken longer than the budget', recordedUntil('slow-start', 7)],
  ['before the end of an outage is known', recordedUntil('outage', 11.5)],
])('has nothing to replay %s', (_, recorded) => {
  expect(settingsToReplay(recorded, always)).toEqual([]);
});

it('replays a setting once, and again only when twice as much is recorded', () => {
  const recorded = recordedUntil('outage', 13.5);
  const [setting] = settingsToReplay(recorded, always);
  const after = (result: 'success' | 'failure', length: number) => {
    const figures = { readyFor: 0, restarts: 1, failures: 3 };
    const replay = { ...setting!, result, length, before: figures, after: figures };
    const container = { ...recorded.container, replays: [replay] };
    return settingsToReplay({ ...recorded, container }, always).length;
  };
  expect([after('success', 5), after('failure', 10), after('failure', 5)]).toEqual([0, 0, 1]);
});

it('replays nothing of a recording that is too long', () => {
  const recorded = recordedUntil('outage', 13.5);
  expect(settingsToReplay({ ...recorded, now: 1000 }, always)).toEqual([]);
});

it.each([
  ['livenessProbe.failureThreshold', 1],
  ['readinessProbe.periodSeconds', 1],
  ['livenessProbe.initialDelaySeconds', 1],
  // What timed out would have taken nobody knows how long.
  ['livenessProbe.timeoutSeconds', 0],
])('of a guessed %s there are %i replays', (field, count) => {
  const change = { kind: 'field', field, to: 5, proof: { kind: 'none' } } as const;
  expect(unprovenSettings([change])).toHaveLength(count);
});
