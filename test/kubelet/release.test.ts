import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { KNOWN_GATES } from '../../src/api/schema/known-gates.js';
import { DIFFERENCE_TEXTS } from '../../src/kubelet/difference-texts.js';
import {
  behaviorOf,
  DEFAULT_RELEASE,
  type Difference,
  DIFFERENCES,
  isSince,
  type KubeletConfig,
  kubeletOf,
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  nearestKubelet,
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

/** What a kubelet does in three minutes. */
async function play(of: string | KubeletConfig, given: Given): Promise<readonly TraceLine[]> {
  const kubelet = typeof of === 'string' ? { version: of } : of;
  const app = { name: 'app', image: 'app:1', imagePullPolicy: 'Never', ...given.container };
  const pod = { metadata: { name: 'web' }, spec: { containers: [app], ...given.spec } };
  const containers = { app: { runs: [given.run ?? {}] } };
  const text = JSON.stringify({ name: 's', until: '3m', pod, containers, ...given.members });
  const { scenarios, diagnostics } = loadScenarios([{ file: 'a.json', text }]);
  expect(diagnostics).toEqual([]);
  const lines: TraceLine[] = [];
  const scenario = { ...scenarios[0]!, kubelet, relistLatency: 1 };
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

it('with the gate of restart rules on in 1.34, a container that they restart is probed again', async () => {
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
  const probed = exec({ exit: 1 }).container;
  const container = { ...probed, restartPolicy: 'Never', restartPolicyRules: rules };
  const run = { ...exec({ exit: 1 }).run, exitAfter: '20s', exitCode: 1 };
  const kubelet = { version: '1.34', featureGates: { ContainerRestartRules: true } };
  const lines = await play(kubelet, { container, run, spec: { restartPolicy: 'Never' } });
  const runs = lines.flatMap((line) => (line.kind === 'execDone' ? line.run : []));
  expect(new Set(runs)).toContain(1);
});

it.each([
  ['1.35', 60],
  ['1.36', 0],
])('with its gate on, RestartAllContainers waits in %s at least %d s', async (version, wait) => {
  const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }];
  const container = { restartPolicy: 'Never', restartPolicyRules: rules };
  const featureGates = { RestartAllContainersOnContainerExits: true };
  const lines = await play({ version, featureGates }, { ...crash, container });
  const [first, second] = lines.flatMap(({ kind, t }) => (kind === 'started' ? t : []));
  expect(second! - first! > 60).toBe(wait === 60);
});

it.each([
  ['1.34', false],
  ['1.35', true],
])('a sidecar under Never waits in its back-off in %s: %s', async (version, waits) => {
  const sidecar = { name: 'proxy', image: 'app:1', restartPolicy: 'Always' };
  const members = { containers: { proxy: { runs: [crash.run] } } };
  const spec = { restartPolicy: 'Never', initContainers: [sidecar] };
  const lines = await play(version, { spec, members });
  const states = lines.flatMap((line) =>
    line.kind === 'status' ? line.initContainers.map((each) => each.state) : [],
  );
  expect(states.includes('waiting CrashLoopBackOff')).toBe(waits);
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
  ['1.36.1', '1.36.1'],
  ['v1.36.2-eks-1', '1.36.2'],
  ['1.36.3', '1.36'],
  ['gke-1.34', '1.34'],
  ['gke-1.20', undefined],
  ['aks-1.34', undefined],
  ['1.34.x.y', undefined],
  ['1.20', undefined],
  ['latest', undefined],
])('the release of %s is %s', (version, release) => {
  expect(kubeletOf(version)?.version).toBe(release);
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
    return `| ${from ?? '–'} | ${now} | ${before} | ${gate && `\`${gate}\``} | ${source} |`;
  });
  expect(page.split('\n').filter((line) => /^\| (?:1\.|–)/.test(line))).toEqual(rows);
});

const NAMES = Object.keys(DIFFERENCES) as (keyof typeof DIFFERENCES)[];

function differencesOf(kubelet: KubeletConfig): readonly string[] {
  const behavior = behaviorOf(kubelet);
  return NAMES.filter((name) => behavior[name]);
}

it('each release has the differences of the ones before it', () => {
  const counts = KUBERNETES_RELEASES.map((version) => differencesOf({ version }).length);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(counts.at(0)).toBeLessThan(counts.at(-1)!);
});

/** The gates of the table in each release, with what Kubernetes' own list says of them. */
const GATES = [...new Set(NAMES.flatMap((name) => ofRow(name).gate ?? []))].flatMap((gate) =>
  KUBERNETES_RELEASES.map((release) => [gate, release, signOf(gate, release)] as const),
);

function ofRow(name: keyof typeof DIFFERENCES): Difference {
  return DIFFERENCES[name];
}

function signOf(gate: string, release: KubernetesRelease): string {
  const row = KNOWN_GATES.split('\n').find((line) => line.split(' ').includes(gate)) ?? '';
  return row.charAt(KUBERNETES_RELEASES.indexOf(release));
}

it.each(GATES)('%s is in %s on as Kubernetes has it by default: %s', (gate, release, sign) => {
  const rows = NAMES.filter((name) => ofRow(name).gate === gate);
  const isOn = sign === '+' || sign === 'T';
  const behavior = behaviorOf({ version: release });
  for (const name of rows) {
    // Before there was a gate, there was no difference.
    const expected = sign !== '.' && isOn !== (ofRow(name).isReverted ?? false);
    expect([name, behavior[name]]).toEqual([name, expected]);
  }
});

it.each(GATES.filter(([, , sign]) => sign === '+' || sign === '-'))(
  '%s flips in %s its own differences and no others',
  (gate, version, sign) => {
    const before = differencesOf({ version });
    const after = differencesOf({ version, featureGates: { [gate]: sign === '-' } });
    const flipped = NAMES.filter((name) => before.includes(name) !== after.includes(name));
    const brings = ({ gateSince }: Difference) =>
      sign === '+' || isSince(gateSince ?? version, version);
    const ofGate = NAMES.filter((name) => ofRow(name).gate === gate && brings(ofRow(name)));
    expect(flipped).toEqual(ofGate);
  },
);

it.each([
  ['gke-1.34', { ExecProbeTimeout: false }],
  ['v1.34.4-gke.1234', { ExecProbeTimeout: false }],
  ['gke-1.35', undefined],
  ['v1.34.4', undefined],
])('the gates that the provider of %s sets are %j', (version, gates) => {
  expect(kubeletOf(version)?.featureGates).toEqual(gates);
  expect(nearestKubelet(version.replace('gke-', 'v')).version).toBe(kubeletOf(version)?.version);
});

it.each([
  ['1.34', false],
  ['gke-1.34', true],
])('a command that takes too long is in %s ignored: %s', async (version, isIgnored) => {
  const livenessProbe = { exec: { command: ['check'] }, periodSeconds: 5, failureThreshold: 1 };
  const run = { exec: { check: [{ takes: '9s' }] } };
  const lines = await play(kubeletOf(version)!, { container: { livenessProbe }, run });
  expect(lines.filter(({ kind }) => kind === 'stop').length === 0).toBe(isIgnored);
  const timeout = 'command timed out: "check" timed out after 1s';
  const errored = `Liveness probe errored and resulted in unknown state: ${timeout}`;
  const failed = `Liveness probe failed: ${timeout}`;
  expect(messages(lines, 'Unhealthy')).toEqual([isIgnored ? errored : failed]);
});

const REDUCED = { ReduceDefaultCrashLoopBackOffDecay: true };

it.each([
  [{ version: '1.36' }, 10_000, 300_000],
  [{ version: '1.36', maxContainerRestartPeriod: 20 }, 10_000, 20_000],
  [{ version: '1.36', maxContainerRestartPeriod: 2 }, 2000, 2000],
  [{ version: '1.34', maxContainerRestartPeriod: 20 }, 10_000, 300_000],
  [{ version: '1.34', featureGates: REDUCED }, 1000, 60_000],
  // From 1.35 on the kubelet's configuration has the default 300s, which wins.
  [{ version: '1.36', featureGates: REDUCED }, 1000, 300_000],
  [{ version: '1.36', featureGates: REDUCED, maxContainerRestartPeriod: 60 }, 1000, 60_000],
])('the back-off of %j grows from %i to %i ms', (kubelet, initial, max) => {
  expect(behaviorOf(kubelet).crashLoopBackOff).toEqual({ initial, max });
});

it('a container is restarted within the longest back-off that is configured', async () => {
  const lines = await play({ version: '1.36', maxContainerRestartPeriod: 5 }, crash);
  const delays = lines.flatMap((line) => (line.kind === 'backOff' ? line.delay : []));
  expect([...new Set(delays)]).toEqual([5]);
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
