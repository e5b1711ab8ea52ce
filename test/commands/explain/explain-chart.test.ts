import { describe, expect, it } from 'vitest';

import { chartNote, explainChart } from '../../../src/commands/explain/explain-chart.js';
import { explainPod } from '../../../src/schedule/explain-pod.js';
import { lineText, textWidth } from '../../../src/text/line.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const pod = explainPod(
  buildPod({
    spec: { containers: [buildContainer({ readinessProbe: buildProbe({ periodSeconds: 5 }) })] },
  }),
  new Set(),
);

/** The chart's rows by their names. */
function rows(columns: number): ReadonlyMap<string, string> {
  return new Map(
    explainChart(pod, columns).map((parts) => {
      const text = lineText(parts);
      return [text.slice(0, 28).trim(), text.slice(28)] as const;
    }),
  );
}

describe('explainChart', () => {
  it('draws a bar from the earliest to the latest time, on the scale above it', () => {
    const [scale = '', hang = ''] = ['default/web', 'hang: not ready'].map((name) =>
      rows(100).get(name),
    );
    expect(hang).toMatch(/^ *█+ +10 – 16 s$/);
    expect(hang.indexOf('█')).toBe(scale.indexOf('10 '));
  });

  it('has "never" for what nothing detects', () => {
    expect(rows(100).get('hang: killed')).toBe('never');
  });

  it('has the settings of each probe, and the first and the longest back-off', () => {
    expect(rows(100).get('readiness')).toContain('every 5 s, timeout 1 s, 3 to fail');
    expect(rows(100).get('back-off')).toMatch(
      /^0 – 1 s, 10 – 16 s.* … 300 – 331 s after each exit$/,
    );
  });

  it('has the number of a named port', () => {
    const ports = [{ name: 'http', containerPort: 8080, protocol: 'TCP' as const }];
    const httpGet = { path: '/', port: 'http', scheme: 'HTTP' as const };
    const { exec: _, ...settings } = buildProbe();
    const container = buildContainer({ ports, readinessProbe: { ...settings, httpGet } });
    const named = explainPod(buildPod({ spec: { containers: [container] } }), new Set());
    expect(explainChart(named, 100).map(lineText).join('\n')).toContain('http :8080/, every');
  });

  it('has a long name above the scale', () => {
    const long = { ...pod, pod: `default/${'w'.repeat(30)}` };
    const [name, scale] = explainChart(long, 80).map(lineText);
    expect([name, scale?.trim().split(' ')[0]]).toEqual([long.pod, '0']);
  });

  it.each([80, 110, 200])('is no wider than %d columns', (columns) => {
    const widths = [...explainChart(pod, columns), ...chartNote(columns)].map((parts) =>
      textWidth(lineText(parts)),
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  });
});
