import { describe, expect, it } from 'vitest';

import { type WhatIfReport, whatIfText } from '../../src/report/what-if-text.js';

const APP = { pod: 'default/web', container: 'app' };
const REPORT: WhatIfReport = {
  length: 40,
  notes: [],
  before: [{ pod: 'default/web', readyAfter: 4, readyFor: 20.55, restarts: { app: 2 } }],
  after: [{ pod: 'default/web', readyFor: 0, restarts: { app: 0 } }],
  decisions: [
    { ...APP, what: 'ready', before: 4 },
    { ...APP, what: 'killed\u001b[2J', before: 9, after: 12.04 },
  ],
  unobserved: [],
  deviations: [],
  sentence: 'default/web is not ready',
};

describe('whatIfText', () => {
  it('puts numbers and decisions side by side', () => {
    expect(whatIfText(REPORT)).toBe(
      [
        '40.0 s recorded; simulated for as long with the settings: default/web is not ready',
        '',
        '                               recorded  with --set',
        '  default/web ready after      4.0 s     –',
        '  default/web ready for        20.6 s    0.0 s',
        '  default/web restarts of app  2         0',
        '',
        'decisions',
        '  recorded  with --set',
        '  4.0 s     –           app  ready',
        '  9.0 s     12.0 s      app  killed\\x1b[2J',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['run', 'an attempt of run 1, from 7.0 s on: there was no run 1, the last one was taken'],
    ['endpoint', 'never recorded, assumed to succeed'],
    ['before', 'the run was not asked before 3.0 s of its life'],
    ['after', 'the run was not asked after 3.0 s of its life'],
    [
      'continued',
      'the run was not asked after 3.0 s of its life; it goes on as in its other attempts and runs',
    ],
    ['tail', 'not answered within 3.0 s; drawn from a tail fitted to the other latencies'],
    ['outage', 'not answered within 3.0 s; taken as answered when the next attempt was'],
    ['timeout', 'not answered within 3.0 s; taken as never answered'],
  ] as const)('reports attempts that were not observed: %s', (basis, words) => {
    const guess = { ...APP, probe: 'liveness', basis, t: 7, run: 1, attempts: 1, limit: 3 };
    expect(whatIfText({ ...REPORT, unobserved: [guess] })).toContain(words);
  });

  it('reports decisions that the simulation got wrong', () => {
    const deviations = [{ ...APP, what: 'ready', before: 4, after: 7 }];
    expect(whatIfText({ ...REPORT, deviations })).toMatch(
      /judge with care\n.*\n +4\.0 s +7\.0 s +app +ready\n$/,
    );
  });

  it('has the notes about settings', () => {
    const note = '--set app.livenessProbe.periodSeconds=0: 0 is taken as not set; it is 10';
    expect(whatIfText({ ...REPORT, notes: [note] })).toContain(`is not ready\nnote: ${note}\n\n`);
  });

  it('names the pod of each container when there are several pods', () => {
    const [first] = REPORT.before;
    const guess = { ...APP, probe: 'liveness', basis: 'run', t: 7, run: 1, attempts: 1 } as const;
    const before = [first!, { ...first!, pod: 'default/other' }];
    const text = whatIfText({ ...REPORT, before, unobserved: [guess] });
    expect(text).toContain('  4.0 s     –           default/web/app  ready\n');
    expect(text).toContain('\n  default/web/app liveness: an attempt of run 1');
  });
});
