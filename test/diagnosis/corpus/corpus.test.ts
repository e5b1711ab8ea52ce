import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Container } from '../../../src/api/index.js';
import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { diagnosePod } from '../../../src/diagnosis/diagnosis.js';
import type { Diagnosis, Fault } from '../../../src/diagnosis/fault.js';
import { fold, newPodSummary } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';
import { podLine } from '../../helpers/traces.js';
import {
  type AnswerCase,
  ANSWERS,
  type CrashCase,
  CRASHES,
  type FailureCase,
  FAILURES,
  HTTP,
} from './corpus.js';
import { countText, judge } from './judge.js';
import { NAMED } from './named.js';
import { PROGRAMS } from './programs.js';
import type { ProgramCase } from './programs/program-case.js';
import { worstOf } from './run-program.js';
import { SERVERS } from './servers.js';
import { THREADS } from './threads.js';

function crashDiagnosis({ output }: CrashCase): Diagnosis | undefined {
  const pod = buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } });
  const inRun = { pod: 'default/web', container: 'app', run: 0 };
  const { pods } = [
    podLine(pod),
    { t: 1, kind: 'started', ...inRun } as const,
    ...output.split('\n').map((text) => {
      return { t: 1, kind: 'output', ...inRun, stream: 'stderr', text } as const;
    }),
    { t: 2, kind: 'exited', ...inRun, exitCode: 1 } as const,
  ].reduce(fold, EMPTY_SUMMARY);
  return diagnosePod(pods[0]!, 2)[0];
}

function failureFault(failure: FailureCase): Fault | undefined {
  const { probe: handler, attempt, listens, started = true, state, before = [] } = failure;
  const { exec: _, ...spec } = buildProbe({ timeoutSeconds: 1 });
  const container: Container = buildContainer({ readinessProbe: { ...spec, ...handler } });
  const pod = newPodSummary('default/web', buildPod({ spec: { containers: [container] } }), 0);
  const [view] = pod.containers;
  const [probe] = view!.probes;
  const passed = before.map((latency, index) =>
    buildAttempt({ result: 'success', latency, startedAt: index, endedAt: index + 0.001 }),
  );
  const failed = buildAttempt({ result: 'failure', startedAt: 10, endedAt: 10.1, ...attempt });
  const listening = { t: 10, started, sockets: listens ?? [], processes: ['app'] };
  const known = {
    ...view!,
    runs: [
      {
        ...{ run: 0, startedAt: 0 },
        ...(listens !== undefined && {
          listening: { ...listening, ...(state !== undefined && { state }) },
        }),
      },
    ],
    output: (failure.output ?? []).map(
      (text) => ({ t: 1, run: 0, stream: 'stdout', text }) as const,
    ),
  };
  const probed = { ...probe!, attempts: [...passed, failed] };
  return attemptFault({ container: { ...known, probes: [probed] }, probe: probed }, failed)?.fault;
}

function answerFault({ status, body, name, fault }: AnswerCase): Fault | undefined {
  const detail = {
    ...{ address: '127.0.0.1:8080', request: 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n' },
    ...{ body: new TextEncoder().encode(body), timings: { total: 1 } },
  };
  return failureFault({ name, fault, probe: HTTP, attempt: { statusCode: status, detail } });
}

/** A program's fault as it was recorded with the real runtime. */
function recordedFault({ name }: ProgramCase): Fault | undefined {
  const trace = readFileSync(new URL(`traces/${name}.ndjson`, import.meta.url), 'utf8');
  return worstOf(trace)?.fault;
}

const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, Fault | undefined])[] =
  [
    ...[...CRASHES, ...SERVERS, ...NAMED, ...THREADS].map(
      (each) => [each.name, each.fault, crashDiagnosis(each)?.fault] as const,
    ),
    ...ANSWERS.map((each) => [each.name, each.fault, answerFault(each)] as const),
    ...FAILURES.map((each) => [each.name, each.fault, failureFault(each)] as const),
    ...PROGRAMS.map((each) => [each.name, each.fault, recordedFault(each)] as const),
  ];

describe('the corpus', () => {
  it.each(cases)('has the right fault: %s', (_, expected, fault) => {
    expect(fault).toMatchObject(expected);
  });

  it.each([...SERVERS, ...NAMED, ...THREADS])('has the right advice: $name', (each) => {
    expect(crashDiagnosis(each)?.changes[0]).toEqual({ kind: 'advice', advice: each.advice });
  });

  it('has no wrong fault', () => {
    const judged = cases.map(([, expected, fault]) => judge(expected, fault));
    // eslint-disable-next-line no-console -- CI shows the figures.
    console.log(`corpus: ${countText(judged)}`);
    expect(judged.filter((each) => each === 'wrong')).toEqual([]);
  });
});
