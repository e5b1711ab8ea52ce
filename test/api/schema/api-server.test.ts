import { describe, expect, it } from 'vitest';

import type { ApiServer } from '../../../src/api/admission/index.js';
import { isEnabled, SERVER_GATES } from '../../../src/api/schema/api-server.js';
import { gatesOf } from '../../../src/cli/shared/kubelet/feature-gates.js';
import { KUBERNETES_RELEASES } from '../../../src/kubelet/release.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';

const H2C = { version: '1.37', featureGates: { H2CContainerProbe: true } };
const TLS = { version: '1.37', featureGates: { GRPCContainerProbeTLS: true } };
const SIGNALS = { version: '1.36', featureGates: { ContainerStopSignals: true } };

function load(
  container: object,
  server?: ApiServer,
  os: object | undefined = { name: 'linux' },
  spec: object = {},
) {
  const app = { name: 'app', image: 'app:1', ...container };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
  const text = JSON.stringify({ ...pod, spec: { os, containers: [app], ...spec } });
  const { pods, diagnostics } = loadManifest([{ file: 'a.json', text }], { server });
  return {
    container: pods[0]?.pod.spec.containers[0],
    told: diagnostics.map(
      ({ severity, message, hint = '' }) => `${severity}: ${message} (${hint})`,
    ),
  };
}

const httpGet = (fields: object): object => ({
  readinessProbe: { httpGet: { port: 80, ...fields } },
});
const grpc = (fields: object): object => ({ readinessProbe: { grpc: { port: 80, ...fields } } });

describe('a field of a later release', () => {
  it.each([
    [httpGet({ protocol: 'HTTP2' }), undefined],
    [httpGet({ protocol: 'HTTP2' }), { version: '1.32' }],
    [grpc({ mode: 'TLS' }), { version: '1.36' }],
  ])('is unknown: %j for %j', (container, server) => {
    const hint = 'Kubernetes 1.37 brings it: --kubernetes-version 1.37';
    expect(load(container, server).told).toEqual([`error: unknown field (${hint})`]);
  });
});

describe('a field whose feature gate is off', () => {
  it.each([
    [httpGet({ protocol: 'HTTP2' }), '1.37', 'H2CContainerProbe'],
    [grpc({ mode: 'TLS' }), '1.37', 'GRPCContainerProbeTLS'],
    [{ restartPolicyRules: [] }, '1.34', 'ContainerRestartRules'],
    [{ resizePolicy: [] }, '1.32', 'InPlacePodVerticalScaling'],
    [{ lifecycle: { stopSignal: 'SIGUSR1' } }, '1.36', 'ContainerStopSignals'],
  ])('is dropped with a warning: %j in %s', (container, version, gate) => {
    const { container: dropped, told } = load(container, { version });
    const { container: plain } = load({ readinessProbe: undefined, ...probeOnly(container) });
    expect(dropped).toEqual(plain);
    const message = `the API server drops it: the feature gate ${gate} is off`;
    expect(told).toEqual([`warning: ${message} (--feature-gates ${gate}=true)`]);
  });

  it.each([
    [{ resources: { limits: { foo: '1' } } }, '1.33', 'PodLevelResources'],
    [{ hostUsers: false, hostPID: true }, '1.32', 'UserNamespacesSupport'],
    [{ securityContext: { seLinuxChangePolicy: 'No' } }, '1.32', 'SELinuxChangePolicy'],
    [{ securityContext: { supplementalGroupsPolicy: 'No' } }, '1.32', 'SupplementalGroupsPolicy'],
  ])('is not validated: %j of a pod in %s', (spec, version, gate) => {
    const { told } = load({}, { version }, undefined, spec);
    expect(told).toEqual([expect.stringMatching(`^warning: .* gate ${gate} is off`)]);
    expect(load({}, { version: '1.36' }, undefined, spec).told).toEqual([
      expect.stringMatching('^error: '),
    ]);
  });

  /** The container without the field. */
  function probeOnly(container: object): object {
    if ('readinessProbe' in container) {
      const [kind = ''] = Object.keys(container.readinessProbe as object);
      return { readinessProbe: { [kind]: { port: 80 } } };
    }
    return {};
  }
});

it.each([
  ['1.34', 'characters'],
  ['1.35', 'bytes'],
])('the limit of a label is said in %s to be of %s', (version, unit) => {
  const metadata = { name: 'web', labels: { app: 'x'.repeat(64) } };
  const spec = { containers: [{ name: 'app', image: 'app:1' }] };
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const { diagnostics } = loadManifest([{ file: 'a.json', text }], { server: { version } });
  expect(diagnostics[0]?.message).toMatch(new RegExp(`: must be no more than 63 ${unit}$`));
});

describe('a field whose feature gate is on', () => {
  it.each([
    [httpGet({}), H2C, 'HTTP1'],
    [httpGet({ protocol: 'HTTP2' }), H2C, 'HTTP2'],
    [{ lifecycle: { preStop: { httpGet: { port: 80 } } } }, H2C, 'HTTP1'],
    [httpGet({}), { version: '1.37' }, undefined],
  ])('protocol of %j with %j is %s', (container, server, protocol) => {
    const { readinessProbe, lifecycle } = load(container, server).container ?? {};
    const handler = readinessProbe ?? lifecycle?.preStop;
    expect(handler?.httpGet?.protocol).toBe(protocol);
  });

  it('mode has no default', () => {
    expect(load(grpc({}), TLS).container?.readinessProbe?.grpc).toEqual({ port: 80, service: '' });
    expect(load(grpc({ mode: 'TLS' }), TLS).container?.readinessProbe?.grpc?.mode).toBe('TLS');
  });

  it('stopSignal stays', () => {
    const lifecycle = { stopSignal: 'SIGUSR1' };
    expect(load({ lifecycle }, SIGNALS).container?.lifecycle).toEqual(lifecycle);
  });

  it.each([
    ['SIGUSR1', 'linux', undefined],
    ['SIGRTMIN+15', 'linux', undefined],
    ['SIGRTMAX-14', 'linux', undefined],
    ['SIGUSR1', '', 'Forbidden: may not be set for containers with empty `spec.os.name`'],
    ['SIGINT', 'windows', 'Unsupported value: "SIGINT": supported values: "SIGKILL", "SIGTERM"'],
    [
      'USR1',
      'linux',
      'Unsupported value: "USR1": supported values: "SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX", "SIGRTMAX-1", "SIGRTMAX-10", "SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13", "SIGRTMAX-14", "SIGRTMAX-2",',
    ],
  ])('stopSignal %s with os.name "%s": %s', (stopSignal, name, message) => {
    const os = name === '' ? null : { name };
    const [told = ''] = load({ lifecycle: { stopSignal } }, SIGNALS, os as object).told;
    if (message === undefined) expect(told).toBe('');
    else expect(told).toContain(`error: ${message}`);
  });

  it.each([
    [
      httpGet({ protocol: 'HTTP3' }),
      H2C,
      'Unsupported value: "HTTP3": supported values: "HTTP1", "HTTP2"',
    ],
    [
      httpGet({ protocol: 'HTTP2', scheme: 'HTTPS' }),
      H2C,
      'Invalid value: "HTTP2": is only supported with HTTP (H2C)',
    ],
    [
      httpGet({ protocol: 'HTTP2', host: 'h' }),
      H2C,
      'Invalid value: "h": must be empty when `protocol` is "HTTP2"',
    ],
    [grpc({ mode: 'tls' }), TLS, 'Unsupported value: "tls": supported values: "Plaintext", "TLS"'],
  ])('is validated: %j', (container, server, message) => {
    expect(load(container, server).told[0]).toContain(`error: ${message}`);
  });
});

describe('a server validates as its release does', () => {
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
  const all = [{ ...rules[0], action: 'RestartAllContainers' }];
  const sleep = { lifecycle: { preStop: { sleep: { seconds: 0 } } } };
  const resized = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const notRequired = `Invalid value: "RestartContainer": must be 'NotRequired' when`;
  const noSource = { env: [{ name: 'A', valueFrom: {} }] };
  const oneOf =
    'Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`';
  const limit = 'less than terminationGracePeriodSeconds (30)';
  it.each([
    [{ restartPolicy: 'Always' }, '1.33', 'Forbidden: may not be set for non-init containers'],
    [noSource, '1.34', `${oneOf} or \`secretKeyRef\``],
    [noSource, '1.35', `${oneOf}, \`secretKeyRef\` or \`fileKeyRef\``],
    [{ restartPolicy: 'Always' }, '1.35', undefined],
    [{ restartPolicy: 'Never', restartPolicyRules: rules }, '1.35', undefined],
    [
      { restartPolicy: 'Never', restartPolicyRules: all },
      '1.35',
      'Unsupported value: "RestartAllContainers": supported values: "Restart"',
    ],
    [{ restartPolicy: 'Never', restartPolicyRules: all }, '1.36', undefined],
    [
      { restartPolicy: 'Never', restartPolicyRules: Array(21).fill(rules[0]) },
      '1.35',
      'Too long: may not be more than 20 bytes',
    ],
    [
      { restartPolicy: 'Never', restartPolicyRules: Array(21).fill(rules[0]) },
      '1.36',
      'Too many: 21: must have at most 20 items',
    ],
    [{ resizePolicy: resized }, '1.35', `${notRequired} \`restartPolicy\` is 'Never'`],
    [{ resizePolicy: resized }, '1.36', `${notRequired} pod \`restartPolicy\` is 'Never'`],
    [
      sleep,
      '1.32',
      `Invalid value: 0: must be greater than 0 and ${limit}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`,
    ],
    [sleep, '1.33', undefined],
  ])('%j in %s: %s', (container, version, message) => {
    const spec = 'resizePolicy' in container ? { restartPolicy: 'Never' } : {};
    const [told] = load(container, { version }, undefined, spec).told;
    if (message === undefined) expect(told).toBeUndefined();
    else expect(told).toContain(`error: ${message}`);
  });

  it('and its gates: 1.32 with zero sleeps allowed', () => {
    const featureGates = { PodLifecycleSleepActionAllowZero: true };
    expect(load(sleep, { version: '1.32', featureGates }).told).toEqual([]);
  });
});

describe('a feature gate that decides for the API server', () => {
  it.each(SERVER_GATES)('%s is on by default in the releases of known-gates.ts', (gate) => {
    let before = '';
    for (const version of KUBERNETES_RELEASES) {
      const sign = gatesOf(version).get(gate) ?? '.';
      // A release that no longer has a gate that was locked does what it stood for.
      const isOn = /[+T]/.test(sign) || (sign === '.' && before === 'T');
      expect([version, isEnabled(gate, { version })]).toEqual([version, isOn]);
      before = sign;
    }
  });
});

describe('the resources of a pod', () => {
  const limits = { cpu: '2', memory: '64Mi' };
  const wanted = { resources: { requests: { 'ephemeral-storage': '1Gi' } } };
  const huge = { resources: { limits: { 'hugepages-2Mi': '4Mi', cpu: '1', memory: '8Mi' } } };
  const detail = 'must be greater than or equal to aggregate container';
  const small = { ...limits, 'hugepages-2Mi': '2Mi' };
  it.each([
    ['1.32', wanted, { limits }, [`Invalid value: "0": ${detail} requests of 1Gi`]],
    ['1.34', wanted, { limits }, []],
    [
      '1.33',
      {},
      { limits, claims: [] },
      ['Forbidden: claims cannot be set for Resources at pod-level'],
    ],
    [
      '1.36',
      {},
      { limits, claims: [] },
      ['Forbidden: claims may not be set for Resources at pod-level'],
    ],
    [
      '1.32',
      {},
      { limits: small },
      ['Unsupported value: "hugepages-2Mi": supported values: "cpu", "memory"'],
    ],
    ['1.33', huge, { limits }, ['Limit must be set for non overcommitable resources']],
    ['1.34', huge, { limits }, []],
    ['1.32', huge, { limits }, [`Invalid value: "0": ${detail} requests of 4Mi`]],
    [
      '1.36',
      huge,
      { limits: small, requests: { 'hugepages-2Mi': '2Mi' } },
      [
        `Invalid value: "2Mi": ${detail} requests of 4Mi`,
        `Invalid value: "2Mi": ${detail} limits of 4Mi`,
      ],
    ],
  ])('are validated as %s does: %j in %j', (version, container, resources, expected) => {
    const server = { version, featureGates: { PodLevelResources: true } };
    const { told } = load(container, server, undefined, { resources });
    const errors = told.map((each) => each.replace(/^error: (.*) \(.*\)$/, '$1'));
    for (const each of expected) expect(errors).toContainEqual(expect.stringContaining(each));
    if (expected.length === 0) expect(errors).toEqual([]);
  });
});

it.each([
  ['1.33', 'Forbidden: when `pod.Spec.HostUsers` is false'],
  ['1.34', 'Forbidden: when `hostUsers` is false'],
])('%s says of hostUsers: %s', (version, message) => {
  const { told } = load({}, { version }, undefined, { hostUsers: false, hostPID: true });
  expect(told).toContain(`error: ${message} ()`);
});

it.each([
  ['1.35', 0],
  ['1.36', 1],
])('%s refuses a resizePolicy that restarts an init container: %i', (version, count) => {
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const initContainers = [{ name: 'init', image: 'init:1', resizePolicy }];
  const { told } = load({}, { version }, undefined, { initContainers });
  const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  expect(told.filter((each) => each.includes(detail))).toHaveLength(count);
  expect(told).toHaveLength(count);
});

it.each([
  ['1.34', []],
  ['1.35', ['error: Required value: must specify restartPolicy when restart rules are used ()']],
])('%s says of rules of an init container without restartPolicy: %j', (version, messages) => {
  const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
  const initContainers = [{ name: 'init', image: 'init:1', restartPolicyRules }];
  const server = { version, featureGates: { ContainerRestartRules: true } };
  expect(load({}, server, undefined, { initContainers }).told).toEqual(messages);
});

const toleration = (operator: string, value: string): object => ({
  tolerations: [{ key: 'a', operator, value }],
});
const shared = { hostPID: true, shareProcessNamespace: true };

it.each<[object, string, string | undefined, readonly string[]]>([
  [{ securityContext: { seLinuxChangePolicy: 'MountOption' } }, '1.37', undefined, []],
  [
    { securityContext: { seLinuxChangePolicy: 'MountOption' } },
    '1.36',
    undefined,
    ['spec.securityContext.seLinuxChangePolicy'],
  ],
  [shared, '1.36', undefined, ['spec.securityContext.shareProcessNamespace']],
  [shared, '1.37', undefined, ['spec.shareProcessNamespace']],
  [{ hostUsers: false, hostNetwork: true }, '1.36', undefined, ['spec.hostNetwork']],
  [{ hostUsers: false, hostNetwork: true }, '1.36', 'UserNamespacesHostNetworkSupport', []],
  [toleration('Lt', '1'), '1.36', undefined, ['spec.tolerations[0].operator']],
  [toleration('Lt', '-1'), '1.36', 'TaintTolerationComparisonOperators', []],
  [
    toleration('Gt', '01'),
    '1.36',
    'TaintTolerationComparisonOperators',
    ['spec.tolerations[0].value'],
  ],
  [
    toleration('Gt', 'x'),
    '1.36',
    'TaintTolerationComparisonOperators',
    ['spec.tolerations[0].value', 'spec.tolerations[0].value'],
  ],
])('refuses of %j in %s with the gate %s: %j', (spec, version, gate, fields) => {
  const featureGates = gate === undefined ? {} : { [gate]: true };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
  const containers = [{ name: 'app', image: 'app:1' }];
  const text = JSON.stringify({ ...pod, spec: { containers, ...spec } });
  const server = { version, featureGates };
  const { diagnostics } = loadManifest([{ file: 'a.json', text }], { server });
  expect(diagnostics.map(({ field }) => field)).toEqual(fields);
});

it.each([
  ['1.36', 0],
  ['1.37', 1],
])('%s refuses a template with an image volume without its reference: %i', (version, count) => {
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'app', image: 'a:1' }], volumes: [{ name: 'v', image: {} }] };
  const template = { metadata: { labels }, spec };
  const text = JSON.stringify({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    spec: { selector: { matchLabels: labels }, template },
  });
  const { diagnostics } = loadManifest([{ file: 'a.json', text }], { server: { version } });
  expect(diagnostics).toHaveLength(count);
});
