import { describe, expect, it } from 'vitest';

import { htmlReport } from '../../src/report/html/html-report.js';
import {
  githubReport,
  junitReport,
  markdownReport,
  tapReport,
} from '../../src/report/run-formats.js';
import { runReport, unstartedReport } from '../../src/report/run-report.js';
import { buildReport, crashedLines, killedLines } from '../helpers/run-reports.js';
import { HEADER } from '../helpers/traces.js';

describe('the reports of a liveness probe that killed its container', () => {
  const report = buildReport();

  it('make a JUnit test of each probe, with the diagnosis', () => {
    const xml = junitReport(report);
    expect(xml).toContain(
      '<testsuite name="default/web" tests="2" failures="1" errors="0" skipped="1"',
    );
    expect(xml).toContain('name="app liveness: http :8080/healthz"');
    expect(xml).toContain('<failure type="503" message="app killed 1 ×: liveness 1 × HTTP 503');
    expect(xml).toContain('<skipped message="no attempt was made"/>');
  });

  it('make a TAP test of each of them', () => {
    expect(tapReport(report).split('\n')).toEqual([
      'TAP version 13',
      '1..2',
      expect.stringMatching(/^ok 1 - default\/web app readiness.* # SKIP no attempt was made$/),
      expect.stringMatching(/^not ok 2 - default\/web app liveness/),
      '  ---',
      expect.stringMatching(/^ {2}message: "app killed 1 ×/),
      '  ...',
      '',
    ]);
  });

  it('annotate the line of the probe', () => {
    expect(githubReport(report)).toMatch(
      /^::error file=pod\.yaml,line=7,col=3,title=kprobe run::default\/web: app killed 1 ×: /,
    );
  });

  it('sum up in Markdown, with the place', () => {
    const markdown = markdownReport(report);
    expect(markdown).toContain('## ❌ kprobe run: default/web: no longer alive');
    expect(markdown).toContain('(pod.yaml:7)'.replaceAll(/[()]/g, String.raw`\$&`));
    expect(markdown).toContain('| ❌ failed | app liveness: http :8080/healthz | 12 ms / 12 ms |');
  });

  it('has an annotation also where the run failed without a diagnosis', () => {
    const none = { ...report, pods: report.pods.map((pod) => ({ ...pod, diagnoses: [] })) };
    expect(githubReport(none)).toBe('::error title=kprobe run::default/web: no longer alive\n');
  });
});

it('has a test for the workload of a watch, also where no pod explains its failure', () => {
  const sentence = 'web: 1 of 3 updated, progress deadline of 60 s exceeded';
  const state = { namespace: 'default', sentence, done: false, failed: true };
  const report = (workload: string, more: { done?: boolean } = {}) =>
    junitReport(
      runReport({
        ...{
          ...buildReport(),
          ending: { ...buildReport().ending, exitCode: more.done === true ? 0 : 1 },
          command: 'kprobe watch',
          manifests: new Map(),
          isSimulated: () => false,
        },
        lines: [{ t: 1, kind: 'workload', workload, ...state, ...more }],
      }),
    );
  expect(report('deployment/web')).toContain(`<failure message="${sentence}">`);
  expect(report('deployment/web')).toContain('name="deployment/web rolled out"');
  expect(report('job/web', { done: true })).toMatch(/failures="0"[^]*name="job\/web complete"/);
});

it('keeps markup and commands of an output inert', () => {
  const hostile = '</failure><script>alert(1)</script>|`*\n::error::x %0A';
  const report = buildReport(hostile);
  expect(junitReport(report)).not.toContain('<script>');
  expect(markdownReport(report)).not.toMatch(/<script>|\n::error/);
  expect(githubReport(report)).not.toMatch(/\n::error::x/);
  expect(tapReport(report)).not.toMatch(/\n::error/);
});

describe.each([
  ['interrupted', 130, 'interrupted after 3.0 s'],
  ['timeout', 124, 'timed out after 3.0 s'],
] as const)('the reports of a run that ended by %s', (kind, exitCode, words) => {
  const verdict = { kind: 'holds', sentence: 'default/web ready after 1.0 s' } as const;
  const report = buildReport(undefined, {
    ending: { t: 3, kind, verdict, exitCode },
    lines: killedLines().slice(0, 2),
  });

  it.each([
    ['JUnit', junitReport, `<error message="${words}: default/web ready`],
    ['TAP', tapReport, `Bail out! ${words}: default/web ready`],
    ['Markdown', markdownReport, `## ❌ kprobe run: ${words}: default/web ready`],
    ['HTML', htmlReport, `<h1 class=bad>${words}: default/web ready`],
    ['GitHub', githubReport, `::error title=kprobe run::${words}: default/web ready`],
  ])('say so in %s, and are red', (_, render, text) => {
    expect(render(report)).toContain(text);
  });

  it('have a test case that is not ok in TAP', () => {
    expect(tapReport(report)).toMatch(/^not ok \d - kprobe run: the run$/m);
  });
});

describe.each([
  ['a manifest that is not valid', [{ severity: 'error', message: 'must be positive' }]],
  ['an engine that cannot be reached', []],
] as const)('the reports of a run that did not start for %s', (_, errors) => {
  const place = { file: 'pod.yaml', line: 7, column: 3, field: '' };
  const report = unstartedReport({
    ...{ command: 'kprobe ci', header: HEADER, exitCode: 2, sentence: 'nothing was started' },
    diagnostics: errors.map((error) => ({ ...error, ...place })),
  });

  it.each([
    ['JUnit', junitReport, '<error message="nothing was started'],
    ['TAP', tapReport, 'not ok 1 - kprobe ci: the start'],
    ['TAP', tapReport, 'Bail out! nothing was started'],
    ['Markdown', markdownReport, '## ❌ kprobe ci: nothing was started'],
    ['HTML', htmlReport, '<h1 class=bad>nothing was started'],
    ['GitHub', githubReport, '::error '],
  ])('have the error in %s', (__, render, text) => {
    const rendered = render(report);
    expect(rendered).toContain(text);
    for (const { message } of errors) if (render !== tapReport) expect(rendered).toContain(message);
  });
});

describe('a container that crashed although a probe failed too', () => {
  const report = buildReport(undefined, { lines: crashedLines() });

  it.each([
    ['JUnit', junitReport, /<testcase classname="default\/web\/app" name="app" [^>]*>\s*<failure/],
    ['TAP', tapReport, /^not ok 1 - default\/web app$/m],
    ['Markdown', markdownReport, /\| ❌ failed \| app \|/],
  ])('is a failed test case in %s', (_, render, row) => {
    expect(render(report)).toMatch(row);
  });
});
