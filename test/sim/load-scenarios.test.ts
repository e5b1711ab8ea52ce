import { describe, expect, it } from 'vitest';

import { loadScenarios } from '../../src/sim/load-scenarios.js';
import type { Scenario } from '../../src/sim/scenario.js';

/** A scenario named `s` with additional members. */
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
  it('gets defaults for omitted fields', () => {
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

  it('keeps the metadata of its pod', () => {
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

  it("gets the API server's defaults in its probes", () => {
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

  it('has durations in milliseconds', () => {
    const runs = [
      { exitAfter: '1.5s', stopTakes: '2m', exec: { c: [{ until: '3s', takes: '207ms' }] } },
    ];
    const loaded = first(scenario({ kubeletUp: '1m30s', containers: { app: { runs } } }));
    expect(loaded.kubeletUp).toBe(90_000);
    expect(loaded.containers['app']).toMatchObject([
      { exitAfter: 1500, stopTakes: 120_000, exec: { c: [{ until: 3000, takes: 207 }] } },
    ]);
  });

  it('gets defaults for runs and exec answers', () => {
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

  it('keeps the members of runs and answers', () => {
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

  it('treats a duration of 0 as the default, as the oracle does', () => {
    const runs = [
      { exitAfter: '0s', stopTakes: '0s', exec: { c: [{ takes: '0s', until: '0s' }] } },
    ];
    expect(first(scenario({ containers: { app: { runs } } })).containers['app']).toMatchObject([
      { exitAfter: 0, stopTakes: 11, exec: { c: [{ until: 0, takes: 7 }] } },
    ]);
  });

  it('has its actions, each with the updated pod under the old UID', () => {
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

  it('can script a container that is added by an update', () => {
    const spec = { containers: [{ name: 'late', image: 'app:1' }] };
    const { containers } = first(
      scenario({
        containers: { late: { runs: [{ exitAfter: '1s' }] } },
        actions: [{ at: '5s', do: 'update', pod: { spec } }],
      }),
    );
    expect(containers['late']).toMatchObject([{ exitAfter: 1000 }]);
  });
});

describe('a file', () => {
  it('can have one scenario or a list, in JSON or YAML', () => {
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

  it('that cannot be parsed is an error', () => {
    const { diagnostics } = loadScenarios([{ file: 'a.yaml', text: '{' }]);
    expect(diagnostics[0]).toMatchObject({ severity: 'error', file: 'a.yaml' });
  });

  it('that sets a field twice is an error with its line', () => {
    const text =
      'name: s\nuntil: 1s\nuntil: 2s\npod: {spec: {containers: [{name: a, image: a}]}}\n';
    const { diagnostics } = loadScenarios([{ file: 'a.yaml', text }]);
    expect(diagnostics).toMatchObject([
      { severity: 'error', line: 3, field: 'until', message: 'set twice' },
    ]);
  });
});

describe('an error is reported with its field for', () => {
  const probe = { tcpSocket: { port: 80 } };

  it.each<[string, object, string[]]>([
    ['no name', scenario({ name: undefined }), ['name: is required: it names the trace']],
    [
      'a name that is not a valid file name',
      scenario({ name: 'a/b' }),
      ['name: must be a valid file name: letters, digits, ".", "_" and "-"'],
    ],
    [
      'a name of dots',
      scenario({ name: '..' }),
      ['name: must be a valid file name: letters, digits, ".", "_" and "-"'],
    ],
    [
      'no pod',
      scenario({ pod: undefined }),
      ['pod.spec.containers: is required: a scenario is about a pod'],
    ],
    [
      'a pod without containers',
      scenario({ pod: { spec: {} } }),
      ['pod.spec.containers: is required: a scenario is about a pod'],
    ],
    [
      'a missing until',
      scenario({ until: undefined }),
      ['until: is required: a duration such as "90s"'],
    ],
    [
      'an until without a unit',
      scenario({ until: '60' }),
      ['until: must be a duration such as "1.5s" or "207ms" (add the unit: "60s")'],
    ],
    [
      'a negative until',
      scenario({ until: '-1s' }),
      ['until: must be a duration such as "1.5s" or "207ms"'],
    ],
    [
      'a container that is not in the pod',
      scenario({ containers: { ap: { runs: [] } } }),
      ['containers.ap: the pod has no container of this name (did you mean "app"?)'],
    ],
    [
      'a container with a name like no other',
      scenario({ containers: { database: { runs: [] } } }),
      ['containers.database: the pod has no container of this name'],
    ],
    [
      'invalid durations of a run',
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
      'an unknown action',
      scenario({ actions: [{ at: '1s', do: 'restart' }] }),
      ['actions[0].do: must be "delete" or "update"'],
    ],
    [
      'an update without a pod',
      scenario({ actions: [{ at: '1s', do: 'update' }] }),
      ['actions[0].pod.spec.containers: is required: a scenario is about a pod'],
    ],
    [
      'an unknown field',
      scenario({ untill: '5s' }),
      ['untill: unknown field (did you mean "until"?)'],
    ],
    [
      'an answer for a path that no probe uses',
      scenario({
        ...podWith({ readinessProbe: { httpGet: { path: '/ready', port: 80 } } }),
        containers: { app: { runs: [{ http: { '/raedy': [{}] }, tcp: { '80': [{}] } }] } },
      }),
      [
        'containers.app.runs[0].http./raedy: no probe or hook of app uses this http endpoint (they use :80/ready)',
        'containers.app.runs[0].tcp.80: no probe or hook of app uses this tcp endpoint',
      ],
    ],
    [
      'an unknown gRPC health status',
      scenario({
        ...podWith({ livenessProbe: { grpc: { port: 9000 } } }),
        containers: { app: { runs: [{ grpc: { '9000': [{ status: 'SERVNG' }] } }] } },
      }),
      [
        'containers.app.runs[0].grpc.9000[0].status: must be one of SERVING, NOT_SERVING, UNKNOWN, SERVICE_UNKNOWN (did you mean "SERVING"?)',
      ],
    ],
    [
      'invalid amounts',
      scenario({
        containers: {
          app: { readyAfter: 'soon', hangsAt: ['5s'], latency: '1s±', failRate: '200%' },
        },
      }),
      [
        'containers.app.readyAfter: must be a duration such as "200ms", "200ms±50ms" (or +-) or "100ms..300ms"',
        'containers.app.hangsAt[0]: must be a window such as "60s..90s", or "60s.." without an end',
        'containers.app.latency: must be a duration such as "200ms", "200ms±50ms" (or +-) or "100ms..300ms"',
        'containers.app.failRate: must be a share such as "2%" or "0.02"',
      ],
    ],
    [
      'a probe that the container does not have',
      scenario({ containers: { app: { probes: { readiness: { latency: '1s' } } } } }),
      ['containers.app.probes.readiness: app has no such probe'],
    ],
    [
      'two probes with the same endpoint and different answers',
      scenario({
        ...podWith({ readinessProbe: probe, livenessProbe: probe }),
        containers: {
          app: { probes: { readiness: { failRate: '1%' }, liveness: { failRate: '2%' } } },
        },
      }),
      [
        'containers.app.probes.liveness: uses the same endpoint as the readiness probe and gets the same answers (set it for one of the two)',
      ],
    ],
  ])('%s', (_, written, expected) => {
    expect(complaints(written)).toEqual(expected);
  });

  it('two scenarios with the same name', () => {
    expect(complaints(scenario(), scenario())).toEqual(['name: there is another scenario "s"']);
  });
});

describe('the network answers of a container', () => {
  const readinessProbe = { httpGet: { path: '/ready', port: 'web' } };
  const livenessProbe = { tcpSocket: { port: 'web' } };
  const startupProbe = { grpc: { port: 9000, service: 'shop' } };
  const ports = [{ name: 'web', containerPort: 8080 }];
  const runOf = (container: object) =>
    first(
      scenario({
        ...podWith({ ports, startupProbe, readinessProbe, livenessProbe }),
        containers: { app: container },
      }),
    ).containers['app']?.[0];

  it.each(['/ready', ':8080/ready', '8080/ready'])('can be set for the path %s', (path) => {
    const answers = [
      { until: '3s', status: 503 },
      { takes: '1s', body: 'fine' },
    ];
    expect(runOf({ runs: [{ http: { [path]: answers } }] })?.network).toEqual({
      'http :8080/ready': [
        { until: 3000, takes: 2, response: { kind: 'http', status: 503, body: '' } },
        { takes: 1000, response: { kind: 'http', status: 200, body: 'fine' } },
      ],
    });
  });

  it('can be set for a port and for a health service', () => {
    const tcp = { '8080': [{ refused: true }] };
    const grpc = { '9000/shop': [{ status: 'NOT_SERVING' }, {}] };
    expect(runOf({ runs: [{ tcp, grpc }] })?.network).toEqual({
      'tcp :8080': [{ takes: 2, response: { kind: 'closed' } }],
      'grpc :9000/shop': [
        { takes: 2, response: { kind: 'grpc', status: 'NOT_SERVING' } },
        { takes: 2, response: { kind: 'grpc', status: 'SERVING' } },
      ],
    });
  });

  it('can be set for the container and overridden for a probe', () => {
    const said = { readyAfter: '20s±5s', hangsAt: ['1m..2m'], failRate: '1%', latency: '50ms' };
    const probes = { readiness: { latency: '1s', readyAfter: '30s' } };
    const closedUntil = { from: 15_000, to: 25_000 };
    const hangsAt = [{ from: 60_000, to: 120_000 }];
    expect(runOf({ ...said, probes })?.behaviors).toEqual({
      'grpc :9000/shop': { closedUntil, hangsAt, failRate: 0.01, latency: { from: 50, to: 50 } },
      'http :8080/ready': {
        closedUntil,
        notReadyUntil: { from: 30_000, to: 30_000 },
        hangsAt,
        failRate: 0.01,
        latency: { from: 1000, to: 1000 },
      },
      // The kernel accepts connections.
      'tcp :8080': { closedUntil, failRate: 0.01 },
    });
  });

  it('can be set for the container and overridden for a run', () => {
    const runs = [{ failRate: '5%' }, { exitAfter: '5m±1m' }];
    const [one, other] =
      first(
        scenario({
          ...podWith({ ports, livenessProbe }),
          containers: { app: { readyAfter: '1s', runs } },
        }),
      ).containers['app'] ?? [];
    const closedUntil = { from: 1000, to: 1000 };
    expect(one?.behaviors).toEqual({ 'tcp :8080': { closedUntil, failRate: 0.05 } });
    expect(other).toMatchObject({
      behaviors: { 'tcp :8080': { closedUntil } },
      exitAfter: 300_000,
      exitVaries: 60_000,
    });
  });
});

describe('a scenario without a pod', () => {
  it('uses the given pod', () => {
    const text = 'containers: {app: {readyAfter: 5s}}\n';
    const pod = first(scenario(podWith({ livenessProbe: { tcpSocket: { port: 1 } } }))).pod;
    const { scenarios, diagnostics } = loadScenarios([{ file: 'a.yaml', text }], pod);
    expect(diagnostics).toEqual([]);
    expect(scenarios).toMatchObject([{ name: 'pod', until: 600_000, pod }]);
  });
});
