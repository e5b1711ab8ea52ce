import { expect, test } from 'vitest';

import {
  decode,
  type DecodeIssue,
  decodeMessage,
  strictMessage,
} from '../../../src/api/decode/decode.js';
import { parseJson } from '../../../src/go/json.js';
import type { JsonNode } from '../../../src/go/json-node.js';

function tree(value: string): JsonNode {
  const read = parseJson(value);
  if (read === undefined) throw new Error('no value');
  return read.node;
}

const container = (rest: string): string => `{"spec": {"containers": [{"name": "a", ${rest}}]}}`;

function issuesOf(text: string): readonly DecodeIssue[] {
  return decode(tree(text), 'Pod').issues;
}

test('decode omits null and zero values, but keeps zero values of pointers', () => {
  const text = container(
    '"image": null, "stdin": false, "ports": [], "restartPolicy": "", "livenessProbe": {"periodSeconds": 0, "grpc": {"port": 0, "service": ""}}',
  );
  expect(decode(tree(text), 'Pod').value.spec?.containers).toEqual([
    {
      name: 'a',
      ports: [],
      restartPolicy: '',
      livenessProbe: { grpc: { service: '' } },
    },
  ]);
});

test('decode turns a null in a list into the zero value of its type', () => {
  const text = container('"ports": [null], "args": [null]');
  expect(decode(tree(text), 'Pod').value.spec?.containers?.[0]).toMatchObject({
    ports: [{}],
    args: [''],
  });
});

test('decode handles keys that are names of Object members', () => {
  const { value, issues } = decode(
    tree('{"metadata": {"labels": {"__proto__": "a", "constructor": "b"}}, "toString": 1}'),
    'Pod',
  );
  expect(Object.entries(value.metadata?.labels ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(issues.map(({ path }) => path)).toEqual(['toString']);
});

test.each([
  [container('"livenesProbe": {}'), 'unknown field "spec.containers[0].livenesProbe"'],
  ['{"metadata": {"title": "x"}}', 'unknown field "metadata.title"'],
  [container('"name": "b"'), 'duplicate field "spec.containers[0].name"'],
])('%s has a strict decoding error', (text, message) => {
  expect(issuesOf(text).map(strictMessage)).toEqual([message]);
});

test.each([
  [
    container('"command": "x"'),
    'json: cannot unmarshal string into Go struct field Container.spec.containers.command of type []string',
  ],
  [
    container('"livenessProbe": {"httpGet": "x"}'),
    'json: cannot unmarshal string into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.httpGet of type v1.HTTPGetAction',
  ],
  [
    container('"livenessProbe": {"periodSeconds": 2.5}'),
    'json: cannot unmarshal number 2.5 into Go struct field Probe.spec.containers.livenessProbe.periodSeconds of type int32',
  ],
  [
    '{"spec": {"terminationGracePeriodSeconds": 9223372036854775808}}',
    'json: cannot unmarshal number 9223372036854775808 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
  ],
  [
    '{"metadata": []}',
    'json: cannot unmarshal array into Go struct field Pod.metadata of type v1.ObjectMeta',
  ],
  ['[]', 'json: cannot unmarshal array into Go value of type v1.Pod'],
  [
    '{"metadata": {"creationTimestamp": "2006-01-02"}}',
    'parsing time "2006-01-02" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
  ],
])('%s has a type error', (text, message) => {
  expect(decodeMessage(issuesOf(text))).toBe(message);
});

test('a type error of a release before 1.35 names no embedded struct', () => {
  const text = container('"livenessProbe": {"httpGet": "x"}');
  const { issues } = decode(tree(text), 'Pod', 'nearest', { version: '1.34' });
  expect(decodeMessage(issues)).toBe(
    'json: cannot unmarshal string into Go struct field Probe.spec.containers.livenessProbe.httpGet of type v1.HTTPGetAction',
  );
});

test('a fatal decoding error comes before collected ones', () => {
  const text = container('"command": 1, "resources": {"limits": {"cpu": "x"}}');
  expect(issuesOf(text)).toHaveLength(2);
  expect(decodeMessage(issuesOf(text))).toMatch(/^quantities must match/);
});

test('an integer that JavaScript cannot represent is reported', () => {
  const { value, issues } = decode(
    tree('{"spec": {"terminationGracePeriodSeconds": -9007199254740993}}'),
    'Pod',
  );
  expect(value.spec?.terminationGracePeriodSeconds).toBe(Number.MIN_SAFE_INTEGER);
  expect(issues).toMatchObject([{ kind: 'unsafe-integer', literal: '-9007199254740993' }]);
});
