import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { DIFFERENCE_TEXTS } from '../../src/kubelet/difference-texts.js';
import {
  behaviorOf,
  DEFAULT_RELEASE,
  type Difference,
  DIFFERENCES,
  KUBERNETES_RELEASES,
  releaseOf,
} from '../../src/kubelet/release.js';
import { loadScenarios } from '../../src/sim/load-scenarios.js';
import { simulate } from '../../src/sim/simulate.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

interface Given {
  readonly container?: object;
  readonly spec?: object;
  readonly run?: object;
  readonly members?: object;
}

/** What the kubelet of a release does in three minutes. */
async function play(version: string, given: Given): Promise<readonly TraceLine[]> {
  const app = { name: 'app', image: 'app:1', imagePullPolicy: 'Never', ...given.container };
  const pod = { metadata: { name: 'web' }, spec: { containers: [app], ...given.spec } };
  const containers = { app: { runs: [given.run ?? {}] } };
  const text = JSON.stringify({ name: 's', until: '3m', pod, containers, ...given.members });
  const { scenarios, diagnostics } = loadScenarios([{ file: 'a.json', text }]);
  expect(diagnostics).toEqual([]);
  const lines: TraceLine[] = [];
  const scenario = { ...scenarios[0]!, kubernetesVersion: version, relistLatency: 1 };
  await simulate(scenario, (line) => lines.push(line));
  return lines;
}

const messages = (lines: readonly TraceLine[], reason: string): readonly string[] => [
  ...new Set(
    lines.flatMap((line) => (line.kind === 'event' && line.reason === reason ? line.message : [])),
  ),
];

const crash = { run: { exitAfter: '1s', exitCode: 1 } };
const exec = (answer: object, probe: object = {}): Given => ({
  container: { readinessProbe: { exec: { command: ['check'] }, periodSeconds: 5, ...probe } },
  run: { exec: { check: [answer] } },
});

describe('events', () => {
  it.each([
    ['1.34', 'Created', 'Created container: app'],
    ['1.35', 'Created', 'Container created'],
    ['1.34', 'Started', 'Started container app'],
    ['1.35', 'Started', 'Container started'],
    ['1.34', 'Pulled', 'Container image "app:1" already present on machine'],
    [
      '1.35',
      'Pulled',
      'Container image "app:1" already present on machine and can be accessed by the pod',
    ],
  ])('of %s say with the reason %s: %s', async (version, reason, message) => {
    expect(messages(await play(version, {}), reason)).toEqual([message]);
  });

  it.each([
    ['1.32', 'Readiness probe errored: no runtime'],
    ['1.33', 'Readiness probe errored and resulted in unknown state: no runtime'],
  ])('of an attempt that errored say in %s: %s', async (version, message) => {
    const lines = await play(version, exec({ error: 'no runtime' }));
    expect(messages(lines, 'Unhealthy')).toEqual([message]);
  });
});

it.each([
  ['1.36', 'strconv.Atoi: parsing "web": invalid syntax'],
  ['1.37', 'port "web" not found'],
])('an unknown name of a port is in %s: %s', async (version, error) => {
  const readinessProbe = { httpGet: { port: 'web' }, periodSeconds: 5 };
  const lines = await play(version, { container: { readinessProbe } });
  const message = `Readiness probe errored and resulted in unknown state: ${error}`;
  expect(messages(lines, 'Unhealthy')).toEqual([message]);
});

it.each([
  ['1.36', 'False'],
  ['1.37', 'False PodSandboxNotReady: no pod sandbox exists'],
])('a pod without a sandbox is in %s not ready to start containers: %s', async (version, value) => {
  const [first] = (await play(version, {})).filter((line) => line.kind === 'status');
  expect(first?.conditions['PodReadyToStartContainers']).toBe(value);
});

it('a pod in CrashLoopBackOff is synced each 10 – 15 s before 1.35, and at its end from then on', async () => {
  const backOffs = (lines: readonly TraceLine[]): number =>
    lines.filter((line) => line.kind === 'backOff').length;
  const [old, current] = [await play('1.34', crash), await play('1.35', crash)];
  expect(backOffs(old)).toBeGreaterThan(2 * backOffs(current));
});

it('restart rules of a container count from 1.35 on', async () => {
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
  const container = { restartPolicy: 'Never', restartPolicyRules: rules };
  const given = { ...crash, container, spec: { restartPolicy: 'Never' } };
  const starts = (lines: readonly TraceLine[]): number =>
    lines.filter((line) => line.kind === 'started').length;
  expect(starts(await play('1.34', given))).toBe(1);
  expect(starts(await play('1.35', given))).toBeGreaterThan(1);
});

it('a relist follows a sync at once from 1.36 on', async () => {
  const runningAt = (lines: readonly TraceLine[]): number =>
    lines.find((line) => line.kind === 'status' && line.phase === 'Running')?.t ?? NaN;
  const [old, current] = [await play('1.35', {}), await play('1.36', {})];
  expect(runningAt(current)).toBeLessThan(0.1);
  expect(runningAt(old)).toBeGreaterThan(0.3);
});

it.each([
  ['1.34', '1.34'],
  ['v1.34.4', '1.34'],
  ['1.34.4-gke.100', '1.34'],
  ['1.3', undefined],
  ['1.20', undefined],
  ['latest', undefined],
])('the release of %s is %s', (version, release) => {
  expect(releaseOf(version)).toBe(release);
});

it('a trace names the kubelet of each pod that is not of the default release', async () => {
  const named = async (version: string): Promise<readonly TraceLine[]> =>
    (await play(version, {})).filter(({ kind }) => kind === 'kubelet');
  expect(await named('1.34')).toEqual([
    { t: 0, kind: 'kubelet', pod: 'default/web', version: '1.34' },
  ]);
  expect(await named(DEFAULT_RELEASE)).toEqual([]);
});

it('docs/versions.md shows each difference with the first release that has it', () => {
  const page = readFileSync(new URL('../../docs/versions.md', import.meta.url), 'utf8');
  const names = Object.keys(DIFFERENCES) as (keyof typeof DIFFERENCES)[];
  const rows = names.map((name) => {
    const { since, until, gate = '' }: Difference = DIFFERENCES[name];
    const from = until === undefined ? since : `${since}, until ${until}`;
    const { now, before, source } = DIFFERENCE_TEXTS[name];
    return `| ${from} | ${now} | ${before} | ${gate && `\`${gate}\``} | ${source} |`;
  });
  expect(page.split('\n').filter((line) => /^\| 1\./.test(line))).toEqual(rows);
});

it('each release has the differences of the ones before it that have not ended', () => {
  const lasting = Object.entries<Difference>(DIFFERENCES).flatMap(([name, { until }]) =>
    until === undefined ? (name as keyof typeof DIFFERENCES) : [],
  );
  const counts = KUBERNETES_RELEASES.map(
    (release) => lasting.filter((name) => behaviorOf(release)[name]).length,
  );
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(counts.at(0)).toBe(0);
  expect(counts.at(-1)).toBe(lasting.length);
});

const CANCELED =
  'Readiness probe errored and resulted in unknown state: rpc error: code = Canceled desc = context canceled';

it.each([
  ['1.34', 'Readiness probe failed: '],
  ['1.35', CANCELED],
  ['1.36.2', 'Readiness probe failed: '],
  ['1.36.3', CANCELED],
  ['1.37', 'Readiness probe failed: '],
])(
  'after the deletion a readiness command that would fail ends in %s so: %s',
  async (version, message) => {
    const check = [{ until: '30s', exit: 0 }, { exit: 1 }];
    const lines = await play(version, {
      container: { readinessProbe: { exec: { command: ['check'] }, periodSeconds: 1 } },
      run: { exec: { check }, stopTakes: '29s' },
      members: { actions: [{ at: '30s', do: 'delete' }] },
    });
    expect(messages(lines, 'Unhealthy')).toEqual([message]);
  },
);
