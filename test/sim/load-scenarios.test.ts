import { describe, expect, it } from 'vitest';

import { loadScenarios } from '../../src/sim/load-scenarios.js';
import type { Scenario } from '../../src/sim/scenario.js';

/** A scenario of the name `s` with these members besides. */
function scenario(members: object = {}): object {
  return {
    name: 's',
    until: '60s',
    pod: { spec: { containers: [{ name: 'app', image: 'app:1' }] } },
    ...members,
  };
}

const load = (...values: readonly unknown[]) =>
  loadScenarios([{ file: 'a.json', text: JSON.stringify(values) }]);
const first = (value: object): Scenario => load(value).scenarios[0]!;
/** `field: message (hint)` of each diagnostic. */
const complaints = (...values: readonly unknown[]): string[] =>
  load(...values).diagnostics.map(
    ({ field, message, hint }) => `${field}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
const podWith = (container: object): object => ({
  pod: { spec: { containers: [{ name: 'app', image: 'app:1', ...container }] } },
});

describe('a scenario', () => {
  it('that says little gets the defaults', () => {
    expect(first(scenario())).toMatchObject({
      name: 's',
      until: 60_000,
      kubeletUp: 600_370,
      pod: {
        metadata: {
          name: 'pod',
          namespace: 'default',
          uid: 'uid-s',
          annotations: { 'kubernetes.io/config.source': 'file' },
        },
        spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30 },
        status: { phase: 'Pending' },
      },
      containers: {},
      actions: [],
    });
  });

  it('keeps what it says of its pod', () => {
    const metadata = {
      name: 'web',
      namespace: 'shop',
      uid: 'u',
      labels: { a: 'b' },
      annotations: { c: 'd' },
    };
    const { pod } = first(
      scenario({ pod: { metadata, spec: { containers: [{ name: 'app', image: 'app:1' }] } } }),
    );
    expect(pod.metadata).toEqual({
      ...metadata,
      annotations: { c: 'd', 'kubernetes.io/config.source': 'file' },
    });
  });

  it('has probes as the API server would complete them', () => {
    const livenessProbe = { exec: { command: ['check'] }, periodSeconds: 3 };
    expect(
      first(scenario(podWith({ livenessProbe }))).pod.spec.containers[0]?.livenessProbe,
    ).toEqual({
      exec: { command: ['check'] },
      initialDelaySeconds: 0,
      periodSeconds: 3,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
    });
  });

  it('has its durations in milliseconds', () => {
    const runs = [
      { exitAfter: '1.5s', stopTakes: '2m', exec: { c: [{ until: '3s', takes: '207ms' }] } },
    ];
    const loaded = first(scenario({ kubeletUp: '1m30s', containers: { app: { runs } } }));
    expect(loaded.kubeletUp).toBe(90_000);
    expect(loaded.containers['app']).toMatchObject([
      { exitAfter: 1500, stopTakes: 120_000, exec: { c: [{ until: 3000, takes: 207 }] } },
    ]);
  });

  it('has runs that go on for ever, and commands that answer 0', () => {
    const loaded = first(scenario({ containers: { app: { runs: [{ exec: { c: [{}] } }] } } }));
    expect(loaded.containers['app']).toEqual([
      {
        exitCode: 0,
        stopTakes: 11,
        stopExitCode: 143,
        exec: { c: [{ takes: 7, exit: 0, stdout: '', stderr: '' }] },
      },
    ]);
  });

  it('keeps what it says of runs and answers', () => {
    const answer = { exit: 3, stdout: 'out', stderr: 'err', error: 'no' };
    const run = {
      startError: 'no file',
      exitCode: 2,
      stopExitCode: 0,
      exec: { 'cat x': [answer] },
    };
    expect(first(scenario({ containers: { app: { runs: [run] } } })).containers['app']).toEqual([
      { ...run, stopTakes: 11, exec: { 'cat x': [{ ...answer, takes: 7 }] } },
    ]);
  });

  it('may take no time: that is the default, as in the oracle', () => {
    const runs = [
      { exitAfter: '0s', stopTakes: '0s', exec: { c: [{ takes: '0s', until: '0s' }] } },
    ];
    expect(first(scenario({ containers: { app: { runs } } })).containers['app']).toMatchObject([
      { exitAfter: 0, stopTakes: 11, exec: { c: [{ until: 0, takes: 7 }] } },
    ]);
  });

  it('has its actions, with the new pod under the old uid', () => {
    const spec = { containers: [{ name: 'app', image: 'app:2' }] };
    const loaded = first(
      scenario({
        actions: [
          { at: '5s', do: 'update', pod: { spec } },
          { at: '9s', do: 'delete' },
        ],
      }),
    );
    expect(loaded.actions).toMatchObject([
      { at: 5000, do: 'update', pod: { metadata: { uid: 'uid-s' }, spec } },
      { at: 9000, do: 'delete' },
    ]);
  });
});

describe('a file', () => {
  it('may hold one scenario or a list, in JSON or YAML', () => {
    const yaml = 'name: b\nuntil: 1s\npod: {spec: {containers: [{name: app, image: a}]}}\n';
    const { scenarios, diagnostics } = loadScenarios([
      { file: 'a.json', text: JSON.stringify([scenario(), scenario({ name: 'a' })]) },
      { file: 'b.yaml', text: `${yaml}---\n${yaml.replace('b', 'c')}` },
    ]);
    expect(diagnostics).toEqual([]);
    expect(scenarios.map(({ name }) => name)).toEqual(['s', 'a', 'b', 'c']);
  });

  it('without a scenario is an error', () => {
    expect(complaints()).toEqual([': no scenario in this file']);
  });

  it('that cannot be read is an error', () => {
    const { diagnostics } = loadScenarios([{ file: 'a.yaml', text: '{' }]);
    expect(diagnostics[0]).toMatchObject({ severity: 'error', file: 'a.yaml' });
  });

  it('that says something twice is an error, with its place', () => {
    const text =
      'name: s\nuntil: 1s\nuntil: 2s\npod: {spec: {containers: [{name: a, image: a}]}}\n';
    const { diagnostics } = loadScenarios([{ file: 'a.yaml', text }]);
    expect(diagnostics).toMatchObject([
      { severity: 'error', line: 3, field: 'until', message: 'set twice' },
    ]);
  });
});

describe('a mistake is told with its field', () => {
  const probe = { tcpSocket: { port: 80 } };

  it.each<[string, object, string[]]>([
    ['no name', scenario({ name: undefined }), ['name: must be given: it names the trace']],
    [
      'a name that is no file name',
      scenario({ name: 'a/b' }),
      ['name: must be fit for a file name: letters, digits, ".", "_" and "-"'],
    ],
    [
      'a name of dots',
      scenario({ name: '..' }),
      ['name: must be fit for a file name: letters, digits, ".", "_" and "-"'],
    ],
    [
      'no pod',
      scenario({ pod: undefined }),
      ['pod.spec.containers: must be given: a scenario is about a pod'],
    ],
    [
      'a pod without containers',
      scenario({ pod: { spec: {} } }),
      ['pod.spec.containers: must be given: a scenario is about a pod'],
    ],
    ['no end', scenario({ until: undefined }), ['until: must be given: a duration such as "90s"']],
    [
      'an end without a unit',
      scenario({ until: '60' }),
      ['until: must be a duration such as "1.5s" or "207ms" (with its unit it is "60s")'],
    ],
    [
      'an end before the begin',
      scenario({ until: '-1s' }),
      ['until: must be a duration such as "1.5s" or "207ms"'],
    ],
    [
      'a container that the pod does not have',
      scenario({ containers: { ap: { runs: [] } } }),
      ['containers.ap: the pod has no container of this name (did you mean "app"?)'],
    ],
    [
      'a container like none of the pod',
      scenario({ containers: { database: { runs: [] } } }),
      ['containers.database: the pod has no container of this name'],
    ],
    [
      'durations of a run',
      scenario({
        containers: {
          app: { runs: [{}, { exitAfter: 'x', stopTakes: 'y', exec: { c: [{ takes: 'z' }] } }] },
        },
      }),
      [
        'containers.app.runs[1].exitAfter: must be a duration such as "1.5s" or "207ms"',
        'containers.app.runs[1].stopTakes: must be a duration such as "1.5s" or "207ms"',
        'containers.app.runs[1].exec.c[0].takes: must be a duration such as "1.5s" or "207ms"',
      ],
    ],
    [
      'an action that there is not',
      scenario({ actions: [{ at: '1s', do: 'restart' }] }),
      ['actions[0].do: must be "delete" or "update"'],
    ],
    [
      'an update without a pod',
      scenario({ actions: [{ at: '1s', do: 'update' }] }),
      ['actions[0].pod.spec.containers: must be given: a scenario is about a pod'],
    ],
    [
      'a member that there is not',
      scenario({ untill: '5s' }),
      ['untill: unknown field (did you mean "until"?)'],
    ],
    [
      'a probe over the network',
      scenario(podWith({ readinessProbe: probe })),
      ['pod.spec.containers[0].readinessProbe: must be an exec probe: a scenario scripts commands'],
    ],
    [
      'a probe over the network in an init container',
      scenario({
        pod: {
          spec: {
            containers: [{ name: 'app', image: 'a' }],
            initContainers: [
              { name: 'i', image: 'a', restartPolicy: 'Always', startupProbe: probe },
            ],
          },
        },
      }),
      [
        'pod.spec.initContainers[0].startupProbe: must be an exec probe: a scenario scripts commands',
      ],
    ],
    [
      'a hook over the network',
      scenario(podWith({ lifecycle: { preStop: { httpGet: { port: 80 } } } })),
      [
        'pod.spec.containers[0].lifecycle.preStop.httpGet: must be an exec hook or a sleep: a scenario scripts commands',
      ],
    ],
  ])('%s', (_, written, expected) => {
    expect(complaints(written)).toEqual(expected);
  });

  it('two scenarios of one name', () => {
    expect(complaints(scenario(), scenario())).toEqual(['name: there is another scenario "s"']);
  });
});
