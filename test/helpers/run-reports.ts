import { type RunReport, runReport, type RunReportInput } from '../../src/report/run-report.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildPod, buildProbe } from './builders.js';
import { buildAttemptDone, HEADER, podLine } from './traces.js';

/** Returns the lines of a pod whose liveness probe fails with this output, and kills it. */
export function killedLines(output = 'HTTP probe failed with statuscode: 503'): TraceLine[] {
  const { exec: _, ...probe } = buildProbe({
    httpGet: { path: '/healthz', port: 8080 },
    failureThreshold: 1,
  });
  const pod = buildPod({
    spec: {
      containers: [{ name: 'app', image: 'x', livenessProbe: probe, readinessProbe: probe }],
    },
  });
  const app = { pod: 'default/web', container: 'app' } as const;
  const message = 'Container app failed liveness probe, will be restarted';
  const kill = { name: 'app', message, reason: 'LivenessProbe' };
  return [
    podLine(pod),
    { t: 0.5, kind: 'started', ...app, run: 0 },
    { t: 1, kind: 'attempt', ...app, probe: 'liveness', attempt: 1, containerID: 'test://app-1' },
    buildAttemptDone({
      ...{ t: 1.5, probe: 'liveness', result: 'failure', output, statusCode: 503 },
      ...{ lastResult: 'failure', set: 'failure' },
    }),
    {
      ...{ t: 2, kind: 'actions', pod: 'default/web', killPod: false, createSandbox: false },
      ...{ containersToStart: [{ name: 'app' }], containersToKill: [kill] },
    },
    { t: 2, kind: 'stop', ...app, run: 0, gracePeriod: 30 },
    { t: 3, kind: 'output', ...app, run: 0, stream: 'stderr', text: output },
    { t: 3, kind: 'exited', ...app, run: 0, exitCode: 137 },
    {
      t: 3,
      kind: 'event',
      pod: 'default/web',
      type: 'Warning',
      reason: 'Unhealthy',
      message: output,
    },
  ];
}

/** Returns the lines of a pod whose readiness probe fails, and whose container ends by itself with exit code 4. */
export function crashedLines(): TraceLine[] {
  const [pod, started] = killedLines();
  const app = { pod: 'default/web', container: 'app' } as const;
  const failure = { result: 'failure', output: 'refused', lastResult: 'failure' } as const;
  return [
    ...(pod && started ? [pod, started] : []),
    buildAttemptDone({ t: 1, probe: 'readiness', ...failure, set: 'failure' }),
    { t: 2, kind: 'exited', ...app, run: 0, exitCode: 4 },
  ];
}

/** Returns the report of such a run. */
export function buildReport(output?: string, changes: Partial<RunReportInput> = {}): RunReport {
  const manifest = {
    ...{ file: 'pod.yaml', isFile: true, first: 1 },
    lines: [
      'kind: Pod',
      'spec:',
      '  containers:',
      '  - name: app',
      '    image: x',
      '',
      '  livenessProbe:',
    ],
    positions: () => ({ line: 7, column: 3 }),
  };
  const verdict = { kind: 'doesNotHold', sentence: 'default/web: no longer alive' } as const;
  return runReport({
    command: 'kprobe run',
    header: HEADER,
    lines: killedLines(output),
    ending: { t: 4, kind: 'goal', verdict, exitCode: 1 },
    manifests: new Map([['default/web', manifest]]),
    isSimulated: () => false,
    ...changes,
  });
}
