import { describe, expect, it } from 'vitest';

import type { Baseline } from '../../../src/commands/ci/baseline.js';
import type { CiEnd } from '../../../src/commands/ci/ci.js';
import { type MarginsInput, withMargins } from '../../../src/commands/ci/margins.js';
import type { Measure } from '../../../src/commands/ci/measures.js';
import { htmlReport } from '../../../src/report/html/html-report.js';
import { githubReport, junitReport, markdownReport } from '../../../src/report/run-formats.js';
import { buildReport } from '../../helpers/run-reports.js';

const END: CiEnd = {
  ...{ t: 60, kind: 'goal', checks: [] },
  verdict: { kind: 'holds', sentence: 'all checks passed' },
};

const STARTUP = {
  ...{ pod: 'default/web', name: 'app startup', words: 'startup took', limit: 30, resolution: 2 },
  path: 'spec.containers[0].startupProbe',
} as const;
const READINESS = {
  ...{ pod: 'default/web', name: 'app readiness', words: 'readiness p99', limit: 1 },
  ...{ resolution: 0.05, path: 'spec.containers[0].readinessProbe.timeoutSeconds' },
} as const;

const { limit: _, ...UNLIMITED } = { ...STARTUP, name: 'ready', words: 'ready after' };

function startsOf(measure: Omit<Measure, 'seconds'>, times: readonly number[]) {
  return times.map((seconds) => [{ ...measure, seconds }]);
}

function baselineOf(name: string, seconds: readonly number[]): Baseline {
  const measures = [{ pod: 'default/web', name, seconds }];
  return { target: 'process', pods: ['default/web'], measures };
}

function margins(
  measure: Omit<Measure, 'seconds'>,
  now: readonly number[],
  before: readonly number[] = [],
  minMargin?: number,
): CiEnd {
  const baseline = before.length === 0 ? undefined : baselineOf(measure.name, before);
  const starts = startsOf(measure, now);
  const input: MarginsInput = { starts, wanted: now.length, baseline, minMargin };
  return withMargins(END, input);
}

describe('a margin', () => {
  it.each<[string, Omit<Measure, 'seconds'>, number[], number[], string]>([
    ['of a startup', STARTUP, [22], [], 'startup took 22 s of 30 s: 27 % left'],
    [
      'beside the start before',
      ...[STARTUP, [22], [14], 'startup took 22 s of 30 s (14 s before): 27 % left'],
    ] as never,
    ['of latencies', READINESS, [0.41], [], 'readiness p99 410 ms of 1 s: 59 % left'],
    [
      'of several starts, by the slowest',
      ...[STARTUP, [22, 21, 24], [], 'startup took 21 – 24 s of 30 s in 3 starts: 20 % left'],
    ] as never,
    ['of none, where nothing limits it', UNLIMITED, [3], [2.5], 'ready after 3.0 s (2.5 s before)'],
    ['of what took too long', READINESS, [1.2], [], 'readiness p99 1.2 s of 1 s: 0 % left'],
  ])('%s', (_title, measure, now, before, text) => {
    const { checks, verdict } = margins(measure, now, before);
    expect(checks).toEqual([expect.objectContaining({ kind: 'passed', text })]);
    expect(verdict.kind).toBe('holds');
  });

  it.each<[string, number[], number[], string]>([
    ['lie beyond both spreads', [22, 23, 22], [14, 15, 14], ', now slower'],
    ['are as much faster', [14, 15, 14], [22, 23, 22], ', now faster'],
    ['overlap', [14, 20, 23], [14, 15, 22], ''],
    ['lie apart by less than one spread', [18, 23, 22], [14, 15, 16], ''],
    ['lie apart by less than one period of the probe', [15.9, 15.9], [14, 14], ''],
    ['are single', [22], [14], ''],
    ['are compared with a single one', [22, 22, 22], [14], ''],
  ])('names a change of starts that %s', (_title, now, before, change) => {
    const [row] = margins(STARTUP, now, before).checks;
    expect(row?.text).toMatch(new RegExp(` before${change}\\)`));
    expect(row?.isWorse).toBe(change === ', now slower');
  });

  it.each([
    [0.3, 'startup took 22 s of 30 s: 27 % left, less than 30 %'],
    [0.2667, 'startup took 22 s of 30 s: 26.7 % left, less than 26.7 %'],
  ])('fails below --min-margin %s', (minMargin, text) => {
    const { verdict, checks } = margins(STARTUP, [22], [], minMargin);
    expect(checks).toEqual([expect.objectContaining({ kind: 'failed', text })]);
    expect(verdict).toEqual({
      kind: 'doesNotHold',
      sentence: `margin of app startup: ${text}`,
    });
  });

  it('passes at --min-margin', () => {
    expect(margins(STARTUP, [21], [], 0.3).verdict.kind).toBe('holds');
  });

  it('is not reached when a start fails, which is named', () => {
    const verdict = { kind: 'doesNotHold', sentence: 'ready: never' } as const;
    const input = { starts: startsOf(STARTUP, [22]), wanted: 3, baseline: undefined };
    const end = withMargins({ ...END, verdict }, { ...input, minMargin: undefined });
    expect(end.verdict.sentence).toBe('start 2 of 3: ready: never');
    expect(end.checks).toEqual([{ name: 'margins', kind: 'skipped', text: 'not reached' }]);
  });
});

describe('reports of margins', () => {
  const report = (now: readonly number[], minMargin?: number) => {
    const { checks, result, verdict } = margins(STARTUP, now, [14, 14.5], minMargin);
    const exitCode = verdict.kind === 'holds' ? 0 : 1;
    const ending = { t: 60, kind: 'goal', verdict, exitCode } as const;
    return { ...buildReport(undefined, { ending, checks, result }), command: 'kprobe ci' };
  };

  it('annotate the field: an error below the margin, a warning for a slower start', () => {
    const lines = githubReport(report([22, 23], 0.3)).split('\n');
    expect(lines).toContainEqual(
      expect.stringMatching(/^::error file=.*title=kprobe ci::default\/web: startup took/),
    );
    expect(githubReport(report([22, 23]))).toMatch(
      /^::warning file=.*title=kprobe ci::default\/web: startup took .* now slower/m,
    );
    expect(githubReport(report([14, 14.5]))).not.toContain('startup took');
  });

  it('are test cases of JUnit, and rows of Markdown with a sign for a slower start', () => {
    expect(junitReport(report([22, 23], 0.3))).toContain(
      '<failure message="startup took 22 – 23 s of 30 s in 2 starts (14 – 15 s before, now slower)',
    );
    expect(markdownReport(report([22, 23]))).toMatch(/\| ⚠️ passed \| margin of app startup \|/);
  });

  it('show each start in HTML, also for screen readers', () => {
    const html = htmlReport(report([22, 23]));
    expect(html).toContain('aria-label="app startup: now 22 s, 23 s, before 14 s, 15 s"');
    expect(html).toContain('M7333,2V18M7667,2V18');
  });
});
