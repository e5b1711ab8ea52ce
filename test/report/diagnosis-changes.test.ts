import { expect, it } from 'vitest';

import type { IsSimulated } from '../../src/diagnosis/outlook.js';
import { Lines } from '../../src/report/lines/lines.js';
import { createJson } from '../../src/report/machine-output.js';
import type { Renderer } from '../../src/report/renderer.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { buildAttemptDone, HEADER, podLine } from '../helpers/traces.js';

const { exec: _, ...settings } = buildProbe();
const readinessProbe = { ...settings, httpGet: { port: 80, path: '/x' } };
const POD = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
const OF_PROBE = { pod: 'default/web', container: 'app', probe: 'readiness' } as const;
const IN_RUN = { pod: 'default/web', container: 'app', run: 0 } as const;

const STARTED: TraceLine = { t: 1, kind: 'started', ...IN_RUN };
const detail = { address: '10.0.0.1:80', timings: { total: 1 } };
const FAILED = buildAttemptDone({ t: 2, result: 'failure', statusCode: 404, detail });
const TRIAL: TraceLine = {
  ...{ t: 3, kind: 'trial', ...OF_PROBE, field: 'readinessProbe.httpGet.path', to: '/x/' },
  ...{ result: 'success', word: '200', latency: 3 },
};
const PASSED = buildAttemptDone({ t: 4, statusCode: 200, detail });

/** Shows lines of a run, and returns what was written. */
function shown(
  lines: readonly TraceLine[],
  rendererOf: (write: (text: string) => void) => Renderer,
  pod = POD,
) {
  let [summary, text] = [EMPTY_SUMMARY, ''];
  const renderer = rendererOf((part) => (text += part));
  for (const line of [podLine(pod), STARTED, ...lines]) {
    summary = fold(summary, line);
    renderer.line(line, summary);
  }
  return text.trimEnd().split('\n');
}

function diagnosesOf(lines: readonly TraceLine[], isSimulated?: IsSimulated, pod = POD) {
  const texts = shown(lines, (write) => createJson(write, HEADER, isSimulated), pod);
  const parsed = texts.map((text) => JSON.parse(text) as { kind: string; diagnoses: object[] });
  return parsed.flatMap(({ kind, diagnoses }) => (kind === 'diagnosis' ? [diagnoses] : []));
}

it('the JSON of a run has the diagnoses of a pod when they change, and none when nothing fails', () => {
  const subject = { pod: 'default/web', container: 'app', probe: 'readiness' };
  const fault = { kind: 'notFound', path: '/x' };
  const change = { field: 'readinessProbe.httpGet.path', to: '/x/' };
  expect(diagnosesOf([FAILED, FAILED, TRIAL, PASSED, PASSED], () => false)).toMatchObject([
    [{ subject, fault, changes: [{ kind: 'advice' }] }],
    [
      {
        ...{ subject, fault, changes: [{ ...change, proof: { kind: 'tried', result: '200' } }] },
        evidence: [{ kind: 'failures' }, { kind: 'trial', isSuccess: true, result: '200' }],
      },
    ],
    [],
  ]);
});

it('the JSON of a run has no diagnoses where none are wanted', () => {
  expect(diagnosesOf([FAILED, TRIAL])).toEqual([]);
});

it('lines show only the change once a trial has shown that it helps', () => {
  const options = { verbose: false, output: false, isSimulated: () => false };
  const rows = shown([FAILED, TRIAL], (write) => new Lines(write, options));
  const causes = rows.filter((row) => /Cause|Change/.test(row));
  expect(causes[0]).toContain(
    'Cause    readiness   app: readiness 1 × HTTP 404; the server answers',
  );
  expect(causes.slice(1)).toEqual([
    '    3.000s  web/app  Change   readiness   Set readinessProbe.httpGet.path to /x/ (tried: 200)',
  ]);
});

it('lines show a server that only loopback reaches, though a result came before it was known, once', () => {
  const options = { verbose: false, output: false, isSimulated: () => false };
  const listening: TraceLine = {
    ...{ t: 4, kind: 'listening', ...IN_RUN, started: true, processes: [] },
    sockets: [{ address: '127.0.0.1', port: 80 }],
  };
  const again = [
    { ...FAILED, t: 5 },
    { ...PASSED, t: 6 },
  ];
  const rows = shown([PASSED, listening, PASSED, ...again], (write) => new Lines(write, options));
  expect(rows.filter((row) => row.includes('Warning  '))).toEqual([
    expect.stringContaining('app: it listens on 127.0.0.1:80 only'),
  ]);
});

it.each([
  [200, [2, 2.1, 2.2, 2.25], [1, 3]],
  [20, [2, 2.01, 2.02, 2.025], [1, 3]],
  [10, [2, 2.001, 2.002], [1, 2, 3]],
])(
  'a pod of %i containers is diagnosed once in as many ms, and one of few after each line',
  (count, times, most) => {
    const names = Array.from({ length: count }, (_, index) => `app-${index}`);
    const containers = names.map((name) => buildContainer({ name, readinessProbe }));
    const pod = buildPod({ spec: { containers } });
    const started = names.map((container): TraceLine => ({ ...STARTED, container }));
    const failedAt = (t: number, container: string): TraceLine => ({ ...FAILED, t, container });
    const lines = [...started, ...times.map((t, n) => failedAt(t, `app-${n}`))];
    const found = diagnosesOf(lines, () => false, pod);
    expect(found.map((diagnoses) => diagnoses.length)).toEqual(most);
  },
);

it('lines show that a postStart hook goes on while it does', () => {
  const lines: readonly TraceLine[] = [
    { t: 1, kind: 'hook', ...IN_RUN, hook: 'postStart' },
    { t: 7, kind: 'listening', ...IN_RUN, started: true, sockets: [], processes: ['sleep 60'] },
  ];
  const options = { verbose: false, output: false, isSimulated: () => false };
  const rows = shown(lines, (write) => new Lines(write, options));
  expect(rows.filter((row) => row.includes('Cause'))).toEqual([
    expect.stringContaining('its postStart hook has not ended'),
  ]);
});

const INIT_POD = buildPod({
  spec: { initContainers: [buildContainer({ name: 'wait' })], containers: [buildContainer()] },
});
const OF_INIT = { pod: 'default/web', container: 'wait', run: 0 } as const;
const INIT_STARTED: TraceLine = { t: 1, kind: 'started', ...OF_INIT };

it('shows what only the passing time makes of a pod: an init container that runs on', () => {
  const options = { verbose: false, output: false, isSimulated: () => false };
  const outputOf = (passed: number, later: readonly TraceLine[] = []) => {
    let [summary, text] = [EMPTY_SUMMARY, ''];
    const lines = new Lines((part) => (text += part), options);
    for (const line of [podLine(INIT_POD), INIT_STARTED]) {
      summary = fold(summary, line);
      lines.line(line, summary);
    }
    lines.pass(passed);
    for (const line of later) lines.line(line, (summary = fold(summary, line)));
    return text;
  };
  expect(outputOf(5.9)).not.toContain('Cause');
  expect(outputOf(6.1)).toMatch(/6\.000s.*Cause.*the pod waits for wait/);
  // A recording has no such moments between its lines, and shows the same.
  const [note]: TraceLine[] = [{ t: 9, kind: 'note', level: 'info', text: 'later' }];
  expect(outputOf(1, note && [note])).toBe(outputOf(9, note && [note]));
});

it('shows nothing new of a container that is being stopped', () => {
  const options = { verbose: false, output: false, isSimulated: () => false };
  const stopping: TraceLine = { t: 3, kind: 'stop', ...IN_RUN, gracePeriod: 30 };
  const note: TraceLine = { t: 20, kind: 'note', level: 'info', text: 'later' };
  const rows = shown([FAILED, stopping, note], (write) => new Lines(write, options));
  expect(rows.filter((row) => row.includes('Cause'))).toHaveLength(1);
});

it('explains an end by the log that comes later, in lines and in the JSON', () => {
  const ended: TraceLine[] = [
    { t: 2, kind: 'exited', ...IN_RUN, exitCode: 1, evidence: 'seen' },
    {
      t: 3,
      kind: 'output',
      ...IN_RUN,
      stream: 'stderr',
      text: 'open in.csv: no such file or directory',
    },
    { t: 5, kind: 'note', level: 'info', text: 'later' },
  ];
  const kinds = diagnosesOf(ended, () => false).map(
    ([first]) => (first as { fault: { kind: string } }).fault.kind,
  );
  expect(kinds).toEqual(['silentCrash', 'crashed']);
});
