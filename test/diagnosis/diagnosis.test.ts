import { describe, expect, it } from 'vitest';

import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { isPast } from '../../src/diagnosis/fault.js';
import { outlooks } from '../../src/diagnosis/outlook.js';
import {
  diagnosisText,
  firstChange,
  headline,
  outlookText,
  runSentence,
  symptomText,
} from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildAttempt } from '../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';
import { summaryAt } from '../helpers/ui.js';

const APP_RUN = { pod: 'default/web', container: 'app', run: 0 };

async function podAt(seconds: number, name: string) {
  const { pods } = await summaryAt(seconds, name);
  return pods[0]!;
}

describe('diagnosePod', () => {
  it('says why a restarted container fails again, and when it is killed', async () => {
    const [worst] = diagnosePod(await podAt(34.2, 'web'), 34.2);
    expect(diagnosisText(worst!)).toBe(
      'app killed 1 ×; liveness 2 × exit 1; cat: healthy: No such file or directory → 1 more failure, earliest in 1.8 s → killed with TERM, 5 s grace, then restarted at once. Fix what the command checks: it has succeeded in this run',
    );
  });

  it.each([
    ['that is to come', 34.2, /killed with USR1, 5 s grace/],
    ['that goes on', 36.4, /^USR1 sent; KILL in/],
  ])('names the signal that the spec has for a stop %s', async (_, seconds, text) => {
    const pod = await podAt(seconds, 'web');
    const containers = pod.containers.map((container) => ({
      ...container,
      spec: { ...container.spec, lifecycle: { stopSignal: 'SIGUSR1' } },
    }));
    const steps = outlooks({ ...pod, containers }, seconds, () => false).map(outlookText);
    expect(steps).toContainEqual(expect.stringMatching(text));
  });

  it('gives the earliest and the latest start after a back-off', async () => {
    const [worst] = diagnosePod(await podAt(9, 'crash-loop'), 9);
    expect(symptomText(worst!)).toBe('worker crashed 2 × (exit 1)');
    expect(outlookText(worst!.next!)).toBe('CrashLoopBackOff of 10 s; starts again in 5.7 – 12 s');
    expect(isPast(worst!)).toBe(false);
  });

  it('expects no back-off where a rule restarts all containers', () => {
    const exitCodes = { operator: 'In', values: [7] } as const;
    const restarting = buildContainer({
      ...{ name: 'app', restartPolicy: 'Always' },
      restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes }],
    });
    const lines: readonly TraceLine[] = [
      podLine(buildPod({ spec: { containers: [restarting] } })),
      ...[1, 2].flatMap((t): TraceLine[] => [
        { t, kind: 'started', ...APP_RUN, run: t },
        { t: t + 0.5, kind: 'exited', ...APP_RUN, run: t, exitCode: 7 },
      ]),
    ];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(outlookText(worst!.next!)).toBe('the kubelet starts it again at once');
  });

  it('counts only the failures that are as the last one', () => {
    const readinessProbe = buildProbe({ httpGet: { port: 80, path: '/', scheme: 'HTTP' } });
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1', readinessProbe }] } });
    const failed = (t: number, how: object) => ({
      ...{
        t,
        kind: 'attemptDone',
        ...APP_RUN,
        probe: 'readiness',
        attempt: t,
        tries: 1,
        latency: 1,
      },
      ...{
        result: 'failure',
        lastResult: 'failure',
        resultRun: t,
        threshold: 3,
        output: '',
        ...how,
      },
    });
    const lines = [
      podLine(web),
      { t: 0, kind: 'started', ...APP_RUN },
      failed(1, { reason: 'refused' }),
      ...[2, 3, 4].map((t) => failed(t, { statusCode: 404 })),
    ] as readonly TraceLine[];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 5);
    expect(headline(worst!)).toMatch(/readiness 3 × HTTP 404/);
  });

  it('keeps the cause of each earlier run', async () => {
    const app = (await podAt(34.2, 'web')).containers.find(({ name }) => name === 'app')!;
    expect(runSentence(app, app.runs[0]!)).toBe('liveness 3 × exit 1');
  });

  it('calls a container stopped that ended after TERM, whatever its exit code', async () => {
    const app = (await podAt(34.2, 'web')).containers.find(({ name }) => name === 'app')!;
    const { killReason: _, ...run } = app.runs[0]!;
    expect(run).toHaveProperty('stop');
    expect(runSentence(app, { ...run, exitCode: 143 })).toBe('stopped');
  });

  it('gives a start that failed before this one as past, with its error', () => {
    const lines: readonly TraceLine[] = [
      podLine(buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } })),
      { t: 1, kind: 'startFailed', ...APP_RUN, error: 'exec: "app": executable file not found' },
      { t: 2, kind: 'started', ...APP_RUN, run: 1 },
    ];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(isPast(worst!)).toBe(true);
    expect(headline(worst!)).toBe(
      'app: run 0: not started: exec: "app": executable file not found',
    );
  });

  it('counts no failed start as a crash', () => {
    const lines: readonly TraceLine[] = [
      podLine(buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } })),
      { t: 1, kind: 'startFailed', ...APP_RUN, error: 'exec: "app": executable file not found' },
      { t: 2, kind: 'started', ...APP_RUN, run: 1 },
      { t: 3, kind: 'exited', ...APP_RUN, run: 1, exitCode: 1 },
    ];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(symptomText(worst!)).toBe('app crashed 1 × (exit 1)');
  });

  it('takes no failure of a probe for why a container cannot start', () => {
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
    const status = { name: 'app', ready: false, restartCount: 1, lastState: '' };
    const event = (reason: string, message: string): TraceLine => ({
      ...{ t: 1, kind: 'event', pod: 'default/web', type: 'Warning', reason, message },
      fieldPath: 'spec.containers{app}',
    });
    const { pods } = (
      [
        podLine(web),
        {
          ...{
            t: 1,
            kind: 'startFailed',
            pod: 'default/web',
            container: 'app',
            run: 1,
          },
          error: 'no space left on device',
        },
        event('Unhealthy', 'Readiness probe failed: not warm'),
        {
          ...{ t: 2, kind: 'status', pod: 'default/web', phase: 'Running', reason: '' },
          ...{ conditions: {}, initContainers: [], podStatus: {} },
          containers: [{ ...status, state: 'waiting RunContainerError' }],
        },
      ] as const satisfies readonly TraceLine[]
    ).reduce(fold, EMPTY_SUMMARY);
    const [worst] = diagnosePod(pods[0]!, 3);
    expect(diagnosisText({ ...worst!, next: undefined })).toBe(
      'app cannot start: no space left on device',
    );
  });

  it('names the option that keeps nginx in the foreground', () => {
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
    const inRun = { pod: 'default/web', container: 'app', run: 0 };
    const left = ['nginx: master process nginx', 'nginx: worker process'];
    const lines: readonly TraceLine[] = [
      podLine(web),
      { t: 1, kind: 'started', ...inRun },
      { t: 2, kind: 'exited', ...inRun, exitCode: 0, left },
    ];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(firstChange(worst!)).toBe("Run nginx in the foreground: nginx -g 'daemon off;'");
  });

  it('takes a kill at the end of a deletion for no crash', () => {
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
    const inRun = { pod: 'default/web', container: 'app', run: 0 };
    const headlines = (...lines: readonly TraceLine[]) => {
      const { pods } = [podLine(web), ...lines].reduce(fold, EMPTY_SUMMARY);
      return diagnosePod(pods[0]!, 20).map(symptomText);
    };
    const started: TraceLine = { t: 1, kind: 'started', ...inRun };
    const deleted: TraceLine = { t: 5, kind: 'action', pod: 'default/web', do: 'delete' };
    const exited: TraceLine = { t: 7, kind: 'exited', ...inRun, exitCode: 137 };
    expect(headlines(started, exited)).toEqual(['app crashed 1 × (exit 137)']);
    expect(headlines(started, deleted, exited)).toEqual([]);
    expect(headlines(started, { ...exited, t: 3 }, deleted)).toHaveLength(1);
  });

  it.each([
    ['docker', 'somebody had docker send it KILL (docker kill, docker stop or docker rm -f)'],
    [undefined, 'something other than the kubelet sent KILL'],
  ])('tells an end by KILL that %s sent: %s', (sentBy, text) => {
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
    const lines: readonly TraceLine[] = [
      podLine(web),
      { t: 1, kind: 'started', ...APP_RUN },
      { t: 6, kind: 'exited', ...APP_RUN, exitCode: 137, ...(sentBy && { sentBy }) },
    ];
    const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
    expect(diagnosePod(pods[0]!, 6).map(diagnosisText)[0]).toContain(`(exit 137): ${text}`);
  });

  it.each<[string, ...TraceLine[]]>([
    [
      'whose pod the kubelet stops',
      { t: 5, kind: 'stop', ...APP_RUN, gracePeriod: 2, evidence: 'seen' },
      { t: 6, kind: 'exited', ...APP_RUN, exitCode: 143, evidence: 'seen' },
    ],
    [
      'that the cluster’s kubelet has stopped, beside its pod',
      { t: 6, kind: 'exited', ...APP_RUN, exitCode: 137, restartedBy: 'cluster' },
    ],
  ])('takes no end of a run for a crash %s', (_, ...lines) => {
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
    const started: TraceLine = { t: 1, kind: 'started', ...APP_RUN };
    const { pods } = [podLine(web), started, ...lines].reduce(fold, EMPTY_SUMMARY);
    expect(diagnosePod(pods[0]!, 6)).toEqual([]);
  });

  it('takes why a container cannot start from its status, where there is no event', () => {
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
    const waiting = { reason: 'CreateContainerConfigError', message: 'secret "db" not found' };
    const status = { name: 'app', ready: false, started: false, restartCount: 0 };
    const full = {
      ...status,
      state: { waiting },
      lastTerminationState: {},
      image: '',
      imageID: '',
    };
    const line: TraceLine = {
      ...{ t: 2, kind: 'status', pod: 'default/web', phase: 'Pending', reason: '' },
      ...{ conditions: {}, initContainers: [], podStatus: { containerStatuses: [full] } },
      containers: [{ ...status, state: `waiting ${waiting.reason}`, lastState: '' }],
    };
    const [worst] = diagnosePod([podLine(web), line].reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(diagnosisText({ ...worst!, next: undefined })).toBe(
      'app cannot start: secret "db" not found. Add the Secret db to the manifests, or set optional: true where it is used',
    );
  });

  it('keeps the settings of a probe that had succeeded once its killed run has ended', () => {
    const livenessProbe = buildProbe({ httpGet: { port: 80, path: '/x', scheme: 'HTTP' } });
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1', livenessProbe }] } });
    const seen = { pod: 'default/web', container: 'app', evidence: 'seen' } as const;
    const output = 'HTTP probe failed with statuscode: 404';
    const { pods } = (
      [
        podLine(web),
        { t: 0, kind: 'started', ...seen, run: 0 },
        { t: 3, kind: 'counted', ...seen, probe: 'liveness', successful: 2, failed: 0, unknown: 0 },
        {
          ...{ t: 5, kind: 'attemptDone', ...seen, probe: 'liveness', attempt: 1, tries: 1 },
          ...{ latency: 1, result: 'failure', output, statusCode: 404 },
          ...{ lastResult: 'failure', resultRun: 1, threshold: 1, set: 'failure' },
        },
        {
          ...{ t: 5, kind: 'event', pod: 'default/web', type: 'Normal', reason: 'Killing' },
          ...{ message: 'Container app failed liveness probe, will be restarted' },
          fieldPath: 'spec.containers{app}',
        },
        { t: 6, kind: 'exited', ...seen, run: 0, exitCode: 143 },
      ] as const
    ).reduce<Summary>((summary, line) => fold(summary, line as TraceLine), EMPTY_SUMMARY);
    const [worst] = diagnosePod(pods[0]!, 6);
    expect(diagnosisText(worst!)).toContain('so its settings are right');
    expect(diagnosisText(worst!)).not.toContain('Correct');
  });

  it('takes no attempt that a liveness worker makes before the next run has started for a cause', () => {
    const probe = buildProbe({ httpGet: { port: 80, path: '/x', scheme: 'HTTP' } });
    const container = { name: 'app', image: 'a:1', startupProbe: probe, livenessProbe: probe };
    const app = { pod: 'default/web', container: 'app' } as const;
    const attempt = { probe: 'liveness', attempt: 1, tries: 1, latency: 1 } as const;
    const failed = { result: 'failure', lastResult: 'failure', threshold: 3 } as const;
    const { pods } = (
      [
        podLine(buildPod({ spec: { containers: [container] } })),
        { t: 0, kind: 'started', ...app, run: 0 },
        {
          ...{ t: 4, kind: 'actions', pod: app.pod, killPod: false, createSandbox: false },
          containersToStart: [],
          containersToKill: [{ name: 'app', reason: 'LivenessProbe', message: 'unhealthy' }],
        },
        { t: 5, kind: 'exited', ...app, run: 0, exitCode: 143 },
        { t: 5, kind: 'started', ...app, run: 1 },
        {
          ...{ t: 5, kind: 'attemptDone', ...app, ...attempt, ...failed },
          ...{ output: 'connection refused', reason: 'refused', resultRun: 1 },
        },
      ] as const
    ).reduce<Summary>((summary, line) => fold(summary, line as TraceLine), EMPTY_SUMMARY);
    const [worst] = diagnosePod(pods[0]!, 5);
    expect(worst?.symptom).toMatchObject({ kind: 'killed', by: 'liveness' });
  });

  it('keeps the evidence of a killed run while the next one is refused like it, for less long', () => {
    const startupProbe = buildProbe({ httpGet: { port: 80, path: '/x', scheme: 'HTTP' } });
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1', startupProbe }] } });
    const app = { pod: 'default/web', container: 'app' } as const;
    const refused = (t: number, run: number) =>
      ({
        ...{ t, kind: 'attemptDone', ...app, probe: 'startup', attempt: t, tries: 1, latency: 1 },
        ...{ result: 'failure', lastResult: 'failure', resultRun: 1, threshold: 3 },
        ...{ output: 'connection refused', reason: 'refused', run },
      }) as const;
    const facts = { started: true, processes: [] } as const;
    const socket = { address: '0.0.0.0', port: 81 };
    const { pods } = (
      [
        podLine(web),
        { t: 0, kind: 'started', ...app, run: 0 },
        { t: 1, kind: 'listening', ...app, run: 0, ...facts, sockets: [socket] },
        ...[1, 2, 3].map((t) => refused(t, 0)),
        {
          ...{ t: 4, kind: 'actions', pod: app.pod, killPod: false, createSandbox: false },
          containersToStart: [],
          containersToKill: [{ name: 'app', reason: 'StartupProbe', message: 'unhealthy' }],
        },
        { t: 5, kind: 'exited', ...app, run: 0, exitCode: 143 },
        { t: 5, kind: 'started', ...app, run: 1 },
        { t: 6, kind: 'listening', ...app, run: 1, ...facts, sockets: [] },
        refused(6, 1),
      ] as const
    ).reduce<Summary>((summary, line) => fold(summary, line as TraceLine), EMPTY_SUMMARY);
    const [worst] = diagnosePod(pods[0]!, 6);
    expect(headline(worst!)).toBe(
      'app killed 1 ×; startup 1 × refused; nothing listens on port 80; the program listens on port 81; the startup budget is 30 s',
    );
  });

  it('takes the crash of the run before for the cause of a kill that counts its failures', () => {
    const startupProbe = buildProbe({ tcpSocket: { port: 80 } });
    const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1', startupProbe }] } });
    const app = { pod: 'default/web', container: 'app' } as const;
    const refused = (t: number, run: number) =>
      ({
        ...{ t, kind: 'attemptDone', ...app, probe: 'startup', attempt: t, tries: 1, latency: 1 },
        ...{ result: 'failure', lastResult: 'failure', resultRun: t, threshold: 3 },
        ...{ output: 'connection refused', reason: 'refused', run },
      }) as const;
    const text = 'error: no listener configured';
    const summary = (
      [
        podLine(web),
        { t: 0, kind: 'started', ...app, run: 0 },
        ...[1, 2].map((t) => refused(t, 0)),
        { t: 2, kind: 'output', ...app, run: 0, stream: 'stderr', text },
        { t: 2, kind: 'exited', ...app, run: 0, exitCode: 2 },
        { t: 2, kind: 'started', ...app, run: 1 },
        refused(3, 1),
        {
          ...{ t: 3, kind: 'actions', pod: app.pod, killPod: false, createSandbox: false },
          containersToStart: [],
          containersToKill: [{ name: 'app', reason: 'StartupProbe', message: 'unhealthy' }],
        },
        { t: 4, kind: 'exited', ...app, run: 1, exitCode: 143 },
      ] as const
    ).reduce<Summary>((all, line) => fold(all, line as TraceLine), EMPTY_SUMMARY);
    const { pods } = summary;
    const [worst] = diagnosePod(pods[0]!, 5);
    expect(headline(worst!)).toBe(`app crashed 1 × (exit 2): ${text}`);
    // The next run, which is refused as well, says no more.
    const next = [{ t: 6, kind: 'started', ...app, run: 2 } as const, refused(7, 2)];
    const later = next.reduce<Summary>((all, line) => fold(all, line as TraceLine), summary);
    expect(headline(diagnosePod(later.pods[0]!, 7)[0]!)).toContain(text);
  });

  it('finds nothing wrong before anything fails', async () => {
    expect(diagnosePod(await podAt(0.5, 'web'), 0.5)).toEqual([]);
  });

  it.each([
    {
      type: 'liveness',
      exitCode: 0,
      text: 'app exited 4 × (exit 0): the liveness probe failed when the kubelet last said why, 10m ago; nothing listens on port 80: not up yet, another port, or another address. Add a startupProbe if it needs longer to start',
    },
    {
      type: 'startup',
      exitCode: 137,
      text: 'app ended 4 × (exit 137): the startup probe failed when the kubelet last said why, 10m ago; nothing listens on port 80: not up yet, another port, or another address; the startup budget is 30 s. Raise startupProbe.failureThreshold if it needs longer to start',
    },
  ] as const)(
    'takes the last kill that a cluster reported for a crash loop: $type, exit code $exitCode',
    ({ type, exitCode, text }) => {
      const probe = buildProbe({ httpGet: { port: 80, path: '/', scheme: 'HTTP' } });
      const app = { name: 'app', image: 'a:1', [`${type}Probe`]: probe };
      const inPod = { pod: 'default/web' };
      const message = `Container app failed ${type} probe, will be restarted`;
      const waiting = {
        name: 'app',
        ready: false,
        restartCount: 3,
        lastState: `terminated Completed ${exitCode}`,
      };
      const inRun = { ...inPod, container: 'app', run: 3 };
      const { pods } = (
        [
          podLine(buildPod({ spec: { containers: [app] } })),
          { t: 0, kind: 'started', ...inRun, at: -90, evidence: 'seen' },
          {
            ...{ t: 0, kind: 'attemptDone', ...inRun, probe: type, attempt: 1, tries: 1 },
            ...{ latency: 1, result: 'failure', lastResult: 'failure', resultRun: 3, threshold: 3 },
            ...{ containerID: '', nextTick: 0 },
            ...{ output: 'connection refused', reason: 'refused', at: -600, evidence: 'seen' },
          },
          {
            ...{ t: 0, kind: 'event', ...inPod, type: 'Normal', reason: 'Killing', message },
            ...{ fieldPath: 'spec.containers{app}', count: 9, at: -600 },
          },
          { t: 0, kind: 'exited', ...inRun, exitCode, at: -5, evidence: 'seen' },
          {
            ...{ t: 0, kind: 'status', ...inPod, phase: 'Running', reason: '', conditions: {} },
            ...{ initContainers: [], podStatus: { phase: 'Running' } },
            containers: [{ ...waiting, state: 'waiting CrashLoopBackOff' }],
          },
        ] satisfies readonly TraceLine[]
      ).reduce(fold, EMPTY_SUMMARY);
      expect(
        diagnosePod(pods[0]!, 0).map((each) => diagnosisText({ ...each, next: undefined })),
      ).toEqual([text]);
    },
  );
});

describe('an init container that goes on', () => {
  const wait = { name: 'wait', image: 'a:1' };
  const app = { name: 'app', image: 'a:1' };
  const pod = buildPod({ spec: { initContainers: [wait], containers: [app] } });
  const inRun = { pod: 'default/web', container: 'wait', run: 0 } as const;
  const lines: readonly TraceLine[] = [
    podLine(pod),
    { t: 1, kind: 'started', ...inRun },
    ...[2, 3, 4].map((t) => {
      return { t, kind: 'output', ...inRun, stream: 'stdout', text: 'waiting for db' } as const;
    }),
  ];
  const [view] = lines.reduce(fold, EMPTY_SUMMARY).pods;

  it('of a cluster has the last line of its log, without its age: a log has no times', () => {
    const started = { t: 1, kind: 'started', ...inRun, evidence: 'seen' } as const;
    const [seen] = [podLine(pod), started, lines[2]!].reduce(fold, EMPTY_SUMMARY).pods;
    expect(diagnosisText(diagnosePod(seen!, 60)[0]!)).toContain(
      'before the next one starts; the program reports: waiting for db',
    );
  });

  it('is what the pod waits for, with the line that it repeats', () => {
    expect(diagnosePod(view!, 8).map((each) => diagnosisText(each))).toEqual([
      'the pod waits for wait: an init container has to end before the next one starts; the program has written 3 times: waiting for db. Start what it connects to, or correct the address that it reads',
    ]);
  });

  const FIRST = 'Declare proxy before it in initContainers: what comes later starts later';
  const PEER = 'Start what it connects to, or correct the address that it reads';
  it.each([
    ['waiting for proxy', 'later', false, FIRST],
    ['waiting for 127.0.0.1:80', 'later', false, FIRST],
    ['waiting for 127.0.0.1:80', 'later', true, PEER],
    ['waiting for proxy', 'earlier', false, PEER],
    ['waiting for db', 'later', false, PEER],
  ])('and waits for a sidecar has advice: %s, declared %s', (text, order, hostNetwork, advice) => {
    const proxy = { name: 'proxy', image: 'a:1', restartPolicy: 'Always' as const };
    const initContainers = order === 'later' ? [wait, proxy] : [proxy, wait];
    const spec = { initContainers, containers: [app], hostNetwork };
    const said = lines.slice(1).map((line) => (line.kind === 'output' ? { ...line, text } : line));
    const [found] = [podLine(buildPod({ spec })), ...said].reduce(fold, EMPTY_SUMMARY).pods;
    expect(diagnosePod(found!, 8).map((each) => firstChange(each))).toEqual([advice]);
  });

  it.each([
    ['until [ -f /shared/ready ]; do sleep 1; done', true],
    ['sleep 20; ./migrate', false],
  ])('and writes nothing has advice about a loop: %s', (script, isLoop) => {
    const silent = { ...wait, command: ['/bin/sh', '-c', script] };
    const spec = { initContainers: [silent], containers: [app] };
    const [found] = [podLine(buildPod({ spec })), lines[1]!].reduce(fold, EMPTY_SUMMARY).pods;
    const advice =
      "See in its script what the loop around sleep waits for, and provide that; the pod's other containers start after it";
    const [diagnosis] = diagnosePod(found!, 8);
    expect(diagnosisText(diagnosis!).includes(advice)).toBe(isLoop);
  });

  it.each([
    ['that a later init container may write', 'proxy', {}, FIRST.replace('proxy', 'config')],
    ['that none writes', 'config', {}, /^Add the file to the volume at \/work/],
    ['of a ConfigMap', 'proxy', { configMap: { name: 'c' } }, /^Add the file to the volume/],
  ])('and lacks a file %s has advice', (_, name, source, advice) => {
    const volumeMounts = [{ name: 'work', mountPath: '/work' }];
    const emptyDir = 'configMap' in source ? {} : { emptyDir: {} };
    const volumes = [{ name: 'work', ...emptyDir, ...source }];
    const initContainers = ['proxy', 'config'].map((each) => {
      const policy = { restartPolicy: 'Always' as const };
      return { name: each, image: 'a:1', volumeMounts, ...(each === 'proxy' && policy) };
    });
    const pod = buildPod({ spec: { volumes, initContainers, containers: [app] } });
    const run = { ...inRun, container: name };
    const text = "cat: can't open '/work/proxy.conf': No such file or directory";
    const [found] = (
      [
        podLine(pod),
        { t: 1, kind: 'started', ...run },
        { t: 1, kind: 'output', ...run, stream: 'stderr', text },
        { t: 2, kind: 'exited', ...run, exitCode: 1 },
      ] satisfies readonly TraceLine[]
    ).reduce(fold, EMPTY_SUMMARY).pods;
    expect(firstChange(diagnosePod(found!, 3)[0]!)).toMatch(advice);
  });

  it('may wait beside a sidecar whose name is a pattern', () => {
    const odd = { name: 'proxy(', image: 'a:1', restartPolicy: 'Always' as const };
    const spec = { initContainers: [wait, odd], containers: [app] };
    const [found] = [podLine(buildPod({ spec })), ...lines.slice(1)].reduce(
      fold,
      EMPTY_SUMMARY,
    ).pods;
    expect(diagnosePod(found!, 8).map((each) => firstChange(each))).toEqual([PEER]);
  });

  it('has no advice where the line that it repeats names no wait', () => {
    const loading = lines.map((line) =>
      line.kind === 'output' ? { ...line, text: 'loading shard' } : line,
    );
    const [pod] = loading.reduce(fold, EMPTY_SUMMARY).pods;
    expect(diagnosePod(pod!, 8).map(({ changes }) => changes)).toEqual([[]]);
  });

  it('gets no diagnosis once it has succeeded, although an earlier run had failed', () => {
    const again = { ...inRun, run: 1 };
    const [ended] = (
      [
        podLine(pod),
        { t: 1, kind: 'started', ...inRun },
        { t: 2, kind: 'exited', ...inRun, exitCode: 137 },
        { t: 3, kind: 'started', ...again },
        { t: 4, kind: 'exited', ...again, exitCode: 0 },
      ] satisfies readonly TraceLine[]
    ).reduce(fold, EMPTY_SUMMARY).pods;
    expect(diagnosePod(ended!, 8)).toEqual([]);
  });

  it('gets no diagnosis in its first seconds', () => {
    expect(diagnosePod(view!, 4)).toEqual([]);
  });
});

it('warns of a redirect to another host, which counts as a success', () => {
  const readinessProbe = buildProbe({ httpGet: { path: '/', port: 80 } });
  const web = buildPod({ spec: { containers: [buildContainer({ name: 'app', readinessProbe })] } });
  const attempt = buildAttempt({
    ...{ result: 'warning', statusCode: 302 },
    detail: {
      ...{ address: '127.0.0.1:80', timings: { total: 1 } },
      response: 'HTTP/1.1 302 Found\r\nLocation: https://login.example/\r\n\r\n',
    },
  });
  const { pods } = [podLine(web), { t: 1, kind: 'started', ...APP_RUN } as const].reduce(
    fold,
    EMPTY_SUMMARY,
  );
  const [container] = pods[0]!.containers;
  const probes = container!.probes.map((probe) => ({ ...probe, attempts: [attempt] }));
  const [worst] = diagnosePod({ ...pods[0]!, containers: [{ ...container!, probes }] }, 3);
  expect(worst).toMatchObject({
    urgency: 'warning',
    fault: { kind: 'redirect', end: 'otherHost' },
  });
  expect(firstChange(worst!)).toBe('Answer the path of readinessProbe without a redirect');
});

it('a server that ends by itself after an answer is no job', () => {
  const spec = { containers: [buildContainer({ readinessProbe: buildProbe({}) })] };
  const { pods } = [
    podLine(buildPod({ spec })),
    { t: 1, kind: 'started', ...APP_RUN } as const,
    { t: 4, kind: 'exited', ...APP_RUN, exitCode: 0 } as const,
  ].reduce(fold, EMPTY_SUMMARY);
  const [container] = pods[0]!.containers;
  const attempts = [buildAttempt({ result: 'success' })];
  const probes = container!.probes.map((probe) => ({ ...probe, attempts }));
  const [worst] = diagnosePod({ ...pods[0]!, containers: [{ ...container!, probes }] }, 4);
  expect(firstChange(worst!)).toBe(
    'Find out why the program ends by itself: it had answered a probe',
  );
});

it.each([
  [false, 'peer'],
  [true, 'connections'],
])('a pool whose program has answered: %s, lacks: %s', (hasAnswered, what) => {
  const spec = { containers: [buildContainer({ readinessProbe: buildProbe({}) })] };
  const { pods } = [
    podLine(buildPod({ spec })),
    { t: 1, kind: 'started', ...APP_RUN } as const,
    { t: 3, kind: 'output', ...APP_RUN, stream: 'stderr', text: 'Error: PoolTimedOut' } as const,
    { t: 4, kind: 'exited', ...APP_RUN, exitCode: 1 } as const,
  ].reduce(fold, EMPTY_SUMMARY);
  const [container] = pods[0]!.containers;
  const attempts = hasAnswered ? [buildAttempt({ result: 'success' })] : [];
  const probes = container!.probes.map((probe) => ({ ...probe, attempts }));
  const [worst] = diagnosePod({ ...pods[0]!, containers: [{ ...container!, probes }] }, 4);
  expect(worst!.changes).toEqual([{ kind: 'advice', advice: { do: 'provide', what } }]);
});

it.each([
  [[], 'Error: listen EADDRINUSE: address already in use :::8080'],
  [['-p', '8080'], 'httpd: bind: Address already in use'],
])(
  'names the container of the same pod that has the port of another one: args %j, %s',
  (args, text) => {
    const containers = [buildContainer({ name: 'app', args }), buildContainer({ name: 'other' })];
    const inRun = (container: string) => ({ pod: 'default/web', container, run: 0 });
    const lines: readonly TraceLine[] = [
      podLine(buildPod({ spec: { containers } })),
      ...['app', 'other'].map((name) => ({ t: 1, kind: 'started', ...inRun(name) }) as const),
      {
        ...{ t: 1, kind: 'listening', ...inRun('other'), started: true },
        ...{ sockets: [{ address: '::', port: 8080 }], processes: ['nginx'] },
      },
      { t: 2, kind: 'output', ...inRun('app'), stream: 'stderr', text },
      { t: 3, kind: 'exited', ...inRun('app'), exitCode: 1 },
    ];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(firstChange(worst!)).toContain('Free port 8080, which other of the same pod has');
  },
);

it.each<[string, number, readonly string[], object]>([
  ['curl could not connect', 7, ['sh e.sh', 'curl -sf http://x/'], { do: 'provide', what: 'peer' }],
  ['no word', 1, ['sh e.sh', 'grep -q x y'], { do: 'logErrors', ofEnd: 'script' }],
  ['no word', 7, ['sh e.sh'], { do: 'logErrors', ofEnd: 'script' }],
  ['no word', 1, ['shopd --serve'], { do: 'logErrors', ofEnd: 'program' }],
])(
  'a run that writes nothing is explained by %s: exit code %i of %j',
  (text, exitCode, processes, advice) => {
    const facts = { started: true, sockets: [], processes };
    const lines: readonly TraceLine[] = [
      podLine(buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } })),
      { t: 1, kind: 'started', ...APP_RUN },
      { t: 2, kind: 'listening', ...APP_RUN, ...facts },
      { t: 3, kind: 'exited', ...APP_RUN, exitCode },
    ];
    const [worst] = diagnosePod(lines.reduce(fold, EMPTY_SUMMARY).pods[0]!, 3);
    expect(worst?.fault).toMatchObject(
      text === 'no word' ? { kind: 'silentCrash' } : { kind: 'crashed', text },
    );
    expect(worst?.changes).toEqual([{ kind: 'advice', advice }]);
  },
);
