import { describe, expect, it } from 'vitest';

import { Lines, type LinesOptions } from '../../../src/report/lines/lines.js';
import type { Event } from '../../../src/trace/event.js';
import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../../../src/trace/summary/summary.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';
import { readStream, watchStream } from '../../helpers/cluster-stream.js';
import { buildAttemptDone, podLine } from '../../helpers/traces.js';

const readinessProbe = buildProbe({ failureThreshold: 3, initialDelaySeconds: 5 });
const POD = podLine(buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } }));
const IN_RUN = { pod: 'default/web', container: 'app', run: 0 } as const;

/** The printed lines after the pod's own lines. */
function printed(events: readonly TraceLine[], options: Partial<LinesOptions> = {}): string[] {
  const texts: string[] = [];
  const lines = new Lines((text) => texts.push(text), {
    verbose: false,
    output: false,
    ...options,
  });
  let summary: Summary = EMPTY_SUMMARY;
  const tell = (line: TraceLine): void => {
    summary = fold(summary, line);
    lines.line(line, summary);
  };
  tell(POD);
  const own = texts.length;
  for (const event of events) tell(event);
  return texts.slice(own).map((text) => text.replace(/\n$/, ''));
}

const at = (t: number, event: Event): TraceLine => ({ t, ...event });
const attempt = (...args: Parameters<typeof buildAttemptDone>): TraceLine =>
  buildAttemptDone(...args);

const unhealthy = at(2, {
  kind: 'event',
  pod: 'default/web',
  type: 'Warning',
  reason: 'Unhealthy',
  message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
  fieldPath: 'spec.containers{app}',
});
const failed = attempt({ t: 2, result: 'failure', resultRun: 2, threshold: 3 });

describe('Lines', () => {
  it('lists the probes of a pod again when they change, and not when it is scheduled', () => {
    const onNode = { spec: { containers: [buildContainer({ readinessProbe })], nodeName: 'n' } };
    expect(printed([podLine(buildPod(onNode))])).toEqual([]);
    const changed = { spec: { containers: [buildContainer({})], nodeName: 'n' } };
    expect(printed([podLine(buildPod(changed))])).toEqual([
      '    0.000s  web/app  Pod      container   no probes',
    ]);
  });

  it.each<[string, TraceLine[], string[]]>([
    [
      'an exit',
      [at(3.2, { kind: 'exited', ...IN_RUN, exitCode: 1 })],
      ['    3.200s  web/app  Run      Ended       exit code 1'],
    ],
    [
      'an exit with a reason',
      [at(3.2, { kind: 'exited', ...IN_RUN, exitCode: 137, reason: 'OOMKilled' })],
      ['    3.200s  web/app  Run      Ended       exit code 137, OOMKilled'],
    ],
    [
      'a postStart hook, for which the probes wait',
      [at(3, { kind: 'hook', ...IN_RUN, hook: 'postStart' })],
      ['    3.000s  web/app  Hook     postStart   started: no probe runs until it ends'],
    ],
    [
      'a stop and its preStop hook',
      [
        at(3, { kind: 'hook', ...IN_RUN, hook: 'preStop' }),
        at(4, { kind: 'hookDone', ...IN_RUN, hook: 'preStop', error: 'exit status 1' }),
        at(4, { kind: 'stop', ...IN_RUN, gracePeriod: 30 }),
      ],
      [
        '    3.000s  web/app  Hook     preStop     started',
        '    4.000s  web/app  Hook     preStop     exit status 1',
        '    4.000s  web/app  Run      Stopping    TERM, 30 s grace period',
      ],
    ],
    [
      'a stop with a signal of its own',
      [
        {
          ...podLine(
            buildPod({
              spec: {
                containers: [
                  buildContainer({ readinessProbe, lifecycle: { stopSignal: 'SIGUSR1' } }),
                ],
              },
            }),
          ),
          t: 1,
        },
        at(4, { kind: 'stop', ...IN_RUN, gracePeriod: 30 }),
      ],
      [
        expect.stringMatching(/^ +1\.000s .* readiness /),
        '    4.000s  web/app  Run      Stopping    USR1, 30 s grace period',
      ],
    ],
    [
      'a runtime that goes down and recovers',
      [
        at(1, { kind: 'runtime', up: false, error: 'no such socket' }),
        at(2, { kind: 'runtime', up: true }),
      ],
      [
        '    1.000s           Runtime  Down        the runtime cannot be reached: no such socket',
        '    2.000s           Runtime  Up          the runtime is back',
      ],
    ],
    [
      'a pod event',
      [
        at(1, {
          kind: 'event',
          pod: 'default/web',
          type: 'Normal',
          reason: 'Scheduled',
          message: 'ok',
        }),
      ],
      ['    1.000s  web      Normal   Scheduled   ok'],
    ],
    [
      'a probe event with the count of its attempt, which has no line of its own',
      [unhealthy, failed],
      [
        '    2.000s  web/app  Warning  Unhealthy   Readiness probe failed: HTTP probe failed with statuscode: 503 (2 of 3, 12 ms)',
      ],
    ],
    [
      'the first success and its effect',
      [attempt({ t: 2, set: 'success' })],
      ['    2.000s  web/app  Probe    readiness   success, 1 of 1 → ready, 12 ms'],
    ],
    [
      'of failures that a cluster has counted those with an effect',
      [3, 4, 5].map((resultRun) =>
        attempt({
          t: 2,
          result: 'failure',
          resultRun,
          threshold: 3,
          set: 'failure',
          evidence: 'counted',
        }),
      ),
      ['    2.000s  web/app  Probe    readiness   failure, 3 of 3 → not ready, counted'],
    ],
    [
      'an attempt with an error',
      [attempt({ t: 2, error: 'no such host', result: 'unknown', tries: 3 })],
      ['    2.000s  web/app  Probe    readiness   error, not counted after 3 tries, 12 ms'],
    ],
    [
      'control characters, escaped',
      [at(1, { kind: 'note', level: 'info', text: 'a\u001b[2Jb\u202ec' })],
      ['    1.000s           Note     info        a\\x1b[2Jb\\u202ec'],
    ],
  ])('prints %s', (_, events, expected) => {
    expect(printed(events)).toEqual(expected);
  });

  const successes = [1, 2, 3].map((n) => attempt({ t: n, attempt: n, resultRun: n }));

  it('escapes control characters in all fields of an event', () => {
    const [reason, message] = ['\u001b[1m', '\u001b[2m'];
    const [line] = printed([
      at(2, { kind: 'event', pod: 'default/web', type: 'Warning', reason, message }),
    ]);
    expect(line).toMatch(/\\x1b\[1m.*\\x1b\[2m/);
    expect(line).not.toContain('\u001b');
  });

  it('omits attempts that change nothing', () => {
    expect(printed(successes)).toHaveLength(1);
  });

  it('prints every attempt when verbose', () => {
    expect(printed(successes, { verbose: true })).toHaveLength(3);
  });

  const backOff = (t: number): TraceLine =>
    at(t, { kind: 'backOff', pod: 'default/web', container: 'app', delay: 10, until: 20 });

  it('prints a back-off once', () => {
    expect(printed([backOff(11), backOff(12)])).toEqual([
      '   11.000s  web/app  Run      BackOff     10.0 s, next start in 9.0 – 15 s',
    ]);
  });

  it('counts a back-off from the end of the killed run, as the next sync of the kubelet does, and prints it once', () => {
    const life = [
      at(12, { kind: 'started', ...IN_RUN }),
      at(15, { kind: 'exited', ...IN_RUN, exitCode: 137 }),
      backOff(15),
      { ...backOff(16), until: 24.98 },
    ];
    expect(printed(life).filter((text) => text.includes('BackOff'))).toEqual([
      '   15.000s  web/app  Run      BackOff     10.0 s, next start in 10 – 16 s',
    ]);
  });

  const outputs = ['one', 'two', 'three', 'four', 'five', 'six'].map((text, n) =>
    at(n, { kind: 'output', ...IN_RUN, stream: 'stderr', text }),
  );
  const life = [
    at(0, { kind: 'started', ...IN_RUN }),
    ...outputs,
    at(9, { kind: 'exited', ...IN_RUN, exitCode: 3 }),
  ];

  it('prints the last five output lines of a run before its exit', () => {
    const found = printed(life).map((text) => text.slice(20));
    expect(found.map((text) => text.trim().split(/ {2,}/).at(-1))).toEqual([
      'two',
      'three',
      'four',
      'five',
      'six',
      'exit code 3',
    ]);
  });

  it('prints output only once when all output is shown', () => {
    expect(printed(life, { output: true })).toHaveLength(outputs.length + 1);
  });
});

it('never goes back in time, and leaves out what fails because kprobe stops', () => {
  const texts = printed([
    at(5, { kind: 'startFailed', ...IN_RUN, error: 'no such file' }),
    at(6, { kind: 'exited', ...IN_RUN, run: 1, exitCode: 1, at: 3 }),
    at(7, { kind: 'exited', ...IN_RUN, run: 2, exitCode: 0, ending: true }),
    at(8, { kind: 'startFailed', ...IN_RUN, run: 3, error: 'closing' }),
  ]);
  expect(texts.find((text) => text.includes('no such file'))).toMatch(/^ *5\.000s/);
  expect(texts.find((text) => text.includes('exit code 1'))).toMatch(/^ *5\.000s/);
  expect(texts.join('')).not.toContain('closing');
});

describe('the lines of a pod', () => {
  it('describe its probes', () => {
    const texts: string[] = [];
    const lines = new Lines((text) => texts.push(text), { verbose: false, output: false });
    lines.line(POD, fold(EMPTY_SUMMARY, POD));
    expect(texts).toEqual([
      '    0.000s  web/app  Pod      readiness   exec check, every 10 s, timeout 1 s, 3 to fail, after 5 s\n',
    ]);
  });
});

describe('the end line', () => {
  it.each([
    ['goal', '   12.000s  default/web ready (exit code 0)\n'],
    ['timeout', '   12.000s  timeout: default/web ready (exit code 0)\n'],
  ] as const)('for %s is printed', (kind, expected) => {
    const texts: string[] = [];
    const lines = new Lines((text) => texts.push(text), { verbose: false, output: false });
    const verdict = { kind: 'holds', sentence: 'default/web ready' } as const;
    lines.end({ t: 12, kind, verdict, exitCode: 0 }, EMPTY_SUMMARY);
    expect(texts).toEqual([expected]);
  });
});

it('shows no cause at the end that is past', () => {
  const texts: string[] = [];
  const options = { verbose: false, output: false, isSimulated: () => false };
  const lines = new Lines((text) => texts.push(text), options);
  const again = { ...IN_RUN, run: 1 };
  const summary = [
    POD,
    at(1, { kind: 'started', ...IN_RUN }),
    at(2, { kind: 'exited', ...IN_RUN, exitCode: 4 }),
    at(3, { kind: 'started', ...again }),
  ].reduce((before, line) => {
    const next = fold(before, line);
    lines.line(line, next);
    return next;
  }, EMPTY_SUMMARY);
  texts.length = 0;
  const verdict = { kind: 'holds', sentence: 'default/web ready' } as const;
  lines.end({ t: 60, kind: 'goal', verdict, exitCode: 0 }, summary);
  expect(texts).toEqual(['   60.000s  default/web ready (exit code 0)\n']);
});

it.each([
  ['ready since then', 'late', 0],
  ['that crashes', 'crash', 1],
])('shows the causes that are left of the past of a pod %s', (_, name, count) => {
  const texts: string[] = [];
  const options = { verbose: false, output: false, isSimulated: () => false };
  const lines = new Lines((text) => texts.push(text), options);
  watchStream(readStream('ends'), 60, 60)
    .lines.filter((line) => 'pod' in line && line.pod.includes(`/${name}-`))
    .reduce((summary, line) => {
      const next = fold(summary, { ...line, t: line.t - 60, ...pastOf(line) });
      lines.line({ ...line, t: line.t - 60, ...pastOf(line) }, next);
      return next;
    }, EMPTY_SUMMARY);
  expect(texts.filter((text) => / Cause /.test(text))).toHaveLength(count);
});

/** The time of a line from before a watch that began after a minute. */
function pastOf(line: TraceLine): object {
  return 'at' in line && line.at !== undefined ? { at: line.at - 60 } : {};
}

it('says by which disruption a cluster ends a pod', () => {
  const texts: string[] = [];
  const lines = new Lines((text) => texts.push(text), { verbose: false, output: false });
  watchStream(readStream('evicted')).lines.reduce((summary, line) => {
    const next = fold(summary, line);
    lines.line(line, next);
    return next;
  }, EMPTY_SUMMARY);
  const told = texts.filter((text) => text.includes('DisruptionTarget'));
  expect(told).toEqual([
    expect.stringMatching(
      /evictme +Status +DisruptionTarget +True EvictionByEvictionAPI: Eviction API: evicting\n$/,
    ),
  ]);
});

it.each([
  [
    'once for all pods of a controller, whatever their addresses',
    ['a', 'a', 'a'],
    ['503', '503', '503'],
    [' (and 2 more pods)'],
  ],
  ['for each controller', ['a', 'b'], ['503', '503'], ['', '']],
  ['for each cause', ['a', 'a'], ['503', '404'], ['', '']],
])('shows a cause at the end %s', (_, owners, statuses, expected) => {
  const texts: string[] = [];
  const lines = new Lines((text) => texts.push(text), {
    ...{ verbose: false, output: false, isSimulated: () => false },
  });
  const spec = { containers: [buildContainer({ readinessProbe })] };
  const end = owners
    .flatMap((uid, index): TraceLine[] => {
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: uid, uid, controller: true };
      const metadata = { name: `web-${index}`, uid: `${index}`, ownerReferences: [owner] };
      const inRun = { ...IN_RUN, pod: `default/web-${index}` };
      const statusCode = Number(statuses[index]);
      return [
        podLine(buildPod({ metadata, spec })),
        at(1, { kind: 'started', ...inRun }),
        attempt({ t: 2 + index, ...inRun, result: 'failure', statusCode }),
      ];
    })
    .reduce((before, line) => {
      const next = fold(before, line);
      lines.line(line, next);
      return next;
    }, EMPTY_SUMMARY);
  texts.length = 0;
  const verdict = { kind: 'unknown', sentence: 'not ready' } as const;
  lines.end({ t: 9, kind: 'interrupted', verdict, exitCode: 130 }, end);
  const causes = texts.filter((text) => / Cause /.test(text));
  expect(causes.map((text) => / \(and .*\)$/m.exec(text)?.[0] ?? '')).toEqual(expected);
});
