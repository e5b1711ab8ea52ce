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

test('pods of a Pod and a Job of one name have different names and UIDs', () => {
  const { names, messages, uids } = load(job('name: web') + '---\n' + pod('web'));
  expect(names).toEqual(['default/web-job', 'default/web']);
  expect(messages).toEqual([]);
  expect(uids.size).toBe(2);
});

test('a suffix that another pod has in its name is counted up', () => {
  const { names } = load(pod('web'), pod('web-job'), job('name: web'));
  expect(names).toEqual(['default/web', 'default/web-job', 'default/web-job-2']);
});

test('an object that comes twice is an error with both places', () => {
  const { messages } = load(pod('web'), `---\n${pod('other')}---\n${pod('web')}`);
  expect(messages).toEqual(['1.yaml:7: Pod web of namespace default is also at 0.yaml:1']);
});

test('a namespace that is written and the default one are the same', () => {
  const { messages } = load(job('name: web'), job('name: web, namespace: default'));
  expect(messages).toHaveLength(1);
});

test('objects of one name in two namespaces are two objects', () => {
  const { names, messages } = load(job('name: web'), job('name: web, namespace: prod'));
  expect(names).toEqual(['default/web', 'prod/web']);
  expect(messages).toEqual([]);
});

test('names that the server generates are not the same', () => {
  const { messages, uids } = load(job('generateName: web-'), job('generateName: web-'));
  expect(messages).toEqual([]);
  expect(uids.size).toBe(2);
});
