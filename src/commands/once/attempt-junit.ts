import { type JunitCase, junitXml } from '../../report/junit.js';
import {
  type OnceVerdict,
  probeTitle,
  type ReportedAttempt,
  type ReportedProbe,
  resultName,
} from './attempt-text.js';

interface OnceCase {
  readonly probe: ReportedProbe;
  readonly verdict: OnceVerdict;
  readonly lines: readonly string[];
  readonly last: ReportedAttempt | undefined;
}

/** Each probe is a test, which fails when the probe does not hold. */
export function onceJunit(cases: readonly OnceCase[]): string {
  const tests = cases.map(({ probe, verdict, lines, last }): JunitCase => {
    const problem = problemOf(verdict, last);
    return {
      classname: probe.named ? `${probe.pod.metadata.name}.${probe.container.name}` : 'kprobe',
      name: probeTitle(probe),
      time: last?.at ?? 0,
      ...(problem !== undefined && { problem }),
      output: lines.join(''),
    };
  });
  return junitXml('kprobe once', tests);
}

function problemOf(verdict: OnceVerdict, last: ReportedAttempt | undefined): JunitCase['problem'] {
  if (verdict === 'holds') return undefined;
  const kind = verdict === 'doesNotHold' ? 'failure' : 'error';
  if (last === undefined) return { kind, message: 'no attempt finished', text: '' };
  const { event, outcome } = last.answer;
  const type = resultName(last.answer);
  return { kind, type, message: event?.message ?? outcome.error ?? type, text: outcome.output };
}
