import { expect, it } from 'vitest';

import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { causeText } from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { buildAttemptDone, podLine } from '../helpers/traces.js';

const inPod = { pod: 'default/web' };
const inRun = { ...inPod, container: 'app', run: 0 };
const ERROR =
  'Exec lifecycle hook ([sh -c exit 7]) for Container "app" in Pod "web_default(1)" failed - error: command \'sh -c exit 7\' exited with 7: , message: ""';
const summary = { name: 'app', ready: false, restartCount: 0, lastState: '' };
const LINES: readonly TraceLine[] = [
  podLine(buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } })),
  { t: 1, kind: 'started', ...inRun },
  { t: 1, kind: 'hook', ...inPod, container: 'app', hook: 'postStart' },
  { t: 2, kind: 'hookDone', ...inPod, container: 'app', hook: 'postStart', error: ERROR },
  { t: 2, kind: 'exited', ...inRun, exitCode: 143 },
  {
    ...{ t: 3, kind: 'status', ...inPod, phase: 'Pending', reason: '', conditions: {} },
    ...{ initContainers: [], podStatus: {} },
    containers: [{ ...summary, state: 'waiting PostStartHookError' }],
  },
];

it.each([5, 6])('a failed postStart hook stays the cause after %i lines', (count) => {
  const { pods } = LINES.slice(0, count).reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 4);
  expect(causeText(worst!)).toBe(
    "its postStart hook failed, so the kubelet killed it: command 'sh -c exit 7' exited with 7. Correct lifecycle.postStart: it may run before the program listens, so let it wait or retry",
  );
});

it.each([
  [4, undefined],
  [5, 'boom: a license is required. Give it a license that is valid, such as in a Secret'],
])('a program that ends during its postStart hook is the cause: %i lines', (count, text) => {
  const error = ERROR.replaceAll('exited with 7', 'exited with 137');
  const lines = LINES.flatMap((line): readonly TraceLine[] => {
    if (line.kind === 'hookDone') return [{ ...line, error }];
    if (line.kind === 'exited') return [{ ...line, exitCode: 1 }];
    const output = {
      t: 1,
      kind: 'output',
      ...inRun,
      stream: 'stderr',
      text: 'boom: a license is required',
    };
    return line.kind === 'hook' ? [line, output as TraceLine] : [line];
  });
  const { pods } = lines.slice(0, count + 1).reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 4);
  expect(worst && causeText(worst)).toBe(text);
});

it('a failed postStart hook whose tool is missing names the tool, once', () => {
  const error = ERROR.replaceAll(
    'exited with 7: , message: ""',
    String.raw`exited with 127: sh: 1: nc: not found
, message: "sh: 1: nc: not found\n"`,
  );
  const lines = LINES.map((line) => (line.kind === 'hookDone' ? { ...line, error } : line));
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 4);
  expect(causeText(worst!)).toBe(
    "its postStart hook failed, so the kubelet killed it: command 'sh -c exit 7' exited with 127: sh: 1: nc: not found. Correct lifecycle.postStart.exec.command, or add nc to the image",
  );
});

it('a failed postStart hook whose tool prints how it is used has the error alone', () => {
  const usage =
    "nc: invalid option -- 'z'\nBusyBox v1.35.0\n\nUsage: nc [-iN]\n\t-l\tListen mode\n";
  const quoted = usage.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`);
  const error = ERROR.replaceAll('exited with 7: , message: ""', () => {
    return `exited with 1: ${usage}, message: "${quoted}"`;
  });
  const lines = LINES.map((line) => (line.kind === 'hookDone' ? { ...line, error } : line));
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 4);
  expect(causeText(worst!)).toBe(
    "its postStart hook failed, so the kubelet killed it: command 'sh -c exit 7' exited with 1: nc: invalid option -- 'z'. Correct lifecycle.postStart.exec.command",
  );
});

it('a postStart hook whose script is not executable is to be made so', () => {
  const error = ERROR.replace(
    'error: command',
    'error: exec: "./warm.sh": permission denied: unknown, command',
  );
  const lines = LINES.map((line) => (line.kind === 'hookDone' ? { ...line, error } : line));
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  expect(diagnosePod(pods[0]!, 4)[0]?.changes).toEqual([
    { kind: 'advice', advice: { do: 'executable' } },
  ]);
});

it('names a preStop hook that had not ended when the grace period was over', () => {
  const livenessProbe = buildProbe();
  const lines: readonly TraceLine[] = [
    podLine(buildPod({ spec: { containers: [buildContainer({ name: 'app', livenessProbe })] } })),
    { t: 1, kind: 'started', ...inRun },
    {
      ...{ t: 2, kind: 'actions', ...inPod, killPod: false, createSandbox: false },
      containersToStart: [],
      containersToKill: [{ name: 'app', message: 'Container app failed', reason: 'LivenessProbe' }],
    },
    { t: 2, kind: 'hook', ...inPod, container: 'app', hook: 'preStop' },
    { t: 7, kind: 'stop', ...inRun, gracePeriod: 2 },
    { t: 9, kind: 'exited', ...inRun, exitCode: 137 },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 10);
  expect(causeText(worst!)).toBe(
    'its preStop hook had not ended after 5.0 s; it ignored TERM: KILL after 2 s. Correct lifecycle.preStop, and keep it shorter than terminationGracePeriodSeconds',
  );
  const again: readonly TraceLine[] = [
    ...lines,
    { t: 10, kind: 'started', ...inRun, run: 1 },
    buildAttemptDone({ t: 11, probe: 'liveness', result: 'failure' }),
  ];
  const [pod] = again.reduce(fold, EMPTY_SUMMARY).pods;
  const [next] = diagnosePod(pod!, 11);
  expect(next?.symptom).toMatchObject({ kind: 'failing', kills: 1 });
  expect(next?.evidence.map(({ kind }) => kind)).toContain('stop');
});

it('a failed postStart hook is the cause while the program ignores TERM', () => {
  const lines: readonly TraceLine[] = [
    ...LINES.slice(0, 4),
    { t: 2, kind: 'stop', ...inRun, gracePeriod: 30 },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 4);
  expect(worst?.fault).toMatchObject({ kind: 'hookFailed', hook: 'postStart' });
});

/** A cluster shows a container as waiting until its hook has ended. */
const IN_CLUSTER: readonly TraceLine[] = [
  podLine(
    buildPod({
      spec: {
        containers: [
          buildContainer({ name: 'app', lifecycle: { postStart: { exec: { command: ['a'] } } } }),
        ],
      },
    }),
  ),
  {
    ...{ t: 1, kind: 'event', ...inPod, type: 'Normal', reason: 'Started' },
    ...{ message: 'Container started', fieldPath: 'spec.containers{app}' },
  },
];

it.each([
  [5, [], LINES.slice(0, 3)],
  [6, ['hookRunning'], LINES.slice(0, 3)],
  [5, [], IN_CLUSTER],
  [6, ['hookRunning'], IN_CLUSTER],
])('a postStart hook is the cause once it has run for 5 s: at %i s', (now, kinds, lines) => {
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  expect(diagnosePod(pods[0]!, now).map(({ fault }) => fault.kind)).toEqual(kinds);
});

it('a container that is paused while its postStart hook runs is to be unpaused', () => {
  const facts = { started: true, sockets: [], processes: ['app'], state: 'paused' } as const;
  const lines: readonly TraceLine[] = [
    ...LINES.slice(0, 3),
    { t: 7, kind: 'listening', ...inRun, ...facts },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  const [worst] = diagnosePod(pods[0]!, 7);
  expect(causeText(worst!)).toBe(
    'its postStart hook has not ended: until then no probe runs, and the container is not ready; the container is paused. Unpause the container: docker unpause, podman unpause',
  );
});
