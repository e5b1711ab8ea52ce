import { expect, test } from 'vitest';

import { distinctPods } from '../../../src/manifest/pods/distinct-pods.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';

const SPEC = 'spec: {restartPolicy: Never, containers: [{name: app, image: "web:1"}]}';
const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n${SPEC}\n`;
const job = (metadata: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {${metadata}}\nspec: {template: {${SPEC}}}\n`;

function load(...texts: readonly string[]) {
  const sources = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  const { pods, diagnostics } = distinctPods(loadManifest(sources));
  const messages = diagnostics.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  const names = pods.map(({ pod: { metadata } }) => `${metadata.namespace}/${metadata.name}`);
  return { names, messages, uids: new Set(pods.map(({ pod: { metadata } }) => metadata.uid)) };
}

test('a Pod and a Job with the same name get pods with different names and UIDs', () => {
  const { names, messages, uids } = load(job('name: web') + '---\n' + pod('web'));
  expect(names).toEqual(['default/web-job', 'default/web']);
  expect(messages).toEqual([]);
  expect(uids.size).toBe(2);
});

test('a name suffix that is taken by another pod gets a number', () => {
  const { names } = load(pod('web'), pod('web-job'), job('name: web'));
  expect(names).toEqual(['default/web', 'default/web-job', 'default/web-job-2']);
});

test('the same object given twice is an error with both positions', () => {
  const { messages } = load(pod('web'), `---\n${pod('other')}---\n${pod('web')}`);
  expect(messages).toEqual(['1.yaml:7: Pod web of namespace default is also at 0.yaml:1']);
});

test('an explicit default namespace equals an omitted one', () => {
  const { messages } = load(job('name: web'), job('name: web, namespace: default'));
  expect(messages).toHaveLength(1);
});

test('objects with the same name in two namespaces are different', () => {
  const { names, messages } = load(job('name: web'), job('name: web, namespace: prod'));
  expect(names).toEqual(['default/web', 'prod/web']);
  expect(messages).toEqual([]);
});

test('generated names are different', () => {
  const { messages, uids } = load(job('generateName: web-'), job('generateName: web-'));
  expect(messages).toEqual([]);
  expect(uids.size).toBe(2);
});
