import { describe, expect, it } from 'vitest';

import { EMPTY_HISTOGRAM, type ProbeView } from '../../src/trace/summary/probe-view.js';
import { EMPTY_SUMMARY, type Summary } from '../../src/trace/summary/summary.js';
import { type Causes, endingLines } from '../../src/tui/ending-lines.js';
import { summaryAt } from '../helpers/ui.js';

const ENDING = {
  kind: 'quit',
  exitCode: 0,
  t: 14,
  verdict: { kind: 'holds', sentence: 'it holds' },
} as const;

/** The content of a row of the summary. */
function rowOf(name: string, summary: Summary, causes: Causes = new Map()): string {
  const rows = endingLines(ENDING, summary, 'kprobe run', { causes }).map((line) =>
    line.map(({ text }) => text).join(''),
  );
  return (
    rows
      .find((row) => row.startsWith(name))
      ?.slice(name.length)
      .trim() ?? ''
  );
}

function withProbes(summary: Summary, change: (probe: ProbeView) => ProbeView): Summary {
  const pods = summary.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({
      ...container,
      probes: container.probes.map(change),
    })),
  }));
  return { ...summary, pods };
}

describe('endingLines', () => {
  it('reports how often the pod lost its readiness', async () => {
    expect(rowOf('ready', await summaryAt(14, 'flap'))).toMatch(/^after \d\.\d s, lost once$/);
    expect(rowOf('ready', await summaryAt(9, 'flap'))).toMatch(
      /, lost once, not ready at the end$/,
    );
  });

  it('repeats warnings, such as one that comes while kprobe stops', async () => {
    const text = 'could not remove everything, run kprobe down later: docker does not answer';
    const notes = [{ t: 14, level: 'warning' as const, text }];
    const summary = { ...(await summaryAt(14, 'flap')), notes };
    const lines = endingLines(ENDING, summary, 'run', { width: 60 });
    const rows = lines.map((row) => row.map((part) => part.text).join(''));
    expect(rows.slice(-4, -2)).toEqual([
      'warning    could not remove everything, run kprobe down',
      '           later: docker does not answer',
    ]);
  });

  it('reports the worst latency of all attempts', async () => {
    expect(rowOf('latency', await summaryAt(14, 'flap'))).toMatch(
      /^worst \d+(\.\d+)? ms \(app\/\w+\), of \d+ attempts$/,
    );
  });

  it.each([40, 80, 120])('breaks no word at %d columns', async (width) => {
    const summary = await summaryAt(34.2, 'web', 'crash-loop', 'flap');
    const text =
      'app killed 4 ×: liveness 4 × timeout at 1 s; answers took at most 27 ms before. Raise readinessProbe.periodSeconds';
    const causes = new Map(summary.pods.map(({ key }) => [key, { text }]));
    const lines = endingLines(ENDING, summary, 'run', { causes, width });
    const whole = endingLines(ENDING, summary, 'run', { causes });
    const wordsOf = (all: typeof lines): string[] =>
      all.flatMap((line) =>
        line
          .map((span) => span.text)
          .join('')
          .trim()
          .split(/\s+/),
      );
    expect(wordsOf(lines)).toEqual(wordsOf(whole));
    for (const line of lines) {
      expect(line.map((span) => span.text).join('').length).toBeLessThanOrEqual(width);
    }
  });

  it('calls the cause of a pod that works a warning', async () => {
    const summary = await summaryAt(14, 'flap');
    const text = 'app: it listens on 127.0.0.1:80 only';
    const causes = new Map([[summary.pods[0]?.key ?? '', { text, isWarning: true }]]);
    expect(rowOf('warning', summary, causes)).toBe(text);
    expect(rowOf('cause', summary, causes)).toBe('');
  });

  it('calls more than three pods that work no pods in trouble', async () => {
    const [pod] = (await summaryAt(14, 'flap')).pods;
    if (pod === undefined) throw new Error('no pod');
    const pods = Array.from({ length: 5 }, (_, index) => ({ ...pod, key: `default/${index}` }));
    const causes = new Map(pods.map(({ key }) => [key, { text: 'slow', isWarning: true }]));
    const lines = endingLines(ENDING, { ...EMPTY_SUMMARY, pods }, 'kprobe run', { causes });
    const text = lines.map((line) => line.map((span) => span.text).join('')).join('\n');
    expect(text).toMatch(/^warning +2 more pods$/m);
    expect(text).not.toContain('in trouble');
  });

  it('reports when all attempts had errors', async () => {
    const errored = withProbes(await summaryAt(14, 'flap'), (probe) => ({
      ...probe,
      latencies: EMPTY_HISTOGRAM,
      errors: 7,
    }));
    expect(rowOf('latency', errored)).toBe('none: 14 attempts errored');
  });

  it('names the pods in trouble, with their causes, and folds the healthy ones', async () => {
    const [web, worker] = (await summaryAt(34.2, 'web', 'crash-loop')).pods;
    if (web === undefined || worker === undefined) throw new Error('no pods');
    const { pods: flaps } = await summaryAt(2, 'flap');
    const healthy = Array.from({ length: 30 }, (_, index) =>
      flaps.map((pod) => ({
        ...pod,
        key: `default/ok-${index}`,
        conditions: { Ready: { status: 'True', reason: '' } },
      })),
    ).flat();
    const summary = { ...EMPTY_SUMMARY, pods: [...healthy, web, worker] };
    const causes = new Map([
      [worker.key, { text: 'worker crashed' }],
      [web.key, { text: 'app killed 1 ×: liveness 2 × exit 1' }],
    ]);
    const lines = endingLines(ENDING, summary, 'kprobe run', { causes, width: 40 });
    const text = lines.map((line) => line.map((span) => span.text).join('')).join('\n');
    expect(text.replace(/^latency.*$/m, '').replaceAll(/\d+\.\d s/g, 'N s')).toMatchSnapshot();
  });

  it('reports when there was no attempt', () => {
    expect(rowOf('latency', EMPTY_SUMMARY)).toBe('no attempts');
  });

  it('leaves out what a kubelet of a cluster does not report', async () => {
    const seen = withProbes(await summaryAt(34.2, 'web'), (probe) => ({
      ...probe,
      latencies: EMPTY_HISTOGRAM,
      attempts: probe.attempts.map((attempt) => ({ ...attempt, evidence: 'seen' as const })),
    }));
    const pods = seen.pods.map((pod) => ({
      ...pod,
      containers: pod.containers.map((one) => ({
        ...one,
        restartCount: 9,
        runs: one.runs.slice(-1),
      })),
    }));
    expect(rowOf('latency', seen)).toBe('not reported by kubelets');
    expect(rowOf('restarts', { ...seen, pods })).toMatch(/^9 of app(?:;|$)/);
  });
});
