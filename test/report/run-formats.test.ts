import { describe, expect, it } from 'vitest';

import {
  githubReport,
  junitReport,
  markdownReport,
  tapReport,
} from '../../src/report/run-formats.js';
import { runReport } from '../../src/report/run-report.js';
import { buildReport } from '../helpers/run-reports.js';

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
  const report = (workload: string, more: object = {}) =>
    junitReport(
      runReport({
        ...{
          ...buildReport(),
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
