import { escapeControlInLines } from '../text/escape.js';
import { xmlAttribute as attribute, xmlText as xml } from '../text/xml.js';
import {
  type OnceVerdict,
  probeTitle,
  type ReportedAttempt,
  type ReportedProbe,
  resultName,
} from './attempts.js';

/** A probe with its attempts and what they came to, as a test of a suite. */
export interface JunitCase {
  readonly probe: ReportedProbe;
  readonly verdict: OnceVerdict;
  readonly lines: readonly string[];
  readonly last: ReportedAttempt | undefined;
}

/** The probes as a JUnit report: each is a test, which fails when the probe does not hold. */
export function onceJunit(cases: readonly JunitCase[]): string {
  const count = (verdict: OnceVerdict): number =>
    cases.filter((found) => found.verdict === verdict).length;
  const time = Math.max(0, ...cases.map(({ last }) => last?.at ?? 0));
  const totals = `tests="${cases.length}" failures="${count('doesNotHold')}" errors="${count('unknown')}" time="${time.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kprobe once" ${totals}>`,
    `  <testsuite name="kprobe once" ${totals}>`,
    ...cases.flatMap(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ probe, verdict, lines, last }: JunitCase): string[] {
  const { pod, container } = probe;
  const group = probe.named ? `${pod.metadata.name}.${container.name}` : 'kprobe';
  const time = (last?.at ?? 0).toFixed(3);
  return [
    `    <testcase classname="${attribute(group)}" name="${attribute(probeTitle(probe))}" time="${time}">`,
    ...problem(verdict, last),
    `      <system-out>${xml(escapeControlInLines(lines.join('')))}</system-out>`,
    '    </testcase>',
  ];
}

function problem(verdict: OnceVerdict, last: ReportedAttempt | undefined): string[] {
  if (verdict === 'holds') return [];
  const tag = verdict === 'doesNotHold' ? 'failure' : 'error';
  if (last === undefined) return [`      <${tag} message="no attempt came to an end"/>`];
  const { answer } = last;
  const { event, outcome } = answer;
  const message = event?.message ?? outcome.error ?? resultName(answer);
  const text = xml(escapeControlInLines(outcome.output));
  return [
    `      <${tag} type="${attribute(resultName(answer))}" message="${attribute(message)}">${text}</${tag}>`,
  ];
}
