import { type JunitCase, junitXml } from '../../report/junit.js';
import type { Verdict } from '../../trace/summary/verdict.js';
import { probeTitle, type ReportedProbe, resultName } from './attempt-text.js';
import type { OnceAttempt } from './once.js';

interface OnceCase {
  readonly probe: ReportedProbe;
  readonly verdict: Verdict['kind'];
  readonly lines: readonly string[];
  readonly last: OnceAttempt | undefined;
}

/** Each probe is a test, which fails when the probe does not hold. */
export function onceJunit(cases: readonly OnceCase[]): string {
  const tests = cases.map(({ probe, verdict, lines, last }): JunitCase => {
    const problem = junitProblem(verdict, last);
    return {
      classname: probe.named ? `${probe.pod.metadata.name}.${probe.container.name}` : 'kprobe',
      name: probeTitle(probe),
      time: last?.line.t ?? 0,
      ...(problem !== undefined && { problem }),
      output: lines.join(''),
    };
  });
  return junitXml('kprobe once', tests);
}

function junitProblem(
  verdict: Verdict['kind'],
  last: OnceAttempt | undefined,
): JunitCase['problem'] {
  if (verdict === 'holds') return undefined;
  const kind = verdict === 'doesNotHold' ? 'failure' : 'error';
  if (last === undefined) return { kind, message: 'no attempt finished', text: '' };
  const { event, line } = last;
  const type = resultName(line);
  return { kind, type, message: event?.message ?? line.error ?? type, text: line.output };
}
