import { describe, expect, it } from 'vitest';

import { appliedTo, manifestOf } from '../../../src/commands/diff/apply.js';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function pod(spec: object, metadata: object = {}): Readonly<Record<string, unknown>> {
  return { kind: 'Pod', metadata: { name: 'web', namespace: 'shop', ...metadata }, spec };
}

/** A pod whose last applied manifest had this spec. */
function applied(live: object, declared: object): Readonly<Record<string, unknown>> {
  return pod(live, { annotations: { [LAST_APPLIED]: JSON.stringify(pod(declared)) } });
}

function specOf(object: Readonly<Record<string, unknown>>): unknown {
  return object['spec'];
}

describe('manifestOf', () => {
  const live = pod({});
  const of = (text: string) => manifestOf(live, [{ file: 'web.yaml', text }]);

  it('finds the object of the same kind and name, in its namespace when it names none', () => {
    const text = 'kind: Service\napiVersion: v1\nmetadata: {name: web}\n---\n';
    const found = of(`${text}kind: Pod\napiVersion: v1\nmetadata: {name: web}\n`);
    expect(found).toMatchObject({ kind: 'Pod', metadata: { name: 'web', namespace: 'shop' } });
  });

  it.each(['{name: other}', '{name: web, namespace: other}'])('does not take %s', (metadata) => {
    expect(of(`kind: Pod\napiVersion: v1\nmetadata: ${metadata}\n`)).toBeUndefined();
  });
});

describe('appliedTo', () => {
  it('keeps what the server and others set', () => {
    const live = applied(
      { nodeName: 'a', containers: [{ name: 'app', image: 'a:1', imagePullPolicy: 'Always' }] },
      { containers: [{ name: 'app', image: 'a:1' }] },
    );
    const manifest = pod({ containers: [{ name: 'app', image: 'a:2' }] });
    expect(specOf(appliedTo(live, manifest))).toEqual({
      nodeName: 'a',
      containers: [{ name: 'app', image: 'a:2', imagePullPolicy: 'Always' }],
    });
  });

  it('removes what the last apply declared and the manifest leaves out', () => {
    const probe = { httpGet: { port: 80 } };
    const live = applied(
      { containers: [{ name: 'app', livenessProbe: probe }, { name: 'log' }, { name: 'mesh' }] },
      { containers: [{ name: 'app', livenessProbe: probe }, { name: 'log' }] },
    );
    const manifest = pod({ containers: [{ name: 'app' }] });
    expect(specOf(appliedTo(live, manifest))).toEqual({
      containers: [{ name: 'app' }, { name: 'mesh' }],
    });
  });

  it('keeps a field that somebody added and the last apply did not declare', () => {
    const live = applied({ paused: true, replicas: 3 }, { replicas: 3 });
    expect(specOf(appliedTo(live, pod({ replicas: 2 })))).toEqual({ paused: true, replicas: 2 });
  });

  it('tells ports apart by number and protocol, and replaces other lists whole', () => {
    const live = applied(
      {
        containers: [
          {
            name: 'app',
            args: ['a', 'b'],
            ports: [{ containerPort: 80, protocol: 'TCP', hostPort: 1 }],
          },
        ],
      }, //
      {},
    );
    const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }];
    const manifest = pod({ containers: [{ name: 'app', args: ['c'], ports }] });
    expect(specOf(appliedTo(live, manifest))).toEqual({
      containers: [
        {
          name: 'app',
          args: ['c'],
          ports: [{ containerPort: 80, protocol: 'TCP', hostPort: 1 }, ports[1]],
        },
      ],
    });
  });

  it('takes what a server-side apply owns alone for declared when kubectl noted nothing', () => {
    const fieldsV1 = {
      'f:spec': {
        'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:name': {}, 'f:livenessProbe': {} } },
      },
    };
    const managedFields = [
      { manager: 'helm', operation: 'Apply', fieldsV1 },
      { manager: 'edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
      { manager: 'kube-controller-manager', fieldsV1: { 'f:spec': { 'f:nodeName': {} } } },
      { manager: 'hpa', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ];
    const containers = [{ name: 'app', livenessProbe: {}, readinessProbe: {} }];
    const live = pod({ nodeName: 'a', replicas: 4, paused: true, containers }, { managedFields });
    const manifest = pod({ containers: [{ name: 'app' }] });
    expect(specOf(appliedTo(live, manifest))).toEqual({
      nodeName: 'a',
      replicas: 4,
      paused: true,
      containers: [{ name: 'app', readinessProbe: {} }],
    });
  });

  it('keeps what no apply declared when kubectl noted nothing', () => {
    const fieldsV1 = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } };
    const managedFields = [{ manager: 'kubectl-create', operation: 'Update', fieldsV1 }];
    const live = pod({ replicas: 4, paused: true }, { managedFields });
    expect(specOf(appliedTo(live, pod({ replicas: 2 })))).toEqual({ replicas: 2, paused: true });
  });

  it('keeps what another manager owns of what a server-side apply declared', () => {
    const probes = (...names: readonly string[]): object => ({
      'f:spec': {
        'f:containers': {
          'k:{"name":"app"}': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
        },
      },
    });
    const managedFields = [
      { manager: 'kubectl', operation: 'Apply', fieldsV1: probes('livenessProbe', 'startupProbe') },
      { manager: 'kubectl-edit', operation: 'Update', fieldsV1: probes('startupProbe') },
    ];
    const containers = [{ name: 'app', livenessProbe: {}, startupProbe: {} }];
    const live = pod({ nodeName: 'a', containers }, { managedFields });
    expect(specOf(appliedTo(live, pod({})))).toEqual({
      nodeName: 'a',
      containers: [{ name: 'app', startupProbe: {} }],
    });
  });

  it('replaces a strategy, and removes what is null', () => {
    const live = applied({ strategy: { type: 'RollingUpdate', rollingUpdate: {} }, a: 1 }, {});
    const manifest = pod({ strategy: { type: 'Recreate' }, a: null });
    expect(specOf(appliedTo(live, manifest))).toEqual({ strategy: { type: 'Recreate' } });
  });
});
