import { describe, expect, it } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import type { KubeletConfig } from '../../../src/kubelet/release.js';
import { parseSetting, type Setting, withSettings } from '../../../src/manifest/pods/settings.js';
import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import { whatIf } from '../../../src/sim/recorded/what-if.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildEnd, HEADER } from '../../helpers/traces.js';

const probe = { exec: { command: ['check'] }, periodSeconds: 1, failureThreshold: 3 };
const container = { name: 'app', image: 'app:1', livenessProbe: probe };

/** The trace of a container that answers `check` as scripted, 30 s long. */
async function record(check: readonly object[], kubelet?: KubeletConfig) {
  const pod = { metadata: { name: 'web' }, spec: { containers: [container] } };
  const containers = { app: { runs: [{ exec: { check } }] } };
  const text = JSON.stringify({ name: 's', until: '30s', pod, containers });
  const { scenarios, diagnostics } = loadScenarios([{ file: 'a.json', text }]);
  expect(diagnostics).toEqual([]);
  const lines: TraceLine[] = [];
  await simulate({ ...scenarios[0]!, ...(kubelet && { kubelet }) }, (line) => lines.push(line));
  return { header: HEADER, lines, end: buildEnd({ t: 30, at: 30 }), unknown: 0 };
}

const GKE: KubeletConfig = { version: '1.34', featureGates: { ExecProbeTimeout: false } };
const FAILS_FOR_FOUR = [{ until: '10s' }, { until: '14s', exit: 1 }, {}];
const HANGS_FOR_TWO = [{ until: '10s' }, { until: '12500ms', takes: '2s' }, {}];

async function ask(check: readonly object[], ...texts: readonly string[]) {
  const settings = texts.map((text) => parseSetting(text) as Setting);
  return whatIf(await record(check), (pod) => {
    const changed = withSettings(pod, settings);
    if (changed.kind === 'problems') throw new Error(changed.messages.join());
    return changed.pod;
  });
}

const restarts = ({
  summary,
}: {
  readonly summary: { readonly pods: readonly unknown[] };
}): unknown => JSON.parse(JSON.stringify(summary.pods)) as unknown;

describe('whatIf', () => {
  it('reproduces the recorded decisions with the recorded settings', async () => {
    const { decisions, unobserved, deviations } = await ask(FAILS_FOR_FOUR);
    expect(deviations).toEqual([]);
    expect(unobserved).toEqual([]);
    for (const { before = 0, after = 0 } of decisions) {
      expect(Math.abs(before - after)).toBeLessThan(1.5);
    }
  });

  it('simulates nothing of the time in which a late line says that nothing was recorded', async () => {
    const { end: _, ...trace } = await record(FAILS_FOR_FOUR);
    const last = trace.lines.at(-1)!;
    const week = 7 * 24 * 3600;
    const lines = [...trace.lines, { ...last, t: last.t + week }];
    let simulated = 0;
    const { length, silence } = await whatIf(
      { ...trace, lines },
      (pod) => pod,
      (done) => (simulated = done),
    );
    expect({ length, silence }).toEqual({
      length: last.t,
      silence: { from: last.t, to: last.t + week },
    });
    expect(simulated).toBeLessThanOrEqual(2 * last.t);
  });

  it.each([
    ['1.36', undefined, GKE, 2, 0],
    ['1.34', { version: '1.34' }, GKE, 2, 0],
    ['GKE', GKE, { version: '1.36' }, 0, 2],
  ])(
    'decides as another kubelet does than that of the recording (%s), with its answers',
    async (_, recorded, other, before, after) => {
      const trace = await record([{ until: '10s' }, { takes: '1h' }], recorded);
      const found = await whatIf(trace, (pod) => pod, undefined, other);
      expect(found.before).toMatchObject([{ restarts: { app: before } }]);
      expect(found.after).toMatchObject([{ restarts: { app: after } }]);
      expect(found.deviations).toEqual([]);
    },
  );

  it('ends before a quarter of an hour in which nothing was recorded', async () => {
    const trace = await record(FAILS_FOR_FOUR);
    const last = trace.lines.at(-1)!;
    const week = { ...trace, lines: [...trace.lines, { ...last, t: 604_800 }] };
    const { end: _, ...cut } = week;
    const found = await whatIf(cut, (pod) => pod);
    expect(found.silence).toEqual({ from: last.t, to: 604_800 });
    expect(found.length).toBe(last.t);
    expect(found.changed.lines.at(-1)!.t).toBeLessThanOrEqual(last.t);
    expect((await whatIf(trace, (pod) => pod)).silence).toBeUndefined();
  });

  it('has no restart with a higher failure threshold, and reports what was not observed', async () => {
    const { recorded, changed, unobserved } = await ask(
      FAILS_FOR_FOUR,
      'app.livenessProbe.failureThreshold=50',
    );
    expect(restarts(recorded)).toMatchObject([{ containers: [{ restartCount: 2 }] }]);
    expect(restarts(changed)).toMatchObject([{ containers: [{ restartCount: 0 }] }]);
    expect(unobserved).toMatchObject([
      { container: 'app', probe: 'liveness', basis: 'after', run: 0 },
    ]);
  });

  it('restarts earlier with a lower failure threshold', async () => {
    const { decisions } = await ask(FAILS_FOR_FOUR, 'app.livenessProbe.failureThreshold=1');
    const kill = decisions.find(({ what }) => what.startsWith('killed'));
    expect(kill?.after).toBeLessThan(kill?.before ?? 0);
  });

  it('reports answers that only a longer timeout would have shown', async () => {
    const { unobserved } = await ask(HANGS_FOR_TWO, 'app.livenessProbe.timeoutSeconds=5');
    expect(unobserved).toMatchObject([{ basis: 'outage', limit: 1 }]);
  });

  it.each([
    ['after its end', { t: 30.05 }],
    ['marked as ending, at its very end', { t: 30, ending: true as const }],
  ])('does not regard the stop at the end of a recording as a crash (%s)', async (_, how) => {
    const recorded = await record(FAILS_FOR_FOUR);
    const { lines } = recorded;
    const run = lines.findLast(({ kind }) => kind === 'started') as { readonly run: number };
    const exit: TraceLine = {
      ...{ kind: 'exited', pod: 'default/web', container: 'app', exitCode: 143, run: run.run },
      ...how,
    };
    const setting = parseSetting('app.livenessProbe.failureThreshold=1') as Setting;
    const change = (pod: Pod): Pod => {
      const changed = withSettings(pod, [setting]);
      return changed.kind === 'pod' ? changed.pod : pod;
    };
    const plain = await whatIf(recorded, change);
    const stopped = await whatIf({ ...recorded, lines: [...lines, exit] }, change);
    expect(stopped.decisions).toEqual(plain.decisions);
    expect(stopped.verdict).toEqual(plain.verdict);
    expect(stopped.after).toEqual(plain.after);
  });
});
