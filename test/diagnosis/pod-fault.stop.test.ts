import { expect, it } from 'vitest';

import type { Lifecycle } from '../../src/api/index.js';
import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { longStop } from '../../src/diagnosis/pod-fault.js';
import { diagnosisText } from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';

const inPod = { pod: 'default/web' };
const inRun = { ...inPod, container: 'app', run: 0 };
const PRE_STOP: Lifecycle = { preStop: { exec: { command: ['sleep', '600'] } } };

/** A pod that is deleted at 10 s, as a watch of a cluster reports it. */
function deleted(gracePeriod: number, lifecycle: Lifecycle | undefined): readonly TraceLine[] {
  const app = buildContainer({ name: 'app', ...(lifecycle && { lifecycle }) });
  const spec = { containers: [app], terminationGracePeriodSeconds: gracePeriod };
  const metadata = { deletionTimestamp: 1 };
  return [
    podLine(buildPod({ spec })),
    { t: 1, kind: 'started', ...inRun, evidence: 'seen' },
    podLine(buildPod({ spec, metadata }), 10),
    { t: 10, kind: 'action', ...inPod, do: 'delete' },
    { t: 10.1, kind: 'stop', ...inRun, gracePeriod, evidence: 'seen' },
  ];
}

it('does not choose among the containers of a deleted pod, whose ends a kubelet shows when all have ended', () => {
  const spec = {
    containers: ['app', 'proxy'].map((name) => buildContainer({ name })),
    terminationGracePeriodSeconds: 30,
  };
  const { pods } = [
    podLine(buildPod({ spec, metadata: { deletionTimestamp: 1 } })),
    ...spec.containers.flatMap(({ name: container }): TraceLine[] => [
      { t: 1, kind: 'started', ...inRun, container, evidence: 'seen' },
      { t: 10, kind: 'stop', ...inRun, container, gracePeriod: 30, evidence: 'seen' },
    ]),
    { t: 10, kind: 'action', ...inPod, do: 'delete' } as const,
  ].reduce(fold, EMPTY_SUMMARY);
  expect(pods.flatMap((pod) => diagnosePod(pod, 26)).map(diagnosisText)).toEqual([
    `the pod waits: it is deleted, and its containers have not all ended: app and proxy. ${OF_TERM}`,
  ]);
});

function hookFailed(t: number): TraceLine {
  const event = { type: 'Warning', reason: 'FailedPreStopHook', message: 'PreStopHook failed' };
  return { t, kind: 'event', ...inPod, ...event, fieldPath: 'spec.containers{app}' } as TraceLine;
}

function exited(at: number, exitCode: number, reason = 'Error'): TraceLine {
  return { t: at + 0.6, kind: 'exited', ...inRun, exitCode, reason, at, evidence: 'seen' };
}

const OF_TERM = 'Let the program end on TERM, within terminationGracePeriodSeconds';
const OF_HOOK = 'Correct lifecycle.preStop, and keep it shorter than terminationGracePeriodSeconds';

it.each<[string, number, Lifecycle | undefined, readonly TraceLine[], number, string[]]>([
  [
    'ignores TERM',
    5,
    undefined,
    [exited(14.6, 137)],
    15.2,
    [`the pod waits for app: it ignored TERM: KILL after 5 s. ${OF_TERM}`],
  ],
  [
    'has a preStop hook that hangs',
    6,
    PRE_STOP,
    [hookFailed(16.2), exited(16.1, 0, 'Completed')],
    16.7,
    [`the pod waits for app: its preStop hook had not ended after 6.1 s. ${OF_HOOK}`],
  ],
  [
    'has a preStop hook that hangs, and ignores TERM',
    6,
    PRE_STOP,
    [hookFailed(16.2), exited(18, 137)],
    18.6,
    [
      `the pod waits for app: its preStop hook had not ended after 6.1 s; it ignored TERM: KILL after 2 s. ${OF_HOOK}`,
    ],
  ],
  ['has a preStop hook that fails at once', 6, PRE_STOP, [hookFailed(10.2)], 12, []],
  ['ends within its grace period', 6, undefined, [exited(12, 143)], 13, []],
  ['is killed for memory', 5, undefined, [exited(14.6, 137, 'OOMKilled')], 15.2, []],
  ['is killed by something else while it ends', 30, undefined, [exited(12, 137)], 13, []],
  ['has half of its grace period left', 30, undefined, [], 25, []],
  [
    'still runs after half of its grace period',
    30,
    undefined,
    [],
    26.1,
    [
      `the pod waits for app: it has not ended yet → TERM sent; KILL in 14 s if it still runs, then not restarted. ${OF_TERM}`,
    ],
  ],
  [
    'still runs with its preStop hook after half of its grace period',
    30,
    PRE_STOP,
    [],
    26.1,
    [
      `the pod waits for app: it has not ended yet → TERM sent; KILL in 14 s if it still runs, then not restarted. ${OF_HOOK}`,
    ],
  ],
])('a deleted pod whose container %s', (_, gracePeriod, lifecycle, lines, now, expected) => {
  const { pods } = [...deleted(gracePeriod, lifecycle), ...lines].reduce(fold, EMPTY_SUMMARY);
  expect(pods.flatMap((pod) => diagnosePod(pod, now)).map(diagnosisText)).toEqual(expected);
});

it('a stop from before kprobe came was no preStop hook that the container does not have', () => {
  const lines: TraceLine[] = [
    podLine(buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } })),
    { t: 1, kind: 'started', ...inRun, at: -20, evidence: 'seen' },
    { t: 1, kind: 'stop', ...inRun, gracePeriod: 2, at: -6, evidence: 'seen' },
    { t: 1, kind: 'exited', ...inRun, exitCode: 137, reason: 'Error', at: -4, evidence: 'seen' },
  ];
  const [pod] = lines.reduce(fold, EMPTY_SUMMARY).pods;
  const [container] = pod!.containers;
  expect(longStop(pod!, container!, container!.runs.at(-1)!)).toEqual({
    ...{ kind: 'stop', gracePeriod: 2, ignored: true, preStop: undefined },
  });
});
