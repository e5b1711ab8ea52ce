import { expect, test } from 'vitest';

import type {
  ConfigMap,
  Container,
  EnvVar,
  EnvVarSource,
  Pod,
  Secret,
} from '../../../src/api/index.js';
import { makeEnvironmentVariables } from '../../../src/runtime/environment/environment-variables.js';

/** The service variables that getServiceEnvVarMap makes in the Go test. */
function service(name: string, host: string, port: number): Record<string, string> {
  return {
    [`${name}_SERVICE_HOST`]: host,
    [`${name}_SERVICE_PORT`]: `${port}`,
    [`${name}_PORT`]: `tcp://${host}:${port}`,
    [`${name}_PORT_${port}_TCP`]: `tcp://${host}:${port}`,
    [`${name}_PORT_${port}_TCP_PROTO`]: 'tcp',
    [`${name}_PORT_${port}_TCP_PORT`]: `${port}`,
    [`${name}_PORT_${port}_TCP_ADDR`]: host,
  };
}

const KUBERNETES = service('KUBERNETES', '1.2.3.1', 8081);
const TEST_SERVICE = service('TEST', '1.2.3.3', 8083);
const HOST_IP = '127.0.0.1';
const HOST_IPV6 = '::1';

interface Case {
  readonly container: Partial<Container>;
  readonly serviceEnv?: Record<string, string>;
  readonly configMap?: Record<string, string>;
  readonly secret?: Record<string, string>;
  readonly podIPs?: readonly string[];
  readonly hostIPs?: readonly string[];
  readonly pod?: { metadata?: Partial<Pod['metadata']>; spec?: Partial<Pod['spec']> };
}

function environmentOf({ podIPs = [], serviceEnv = {}, ...about }: Case): unknown {
  const container = { name: 'app', image: 'app', ...about.container };
  const pod: Pod = {
    metadata: {
      name: 'dapi-test-pod-name',
      namespace: 'test1',
      uid: 'uid',
      ...about.pod?.metadata,
    },
    spec: {
      containers: [container],
      restartPolicy: 'Always',
      serviceAccountName: 'special',
      nodeName: 'node-name',
      ...about.pod?.spec,
    },
    status: {},
  };
  const named = { namespace: 'test1' };
  const configMaps: ConfigMap[] =
    about.configMap === undefined
      ? []
      : [{ ...named, name: 'test-config-map', data: about.configMap, binaryData: {} }];
  const secrets: Secret[] =
    about.secret === undefined ? [] : [{ ...named, name: 'test-secret', data: about.secret }];
  const result = makeEnvironmentVariables({
    pod,
    container,
    podIPs,
    serviceEnv,
    node: {
      name: '',
      hostIPs: about.hostIPs ?? [HOST_IP, HOST_IPV6],
      allocatable: { cpu: '8', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' },
    },
    config: { configMaps, secrets },
  });
  return result.ok ? Object.fromEntries(result.value) : result.error;
}

function from(name: string, valueFrom: EnvVarSource): EnvVar {
  return { name, valueFrom };
}

function field(name: string, fieldPath: string): EnvVar {
  return from(name, { fieldRef: { apiVersion: 'v1', fieldPath } });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const IP_FIELDS = [
  field('POD_IP', 'status.podIP'),
  field('POD_IPS', 'status.podIPs'),
  field('HOST_IP', 'status.hostIP'),
  field('HOST_IPS', 'status.hostIPs'),
];
const HOST_VALUES = { HOST_IP, HOST_IPS: `${HOST_IP},${HOST_IPV6}` };

const EXPANSION: readonly EnvVar[] = [
  { name: 'TEST_LITERAL', value: 'test-test-test' },
  field('POD_NAME', 'metadata.name'),
  { name: 'OUT_OF_ORDER_TEST', value: '$(OUT_OF_ORDER_TARGET)' },
  { name: 'OUT_OF_ORDER_TARGET', value: 'FOO' },
  { name: 'EMPTY_VAR' },
  { name: 'EMPTY_TEST', value: 'foo-$(EMPTY_VAR)' },
  { name: 'POD_NAME_TEST2', value: 'test2-$(POD_NAME)' },
  { name: 'POD_NAME_TEST3', value: '$(POD_NAME_TEST2)-3' },
  { name: 'LITERAL_TEST', value: 'literal-$(TEST_LITERAL)' },
  { name: 'TEST_UNDEFINED', value: '$(UNDEFINED_VAR)' },
];
const EXPANDED = {
  TEST_LITERAL: 'test-test-test',
  POD_NAME: 'dapi-test-pod-name',
  POD_NAME_TEST2: 'test2-dapi-test-pod-name',
  POD_NAME_TEST3: 'test2-dapi-test-pod-name-3',
  LITERAL_TEST: 'literal-test-test-test',
  OUT_OF_ORDER_TEST: '$(OUT_OF_ORDER_TARGET)',
  OUT_OF_ORDER_TARGET: 'FOO',
  TEST_UNDEFINED: '$(UNDEFINED_VAR)',
  EMPTY_VAR: '',
  EMPTY_TEST: 'foo-',
};

const CONFIG_MAP = { REPLACE_ME: 'FROM_CONFIG_MAP', DUPE_TEST: 'CONFIG_MAP' };
const SECRET = { REPLACE_ME: base64('FROM_SECRET'), DUPE_TEST: base64('SECRET') };
const OVER_FROM: readonly EnvVar[] = [
  { name: 'TEST_LITERAL', value: 'test-test-test' },
  { name: 'EXPANSION_TEST', value: '$(REPLACE_ME)' },
  { name: 'DUPE_TEST', value: 'ENV_VAR' },
];
const configMapFrom = (prefix: string): Partial<Container> => ({
  envFrom: [
    { configMapRef: { name: 'test-config-map' } },
    { prefix, configMapRef: { name: 'test-config-map' } },
  ],
  env: OVER_FROM,
});

/** TestMakeEnvironmentVariables (pkg/kubelet/kubelet_pods_test.go) without the rows about the selection of services. */
test.each<[string, Case, Record<string, string> | string]>([
  [
    'service variables, one of them overridden',
    {
      container: {
        env: [
          { name: 'FOO', value: 'BAR' },
          { name: 'TEST_PORT', value: 'mine' },
        ],
      },
      serviceEnv: { ...KUBERNETES, ...TEST_SERVICE },
    },
    { ...KUBERNETES, ...TEST_SERVICE, FOO: 'BAR', TEST_PORT: 'mine' },
  ],
  [
    'downward api pod',
    {
      container: {
        env: [
          field('POD_NAME', 'metadata.name'),
          field('POD_NAMESPACE', 'metadata.namespace'),
          field('POD_NODE_NAME', 'spec.nodeName'),
          field('POD_SERVICE_ACCOUNT_NAME', 'spec.serviceAccountName'),
          ...IP_FIELDS,
        ],
      },
      podIPs: ['1.2.3.4', 'fd00::6'],
    },
    {
      POD_NAME: 'dapi-test-pod-name',
      POD_NAMESPACE: 'test1',
      POD_NODE_NAME: 'node-name',
      POD_SERVICE_ACCOUNT_NAME: 'special',
      POD_IP: '1.2.3.4',
      POD_IPS: '1.2.3.4,fd00::6',
      ...HOST_VALUES,
    },
  ],
  [
    'downward api pod ips reverse order',
    { container: { env: IP_FIELDS }, podIPs: ['fd00::6', '1.2.3.4'] },
    { POD_IP: '1.2.3.4', POD_IPS: '1.2.3.4,fd00::6', ...HOST_VALUES },
  ],
  [
    'downward api pod ips multiple ips',
    { container: { env: IP_FIELDS }, podIPs: ['1.2.3.4', '192.168.1.1.', 'fd00::6'] },
    { POD_IP: '1.2.3.4', POD_IPS: '1.2.3.4,fd00::6', ...HOST_VALUES },
  ],
  [
    'env expansion',
    { container: { env: EXPANSION }, serviceEnv: KUBERNETES },
    { ...EXPANDED, ...KUBERNETES },
  ],
  [
    'env expansion, service env vars',
    {
      container: {
        env: [
          ...EXPANSION,
          { name: 'SERVICE_VAR_TEST', value: '$(TEST_SERVICE_HOST):$(TEST_SERVICE_PORT)' },
        ],
      },
      serviceEnv: { ...TEST_SERVICE, ...KUBERNETES },
    },
    { ...EXPANDED, ...TEST_SERVICE, ...KUBERNETES, SERVICE_VAR_TEST: '1.2.3.3:8083' },
  ],
  [
    'configmapkeyref_missing_optional',
    {
      container: {
        env: [
          from('POD_NAME', {
            configMapKeyRef: { name: 'missing-config-map', key: 'key', optional: true },
          }),
        ],
      },
      serviceEnv: KUBERNETES,
    },
    KUBERNETES,
  ],
  [
    'configmapkeyref_missing_key_optional',
    {
      container: {
        env: [
          from('POD_NAME', {
            configMapKeyRef: { name: 'test-config-map', key: 'key', optional: true },
          }),
        ],
      },
      configMap: { a: 'b' },
    },
    {},
  ],
  [
    'secretkeyref_missing_optional',
    {
      container: {
        env: [
          from('POD_NAME', {
            secretKeyRef: { name: 'missing-secret', key: 'key', optional: true },
          }),
        ],
      },
      serviceEnv: KUBERNETES,
    },
    KUBERNETES,
  ],
  [
    'secretkeyref_missing_key_optional',
    {
      container: {
        env: [
          from('POD_NAME', { secretKeyRef: { name: 'test-secret', key: 'key', optional: true } }),
        ],
      },
      secret: { a: base64('b') },
    },
    {},
  ],
  [
    'configmap',
    { container: configMapFrom('p_'), configMap: CONFIG_MAP, serviceEnv: KUBERNETES },
    {
      TEST_LITERAL: 'test-test-test',
      REPLACE_ME: 'FROM_CONFIG_MAP',
      EXPANSION_TEST: 'FROM_CONFIG_MAP',
      DUPE_TEST: 'ENV_VAR',
      p_REPLACE_ME: 'FROM_CONFIG_MAP',
      p_DUPE_TEST: 'CONFIG_MAP',
      ...KUBERNETES,
    },
  ],
  [
    'configmap allow prefix to start with a digital',
    { container: configMapFrom('1_'), configMap: CONFIG_MAP },
    {
      TEST_LITERAL: 'test-test-test',
      REPLACE_ME: 'FROM_CONFIG_MAP',
      EXPANSION_TEST: 'FROM_CONFIG_MAP',
      DUPE_TEST: 'ENV_VAR',
      '1_REPLACE_ME': 'FROM_CONFIG_MAP',
      '1_DUPE_TEST': 'CONFIG_MAP',
    },
  ],
  [
    'configmap_missing',
    { container: { envFrom: [{ configMapRef: { name: 'test-config-map' } }] } },
    'configmap "test-config-map" not found',
  ],
  [
    'configmap_missing_optional',
    {
      container: { envFrom: [{ configMapRef: { name: 'missing-config-map', optional: true } }] },
      serviceEnv: KUBERNETES,
    },
    KUBERNETES,
  ],
  [
    'configmap_invalid_keys_valid',
    {
      container: { envFrom: [{ prefix: 'p_', configMapRef: { name: 'test-config-map' } }] },
      configMap: { '1234': 'abc' },
    },
    { p_1234: 'abc' },
  ],
  [
    'secret',
    {
      container: {
        envFrom: [
          { secretRef: { name: 'test-secret' } },
          { prefix: 'p_', secretRef: { name: 'test-secret' } },
        ],
        env: OVER_FROM,
      },
      secret: SECRET,
    },
    {
      TEST_LITERAL: 'test-test-test',
      REPLACE_ME: 'FROM_SECRET',
      EXPANSION_TEST: 'FROM_SECRET',
      DUPE_TEST: 'ENV_VAR',
      p_REPLACE_ME: 'FROM_SECRET',
      p_DUPE_TEST: 'SECRET',
    },
  ],
  [
    'secret_missing',
    { container: { envFrom: [{ secretRef: { name: 'test-secret' } }] } },
    'secret "test-secret" not found',
  ],
  [
    'secret_missing_optional',
    { container: { envFrom: [{ secretRef: { name: 'missing-secret', optional: true } }] } },
    {},
  ],
  [
    'secret_invalid_keys_valid',
    {
      container: { envFrom: [{ prefix: 'p_', secretRef: { name: 'test-secret' } }] },
      secret: { '1234.name': base64('abc') },
    },
    { 'p_1234.name': 'abc' },
  ],
])('%s', (_, about, expected) => {
  expect(environmentOf(about)).toEqual(expected);
});

test.each<[string, Case, Record<string, string> | string]>([
  [
    'a missing ConfigMap key that is not optional',
    {
      container: {
        env: [from('A', { configMapKeyRef: { name: 'test-config-map', key: 'toString' } })],
      },
      configMap: { a: 'b' },
    },
    "couldn't find key toString in ConfigMap test1/test-config-map",
  ],
  [
    'a missing Secret key',
    {
      container: { env: [from('A', { secretKeyRef: { name: 'test-secret', key: 'k' } })] },
      secret: {},
    },
    "couldn't find key k in Secret test1/test-secret",
  ],
  [
    'a ConfigMap in another namespace',
    {
      container: { env: [from('A', { configMapKeyRef: { name: 'test-config-map', key: 'a' } })] },
      configMap: { a: 'b' },
      pod: { metadata: { namespace: 'other' } },
    },
    'configmap "test-config-map" not found',
  ],
  [
    'an optional missing key keeps the earlier value',
    {
      container: {
        envFrom: [{ configMapRef: { name: 'test-config-map' } }],
        env: [
          from('a', { configMapKeyRef: { name: 'test-config-map', key: 'c', optional: true } }),
        ],
      },
      configMap: { a: 'b' },
    },
    { a: 'b' },
  ],
  [
    'escapes, unterminated references and lone dollar signs',
    {
      container: {
        env: [
          { name: 'A', value: 'a' },
          { name: 'B', value: '$$(A) $(A) $$$(A) $(A $A $' },
        ],
      },
    },
    { A: 'a', B: '$(A) a $a $(A $A $' },
  ],
  [
    'a variable that is set twice refers to its earlier value',
    {
      container: {
        env: [
          { name: 'PATH', value: '/bin' },
          { name: 'PATH', value: '/app:$(PATH)' },
        ],
      },
    },
    { PATH: '/app:/bin' },
  ],
  [
    'value wins over valueFrom',
    {
      container: {
        env: [{ name: 'A', value: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } }],
      },
    },
    { A: 'a' },
  ],
  [
    'bytes that are not UTF-8 become U+FFFD',
    {
      container: { env: [from('A', { secretKeyRef: { name: 'test-secret', key: 'k' } })] },
      secret: { k: Buffer.from([0x61, 0xff, 0x62]).toString('base64') },
    },
    { A: 'a\ufffdb' },
  ],
  [
    'no pod IP, and a node with IPv6 first',
    { container: { env: IP_FIELDS }, hostIPs: [HOST_IPV6] },
    { POD_IP: '', POD_IPS: '', HOST_IP: HOST_IPV6, HOST_IPS: HOST_IPV6 },
  ],
  [
    'pod IPs on a node with IPv6 first',
    { container: { env: IP_FIELDS.slice(0, 2) }, hostIPs: ['::1'], podIPs: ['1.2.3.4', 'fd00::6'] },
    { POD_IP: 'fd00::6', POD_IPS: 'fd00::6,1.2.3.4' },
  ],
])('%s', (_, about, expected) => {
  expect(environmentOf(about)).toEqual(expected);
});

const METADATA = {
  labels: { app: 'web', 'example.com/tier': 'front' },
  annotations: { note: 'two\nlines, "quoted"', 'a.b/c': 'x' },
};

test.each([
  ['metadata.uid', 'uid'],
  ['metadata.labels', 'app="web"\nexample.com/tier="front"'],
  ['metadata.annotations', 'a.b/c="x"\nnote="two\\nlines, \\"quoted\\""'],
  ["metadata.labels['app']", 'web'],
  ["metadata.labels['example.com/tier']", 'front'],
  ["metadata.labels['missing']", ''],
  ["metadata.labels['constructor']", ''],
  ["metadata.annotations['a.b/c']", 'x'],
  ['spec.host', 'node-name'],
])('the fieldPath %s is %j', (fieldPath, expected) => {
  const container = { env: [field('A', fieldPath)] };
  expect(environmentOf({ container, pod: { metadata: METADATA } })).toEqual({ A: expected });
});

test.each([
  ['spec.restartPolicy', 'unsupported fieldPath: spec.restartPolicy'],
  ['spec.containers', 'field label not supported: spec.containers'],
  ["metadata.name['x']", "field label does not support subscript: metadata.name['x']"],
  ["['x']", "field label not supported: ['x']"],
])('the fieldPath %s is an error', (fieldPath, expected) => {
  expect(environmentOf({ container: { env: [field('A', fieldPath)] } })).toBe(expected);
});

const RESOURCES = {
  limits: { cpu: '1500m', memory: '256Mi', 'hugepages-2Mi': '4Mi' },
  requests: { cpu: '250m', memory: '100M' },
};
const SIDECAR = { name: 'sidecar', image: 'sidecar', resources: { limits: { cpu: '2' } } };
const INIT = { name: 'init', image: 'init' };

test.each([
  ['limits.cpu', undefined, undefined, '2'],
  ['limits.cpu', '1m', undefined, '1500'],
  ['limits.memory', undefined, undefined, '268435456'],
  ['limits.memory', '1Mi', undefined, '256'],
  ['limits.memory', '1G', undefined, '1'],
  ['limits.hugepages-2Mi', '1Mi', undefined, '4'],
  ['requests.cpu', '0', undefined, '1'],
  ['requests.cpu', '1m', undefined, '250'],
  ['requests.memory', '1k', undefined, '100000'],
  ['requests.ephemeral-storage', undefined, undefined, '0'],
  // A container without a limit gets the node's allocatable amount.
  ['limits.ephemeral-storage', '1Gi', undefined, '100'],
  ['limits.cpu', undefined, 'sidecar', '2'],
  ['limits.memory', '1Gi', 'sidecar', '16'],
  ['requests.cpu', undefined, 'sidecar', '0'],
  // This does not apply to an init container that another container refers to.
  ['limits.cpu', undefined, 'init', '0'],
])('%s with divisor %s of container %s is %s', (resource, divisor, containerName, expected) => {
  const resourceFieldRef = {
    resource,
    ...(divisor !== undefined && { divisor }),
    ...(containerName !== undefined && { containerName }),
  };
  const container = { resources: RESOURCES, env: [from('A', { resourceFieldRef })] };
  const about = { container, pod: { spec: { containers: [SIDECAR], initContainers: [INIT] } } };
  expect(environmentOf(about)).toEqual({ A: expected });
});

test("the limit of the pod wins over the node's allocatable amount", () => {
  const container = {
    env: [
      from('CPU', { resourceFieldRef: { resource: 'limits.cpu' } }),
      from('MEMORY', { resourceFieldRef: { resource: 'limits.memory', divisor: '1Gi' } }),
    ],
  };
  const about = { container, pod: { spec: { resources: { limits: { cpu: '3' } } } } };
  expect(environmentOf(about)).toEqual({ CPU: '3', MEMORY: '16' });
});

test.each([
  [{ resource: 'limits.gpu' }, 'unsupported container resource : limits.gpu'],
  [{ resource: 'cpu' }, 'unsupported container resource : cpu'],
  [{ resource: 'limits.cpu', containerName: 'none' }, 'container none not found'],
])('the resourceFieldRef %j is an error', (resourceFieldRef, expected) => {
  expect(environmentOf({ container: { env: [from('A', { resourceFieldRef })] } })).toBe(expected);
});
