import { expect, test } from 'vitest';

import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import { formatDiagnostic } from '../../../src/report/format-diagnostic.js';

/** A pod whose only container continues with these lines, from line 9 on. */
function pod(container: string, spec = ''): string {
  const head = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: app
    image: example/app:1
`;
  const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
  return head + indent(container, '    ') + indent(spec, '  ');
}

const deployment = (template: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
${template}`;

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f'].map((name, index) => {
    const before = 'abcde'[index] ?? '';
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');

const NO_POD =
  'kprobe runs Pods and the workloads that create them: Deployments, StatefulSets, Jobs and so on';

/** Title, text and expected diagnostics without their source lines. */
const cases: readonly (readonly [title: string, text: string, diagnostics: readonly string[]])[] = [
  [
    'seconds with a unit',
    pod('livenessProbe:\n  tcpSocket: {port: 80}\n  periodSeconds: 10s\n'),
    [
      '11:22: error: spec.containers[0].livenessProbe.periodSeconds: must be a 32-bit integer, not the string "10s" (the field is in seconds: write 10)',
    ],
  ],
  [
    'a number in quotes',
    pod('livenessProbe:\n  tcpSocket: {port: 80}\n  failureThreshold: "3"\n'),
    [
      '11:25: error: spec.containers[0].livenessProbe.failureThreshold: must be a 32-bit integer, not the string "3" (remove the quotes)',
    ],
  ],
  [
    'a number that is too large',
    pod('livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 99999999999}\n'),
    [
      '9:59: error: spec.containers[0].livenessProbe.periodSeconds: must be a 32-bit integer, not 99999999999',
    ],
  ],
  [
    'a misspelled field',
    pod('livenessProbe:\n  tcpSocket: {port: 80}\n  periodSecond: 10\n'),
    [
      '11:7: error: spec.containers[0].livenessProbe.periodSecond: unknown field (did you mean "periodSeconds"?)',
    ],
  ],
  [
    'a field in the wrong case',
    pod('livenessProbe:\n  httpget: {port: 80}\n'),
    [
      '9:5: error: spec.containers[0].livenessProbe: Required value: must specify a handler type (add httpGet, tcpSocket, grpc or exec)',
      '10:7: error: spec.containers[0].livenessProbe.httpget: unknown field (did you mean "httpGet"?)',
    ],
  ],
  [
    'a field one level too deep',
    pod('livenessProbe:\n  httpGet:\n    port: 80\n    periodSeconds: 5\n'),
    [
      '12:9: error: spec.containers[0].livenessProbe.httpGet.periodSeconds: unknown field (it belongs one level up)',
    ],
  ],
  [
    'a field one level too high',
    pod('livenessProbe:\n  tcpSocket: {port: 80}\n  path: /healthz\n'),
    ['11:7: error: spec.containers[0].livenessProbe.path: unknown field (it belongs in httpGet)'],
  ],
  [
    'a probe next to the containers',
    pod('', 'livenessProbe: {tcpSocket: {port: 80}}\n'),
    ['9:3: error: spec.livenessProbe: unknown field (it belongs in containers)'],
  ],
  [
    'a probe without a handler',
    pod('readinessProbe:\n  periodSeconds: 10\n'),
    [
      '9:5: error: spec.containers[0].readinessProbe: Required value: must specify a handler type (add httpGet, tcpSocket, grpc or exec)',
    ],
  ],
  [
    'a probe with two handlers',
    pod('startupProbe:\n  exec: {command: [ls]}\n  grpc: {port: 80}\n'),
    [
      '11:7: error: spec.containers[0].startupProbe.grpc: Forbidden: may not specify more than 1 handler type (keep one; a second handler needs another probe or container)',
    ],
  ],
  [
    'a port by number in quotes',
    pod('livenessProbe:\n  httpGet: {port: "8080"}\n'),
    [
      '10:23: error: spec.containers[0].livenessProbe.httpGet.port: Invalid value: "8080": must contain at least one letter (a-z) (remove the quotes to use the number)',
    ],
  ],
  [
    'a port name with capitals',
    pod('ports: [{name: Http, containerPort: 80}]\n'),
    [
      '9:20: error: spec.containers[0].ports[0].name: Invalid value: "Http": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
  ],
  [
    'ports out of range',
    pod('ports: [{containerPort: 65536}]\nlivenessProbe:\n  tcpSocket: {port: 0}\n'),
    [
      '9:29: error: spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      '11:25: error: spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    'a gRPC port by name',
    pod('livenessProbe: {grpc: {port: grpc}}\n'),
    [
      '9:34: error: spec.containers[0].livenessProbe.grpc.port: must be a 32-bit integer, not the string "grpc"',
    ],
  ],
  [
    'a lowercase scheme',
    pod('livenessProbe: {httpGet: {port: 80, scheme: https}}\n'),
    [
      '9:49: error: spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "https": supported values: "HTTP", "HTTPS" (did you mean "HTTPS"?)',
    ],
  ],
  [
    'a liveness probe with a success threshold of 2',
    pod('livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}\n'),
    [
      '9:62: error: spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1 (only a readiness probe may require more than one success)',
    ],
  ],
  [
    'a probe of a regular init container',
    pod('', 'initContainers:\n- name: init\n  image: b\n  startupProbe: {tcpSocket: {port: 80}}\n'),
    [
      '12:5: error: spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always (restartPolicy: Always makes it a sidecar)',
    ],
  ],
  [
    'a tab for indentation',
    pod('livenessProbe:\n').concat('\t  tcpSocket: {port: 80}\n'),
    [
      '10:1: error: not YAML: a tab is used for indentation (YAML is indented with spaces; replace the tab)',
    ],
  ],
  [
    'bad indentation',
    pod('livenessProbe:\n  tcpSocket: {port: 80}\n periodSeconds: 3\n'),
    [
      '11:6: error: not YAML: this line is indented differently from its neighbors (keys of one object start in the same column; a value with ": " in it needs quotes)',
    ],
  ],
  [
    'a duplicate key',
    pod('livenessProbe: {tcpSocket: {port: 80}}\nlivenessProbe: {tcpSocket: {port: 81}}\n'),
    [
      '10:5: error: spec.containers[0].livenessProbe: set twice, first on line 9 (remove one of the two)',
    ],
  ],
  [
    'a duplicate key in JSON',
    '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "name": "b"},\n"spec": {"containers": [{"name": "a", "image": "b"}]}}',
    ['1:63: error: metadata.name: set twice (remove one of the two)'],
  ],
  [
    'an unterminated quote',
    pod('workingDir: "/x\ncommand: [a]\n'),
    ['9:17: error: not YAML: a quote is opened and never closed'],
  ],
  [
    'an unterminated bracket',
    pod('command: [a, b\n'),
    ['9:14: error: not YAML: a "{" or "[" is opened and never closed'],
  ],
  [
    'a missing comma',
    pod('livenessProbe: {tcpSocket: {port: 80} periodSeconds: 3}\n'),
    [
      '9:43: error: not YAML: a "," is missing between two entries in {} or [] (or the closing "}" or "]" of an earlier one)',
    ],
  ],
  [
    'a missing space after a colon',
    pod('workingDir:/tmp\nstdin: true\n'),
    [
      '9:5: error: not YAML: a ":" is missing after a key (write "key: value", or check the quotes and the indentation of the line before)',
    ],
  ],
  [
    'an alias bomb',
    bomb,
    ['4:20: error: document contains excessive aliasing (write out some of the aliases)'],
  ],
  [
    'an alias without an anchor',
    pod('env: *nothing\n'),
    ['9:10: error: unknown anchor \'nothing\' referenced (define it before, as "&nothing")'],
  ],
  [
    'endless nesting',
    `a: ${'['.repeat(5000)}`,
    ['1:204: error: not YAML: nested more than 200 deep'],
  ],
  [
    'a control character',
    pod('args: ["\u001b[31m"]\n'),
    ['9:13: error: not YAML: control characters are not allowed'],
  ],
  [
    'a Helm template',
    pod('').replace('example/app:1', '{{ .Values.image }}'),
    ['8:12: error: looks like a Helm template (helm template . | kprobe lint -)'],
  ],
  ['an empty file', '', [`1:1: error: the file is empty (${NO_POD})`]],
  [
    'a file with only comments',
    '# a\n---\n# b\n',
    [`1:1: error: the file contains no objects (${NO_POD})`],
  ],
  [
    'a file with only a Service',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n',
    [`1:1: error: the file contains no pods (${NO_POD})`],
  ],
  [
    'a string',
    'hello\n',
    ['1:1: error: a manifest is an object with apiVersion and kind; this is a string'],
  ],
  [
    'a byte that is not UTF-8 in a name',
    pod('').replace('name: web', 'name: caf\ufffd'),
    [
      "4:9: error: metadata.name: Invalid value: \"caf\ufffd\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'an outdated API version',
    deployment('').replace('apps/v1', 'extensions/v1beta1'),
    [
      '1:13: error: apiVersion: no matches for kind "Deployment" in version "extensions/v1beta1" (write "apiVersion: apps/v1")',
    ],
  ],
  [
    'a misspelled kind',
    deployment('').replace('Deployment', 'Deploymnet'),
    [
      '2:7: error: kind: no matches for kind "Deploymnet" in version "apps/v1" (did you mean "Deployment"?)',
    ],
  ],
  [
    'no kind and no API version',
    'metadata: {name: a}\n',
    [
      '1:1: error: kind: is missing (such as "kind: Pod")',
      '1:1: error: apiVersion: is missing (such as "apiVersion: v1")',
    ],
  ],
  [
    'a List with two broken items',
    `apiVersion: v1
kind: List
items:
- null
- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: b}]}}
- {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [{name: a, imag: b}]}}
`,
    [
      '4:3: error: a manifest is an object with apiVersion and kind; this is null',
      '6:72: error: spec.containers[0].image: Required value (such as "image: example.com/app:1.0")',
      '6:82: error: spec.containers[0].imag: unknown field (did you mean "image"?)',
    ],
  ],
  [
    'a template without containers',
    deployment('    metadata: {labels: {app: web}}\n    spec: {}\n'),
    [
      '8:5: error: spec.template.spec.containers: Required value (a pod has at least one container)',
    ],
  ],
  [
    'a template without the labels of the selector',
    deployment(
      '    metadata: {labels: {app: wb}}\n    spec: {containers: [{name: a, image: b}]}\n',
    ),
    [
      '7:16: error: spec.template.metadata.labels: Invalid value: {"app":"wb"}: `selector` does not match template `labels` (give the template the labels that the selector requires)',
    ],
  ],
  [
    'containers without dashes',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    name: a\n    image: b\n',
    [
      '6:5: error: spec.containers: must be a list, not an object (put "- " before it, and indent the rest accordingly)',
    ],
  ],
  [
    'a command in one line',
    pod('command: sleep 5\n'),
    [
      '9:14: error: spec.containers[0].command: must be a list, not the string "sleep 5" (write each item on its own line after "- ")',
    ],
  ],
  [
    'environment values that are not strings',
    pod('env:\n- {name: A, value: 5}\n- {name: B, value: yes}\n'),
    [
      '10:24: error: spec.containers[0].env[0].value: must be a string, not 5 (in quotes it is a string: "5")',
      '11:24: error: spec.containers[0].env[1].value: must be a string, not true (YAML reads y, n, yes, no, on, off, true and false as booleans; put it in quotes)',
    ],
  ],
  [
    'JSON without a comma',
    '{"apiVersion": "v1",\n "kind": "Pod"\n "metadata": {}}\n',
    ['3:2: error: not JSON: found " where "," or "}" was expected'],
  ],
  [
    'text after a document separator',
    'a: b\n--- c\n',
    [
      '2:1: error: invalid Yaml document separator: c (put the rest on its own line; kubectl stops reading here)',
    ],
  ],
];

test.each(cases)('reports %s with its position and a hint', (_, text, diagnostics) => {
  const found = loadManifest([{ file: 'pod.yaml', text }]).diagnostics;
  const heads = found.map((each) => formatDiagnostic(each).split('\n')[0]);
  expect(heads).toEqual(diagnostics.map((each) => `pod.yaml:${each}`));
});

test.each([
  [
    'a misspelled name',
    pod('ports: [{name: http, containerPort: 80}]\nlivenessProbe: {httpGet: {port: htpp}}\n'),
    'spec.containers[0].livenessProbe.httpGet.port: container "app" has no port named "htpp"; the kubelet fails every attempt (did you mean "http"?)',
  ],
  [
    'a name when no port has one',
    pod('lifecycle: {preStop: {httpGet: {port: web}}}\n'),
    'spec.containers[0].lifecycle.preStop.httpGet.port: container "app" has no port named "web"; the kubelet fails every attempt (use the port number, or name the port in ports)',
  ],
  [
    "the name of another container's port",
    pod(
      'readinessProbe: {tcpSocket: {port: admin}}\nports: [{name: http, containerPort: 80}]\n',
      '- {name: side, image: b, ports: [{name: admin, containerPort: 81}]}\n',
    ),
    'spec.containers[0].readinessProbe.tcpSocket.port: container "app" has no port named "admin"; the kubelet fails every attempt (its ports are "http")',
  ],
])('a probe port that is %s is a warning, and the pod is loaded', (_, text, warning) => {
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }]);
  expect(pods).toHaveLength(1);
  const heads = diagnostics.map((each) => formatDiagnostic(each).split('\n')[0]);
  expect(heads.map((head) => head?.replace(/^pod\.yaml:\d+:\d+: /, ''))).toEqual([
    `warning: ${warning}`,
  ]);
});

test('an integer that JavaScript cannot represent is a warning', () => {
  const text = pod('', 'terminationGracePeriodSeconds: 9223372036854775807\n');
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }]);
  expect(diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', '9223372036854775807 is outside of the numbers that kprobe can represent'],
  ]);
  expect(pods[0]?.pod.spec.terminationGracePeriodSeconds).toBe(Number.MAX_SAFE_INTEGER);
});

test.each([
  ['nested flow sequences as keys', `${'['.repeat(90)}x${']: y'.repeat(90)}`],
  ['repeated anchors', '&a '.repeat(30_000)],
  ['repeated question marks', '? '.repeat(30_000)],
  ['unterminated braces', '{'.repeat(100_000)],
  ['repeated quotes', '"'.repeat(50_001)],
  [
    'chained merges',
    `m0: &m0 {a: 1}\n${Array.from({ length: 2000 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: *m${i}, a${i}: 1}`).join('\n')}`,
  ],
  ['unterminated JSON', '{"a":'.repeat(20_000)],
  ['a quantity with a huge exponent', pod('resources: {limits: {cpu: "1e999999999"}}\n')],
])('loading terminates, with at most one pod, for %s', (_, text) => {
  expect(loadManifest([{ file: 'pod.yaml', text }]).pods.length).toBeLessThan(2);
});
