import { describe, expect, it } from 'vitest';

import { jsonOutput } from '../../../src/cli/shared/io.js';
import { explainSvg } from '../../../src/commands/explain/explain-chart.js';
import { explainLines } from '../../../src/commands/explain/explain-text.js';
import { explainPod } from '../../../src/schedule/explain-pod.js';
import { lineText, textWidth } from '../../../src/text/line.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const pod = explainPod(
  buildPod({
    spec: {
      terminationGracePeriodSeconds: 30,
      containers: [
        buildContainer({
          readinessProbe: buildProbe({ periodSeconds: 5 }),
          lifecycle: { preStop: { exec: { command: ['<a> & "b"'] } } },
        }),
      ],
    },
  }),
  new Set(['spec.containers[0].readinessProbe.timeoutSeconds']),
);

describe('explainLines', () => {
  const rows = explainLines(pod, 80).map(lineText);

  it('has times, explanations and the fields behind them', () => {
    expect(rows.join('\n')).toContain(
      '  ready                     0 – 2 s after its start\n                            If it answers from the start',
    );
    expect(rows.join(' ').replace(/ +/g, ' ')).toContain(
      'readinessProbe.timeoutSeconds 1 (default)',
    );
  });

  it('is no wider than the given width', () => {
    expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(80);
  });
});

describe('jsonText', () => {
  it('has null for what never happens', () => {
    const { pods } = JSON.parse(jsonOutput({ pods: [pod] })) as {
      pods: { containers: { failures: { topic: string; span: object }[] }[] }[];
    };
    expect(
      pods[0]?.containers[0]?.failures.find(({ topic }) => topic === 'hang: killed')?.span,
    ).toEqual({ from: null, to: null });
  });
});

describe('explainSvg', () => {
  const axis = (failureThreshold: number): number[] => {
    const startupProbe = buildProbe({ failureThreshold });
    const containers = [buildContainer({ startupProbe })];
    const explained = explainPod(buildPod({ spec: { containers } }), new Set());
    const labels = explainSvg([explained]).matchAll(/text-anchor="middle">(\d+) s</g);
    return [...labels].map(([, tick]) => Number(tick));
  };

  it('has a linear axis for short times', () => {
    expect(axis(1)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
  });

  it('has an axis with more room for short times when some are long', () => {
    expect(axis(60)).toEqual([0, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800]);
  });

  it('has a bar for each time, and escapes markup from the manifest', () => {
    const svg = explainSvg([pod]);
    expect(svg).toMatch(/^<svg [^>]*>\n<title>/);
    expect(svg.match(/<rect /g)?.length).toBeGreaterThan(5);
    expect(svg).not.toContain('<a>');
  });
});
