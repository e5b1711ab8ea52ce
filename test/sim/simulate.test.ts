import { describe, expect, it } from 'vitest';

import { loadScenarios } from '../../src/sim/load-scenarios.js';
import type { Scenario } from '../../src/sim/scenario.js';
import { simulate } from '../../src/sim/simulate.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildPod } from '../helpers/builders.js';

const container = { name: 'app', image: 'app:1' };

async function run(members: object, seed?: number): Promise<TraceLine[]> {
  const pod = { metadata: { name: 'web' }, spec: { containers: [container] } };
  const text = JSON.stringify({ name: 's', until: '30s', pod, ...members });
  const { scenarios, diagnostics } = loadScenarios([{ file: 'a.json', text }]);
  expect(diagnostics).toEqual([]);
  const lines: TraceLine[] = [];
  await simulate(scenarios[0]!, (line) => lines.push(line), seed);
  return lines;
}

/** Lines of the given kinds, each with its time in seconds and its container. */
const shown = (lines: readonly TraceLine[], ...kinds: readonly TraceLine['kind'][]): string[] =>
  lines.flatMap((line) =>
    kinds.includes(line.kind)
      ? `${line.t} ${line.kind}${'container' in line ? ` ${line.container}` : ''}`
      : [],
  );

describe('a simulation', () => {
  it('has images with pull policy Never', async () => {
    const own = { ...container, image: 'app', imagePullPolicy: 'Never' };
    const lines = await run({ pod: { metadata: { name: 'web' }, spec: { containers: [own] } } });
    expect(shown(lines, 'started')).toHaveLength(1);
  });

  it('handles container and command names that are names of Object members', async () => {
    const livenessProbe = { exec: { command: ['toString'] }, periodSeconds: 10 };
    const own = { ...container, name: 'constructor', livenessProbe };
    const pod = { metadata: { name: 'web' }, spec: { containers: [own] } };
    const lines = await run({ pod, containers: {} });
    expect(shown(lines, 'attemptDone', 'exited')).toEqual([
      expect.stringMatching(/attemptDone constructor$/) as string,
      expect.stringMatching(/attemptDone constructor$/) as string,
    ]);
  });

  it('ends early when it is done, and says the same until then', async () => {
    const { scenarios } = loadScenarios([
      {
        file: 'a.json',
        text: JSON.stringify({
          name: 's',
          until: '1h',
          pod: { spec: { containers: [container] } },
        }),
      },
    ]);
    const lines: TraceLine[] = [];
    const isReady = (): boolean => shown(lines, 'started').length > 0;
    await simulate(scenarios[0]!, (line) => lines.push(line), undefined, isReady);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every(({ t }) => t <= 5)).toBe(true);
    const whole: TraceLine[] = [];
    await simulate(scenarios[0]!, (line) => whole.push(line));
    expect(whole.slice(0, lines.length)).toEqual(lines);
  });

  it('starts with the pod line when the pod is added', async () => {
    const lines = await run({});
    expect(lines[0]).toMatchObject({
      t: 0,
      kind: 'pod',
      pod: 'default/web',
      object: { metadata: { uid: 'uid-s' } },
    });
    expect(shown(lines, 'runPodSandbox', 'started')).toEqual([
      '0 runPodSandbox',
      '0.003 started app',
    ]);
  });

  it.each([
    [undefined, 0.37],
    [1, 0.004],
  ])('with relistLatency %s reports Running at %f s', async (late, t) => {
    const pod = buildPod();
    const lines: TraceLine[] = [];
    const scenario: Scenario = {
      name: 's',
      until: 5000,
      kubeletUp: 5630,
      pod,
      containers: {},
      actions: [],
      ...(late !== undefined && { relistLatency: late }),
    };
    await simulate(scenario, (line) => lines.push(line));
    const running = lines.find((line) => line.kind === 'status' && line.phase === 'Running');
    expect(running?.t).toBe(t);
  });

  it('ends at until', async () => {
    const livenessProbe = { exec: { command: ['check'] }, periodSeconds: 10 };
    const pod = { spec: { containers: [{ ...container, livenessProbe }] } };
    const attempts = shown(await run({ until: '30s', pod }), 'exec');
    expect(attempts).toEqual(['10 exec app', '20 exec app', '30 exec app']);
  });

  it('gives the same trace each time', async () => {
    const members = { until: '120s', containers: { app: { runs: [{ exitAfter: '2s' }] } } };
    expect(await run(members)).toEqual(await run(members));
  });

  it("draws the kubelet's random waits from the seed, and takes their mean without one", async () => {
    const members = { until: '60s', containers: { app: { runs: [{ exitAfter: '1s' }] } } };
    const third = async (seed?: number): Promise<string | undefined> =>
      shown(await run(members, seed), 'started')[2];
    // The back-off of 10 s ends at 12.633 s; the remaining wait of 9 s is extended by up to half.
    expect(await third()).toBe('15.633 started app');
    expect(await third(4)).toBe('14.633 started app');
  });

  it("draws the app's random times even without a seed", async () => {
    const exits = async (seed?: number): Promise<string | undefined> =>
      shown(
        await run({ containers: { app: { runs: [{ exitAfter: '2s±1s' }] } } }, seed),
        'exited',
      )[0];
    expect(await exits()).not.toBe('2.003 exited app');
  });

  it("has relists in phase with the kubelet's uptime", async () => {
    const containers = { app: { runs: [{ exitAfter: '2s' }] } };
    const restart = async (kubeletUp: string): Promise<string | undefined> =>
      shown(await run({ kubeletUp, containers, until: '5s' }), 'started')[1];
    expect(await restart('600.370s')).toBe('2.633 started app');
    expect(await restart('600.900s')).toBe('2.103 started app');
  });

  it('lets workers start with random jitter while the kubelet is young', async () => {
    const livenessProbe = { exec: { command: ['check'] }, periodSeconds: 100 };
    const pod = { spec: { containers: [{ ...container, livenessProbe }] } };
    const first = async (kubeletUp: string): Promise<number> =>
      parseFloat(shown(await run({ kubeletUp, pod, until: '150s' }), 'exec')[0] ?? '');
    expect(await first('600s')).toBe(100);
    expect(await first('50s')).not.toBe(100);
  });

  it('terminates the pod when it is deleted, and reports no further status', async () => {
    const lines = await run({ actions: [{ at: '5s', do: 'delete' }] });
    const after = lines.slice(lines.findIndex(({ kind }) => kind === 'action'));
    expect(shown(after, 'action', 'stop', 'exited', 'status')).toEqual([
      '5 action',
      '5 stop app',
      '5.011 exited app',
    ]);
  });

  it('restarts a changed container when the pod is updated', async () => {
    const pod = {
      metadata: { name: 'web' },
      spec: { containers: [{ ...container, image: 'app:2' }] },
    };
    const lines = await run({ actions: [{ at: '5s', do: 'update', pod }] });
    expect(shown(lines, 'action', 'stop', 'started')).toEqual([
      '0.003 started app',
      '5 action',
      '5 stop app',
      '5.014 started app',
    ]);
  });
});
