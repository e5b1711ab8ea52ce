import { describe, expect, it } from 'vitest';

import {
  patches,
  type SuggestReport,
  suggestText,
} from '../../../src/commands/suggest/suggest-text.js';
import type { Suggestion } from '../../../src/suggest/suggest.js';
import { buildProbe } from '../../helpers/builders.js';

const before = buildProbe({ initialDelaySeconds: 4 });
const suggestion: Suggestion = {
  container: 'app',
  role: 'container',
  probe: 'liveness',
  before,
  after: { ...before, initialDelaySeconds: 0, timeoutSeconds: 2 },
  reasons: ['a reason that is longer than a row of a terminal has columns, so that it takes two'],
  trades: [
    { failureThreshold: 2, detects: 22, falseAlarms: 1, chance: 7300 },
    { failureThreshold: 3, detects: 32, falseAlarms: 0, chance: 400 * 86_400 },
  ],
  runs: 1,
  attempts: 12,
};

function report(pod: Partial<SuggestReport['pods'][number]>): SuggestReport {
  const source = { kind: 'Deployment', name: 'shop' };
  const patch = { kind: 'Deployment' };
  const whole = {
    ...{ pod: 'trade/shop', source, suggestions: [suggestion], unanswered: [], patch },
    ...pod,
  };
  return { pods: [whole], before: [], after: [], unobserved: [] };
}

describe('suggestText', () => {
  it('has comments above a patch', () => {
    expect(suggestText(report({}))).toBe(
      [
        '# trade/shop of Deployment shop',
        '#',
        '# app liveness: every 10 s, timeout 2 s, 3 to fail',
        '#   was: every 10 s, timeout 1 s, 3 to fail, from 4 s on',
        '#   measured: 12 attempts in 1 run; one start is little evidence',
        '#   - a reason that is longer than a row of a terminal has columns, so that it',
        '#     takes two',
        '#   to fail  a hang is seen within  false alarms  by chance',
        '#   2        22.0 s                 1 recorded    one in 2 h',
        '#   3        32.0 s                 0 recorded    one in 400 days  ← this',
        '#',
        '# simulated over the recording',
        '#     recorded  proposed',
        '#',
        '# apply it: kubectl patch deployment shop -n trade --type strategic --patch-file PATCH.yaml',
        'kind: Deployment',
        '',
      ].join('\n'),
    );
  });

  it('marks sidecars', () => {
    const suggestions = [{ ...suggestion, container: 'proxy', role: 'sidecar' as const }];
    expect(suggestText(report({ suggestions }))).toContain(
      '# proxy (sidecar) liveness: every 10 s',
    );
  });

  it.each([
    [true, 'record a process that lives on: kprobe run POD.yaml --restart simulated'],
    [false, 'to measure it, record for longer\n'],
  ])('names the longest time without an answer (killed: %s) and how to measure', (killed, how) => {
    const probe = { container: 'app', probe: 'liveness', seconds: 22, timedOut: false } as const;
    const text = suggestText(report({ suggestions: [], unanswered: [{ ...probe, killed }] }));
    const words = text.replaceAll(/\n# +/g, ' ');
    expect(words).toContain('a start takes more than 22.0 s, the longest time seen');
    expect(killed ? words : text).toContain(how);
  });

  it('lists what was not observed', () => {
    const guess = {
      pod: 'trade/shop',
      container: 'app',
      probe: 'startup',
      basis: 'before',
    } as const;
    const unobserved = [{ ...guess, t: 1, run: 0, attempts: 4, limit: 10 }];
    expect(suggestText({ ...report({}), unobserved })).toContain(
      '#\n# not observed: the answers to these attempts are estimates\n#   app startup: 4 attempts of run 0, from 1.0 s on: the run was not asked before 10.0 s of its life\n#\n',
    );
  });

  it('reports a probe that stays unchanged', () => {
    const same = { ...suggestion, after: before };
    const { patch: _, ...pod } = report({ suggestions: [same] }).pods[0]!;
    const text = suggestText({ pods: [pod], before: [], after: [], unobserved: [] });
    expect(text).toContain('#   as it is\n');
    expect(text).toContain('# nothing to change\n');
    expect(text).not.toContain('kubectl');
  });

  it.each(['Pod', 'Job'])('suggests patching the manifest of a %s', (kind) => {
    expect(suggestText(report({ source: { kind, name: 'shop' } }))).toContain(
      `# the probes of a ${kind} cannot be changed while it is there; in its manifest:\n#   kubectl patch --local -f`,
    );
  });

  it('suggests changing the pod template of other kinds', () => {
    const text = suggestText(report({ source: { kind: 'Rollout', name: 'shop' } }));
    expect(text).toContain(
      '# kubectl cannot merge the patch into a Rollout: copy its probes to the pod template\n',
    );
    expect(text).toMatch(/^# trade\/shop of Rollout shop\n/);
  });

  it('escapes control characters', () => {
    const source = { kind: 'Deployment', name: 'sh\u001b[2Jop' };
    expect(suggestText(report({ source }))).not.toContain('\u001b');
  });

  it('prints one document for each patch', () => {
    const [pod] = report({}).pods;
    expect(patches([pod!, pod!])).toBe('kind: Deployment\n---\nkind: Deployment\n');
  });
});
