import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { readFolder } from '../../../src/cli/shared/read-folder.js';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: app, image: 'web:1'}]}
`;

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-folder-'));
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, 'pod.yaml'), POD);
});

async function read(): Promise<{ files: readonly string[]; skipped: string }> {
  const source = (file: string) => Promise.resolve([{ file, text: readFileSync(file, 'utf8') }]);
  const { sources, skipped } = await readFolder(folder, source, {});
  const plain = (text: string): string => text.replaceAll(`${folder}/`, '');
  return { files: sources.map(({ file }) => plain(file)), skipped: plain(skipped) };
}

describe('a file of a folder that is', () => {
  it.each([
    ['a manifest with apiversion', POD.replace('apiVersion', 'apiversion'), true],
    ['a manifest without an apiVersion', POD.replace(/^apiVersion.*\n/, ''), true],
    ['a manifest without a kind', POD.replace(/^kind.*\n/m, ''), true],
    ['truncated JSON', '{\n "apiVersion": "v1",\n "kind": "Pod",\n "metadata": {', true],
    ['truncated JSON in one line', '{"apiVersion": "v1", "kind": "Pod", "metadata": {', true],
    ['a manifest with broken indentation', POD.replace('metadata', '  metadata'), true],
    ['a package.json', '{"name": "web", "kind": "module"}', false],
    ['a broken workflow', 'on: push\njobs:\n a:\n  b', false],
    ['release notes', 'apiVersion: release-notes/v2\nkind: bug-fix\narea: security\n', false],
    ['values of a chart', 'kind: Deployment\nspec: {replicas: 1}\n', false],
  ])('%s is read: %s', async (_, text, expected) => {
    writeFileSync(join(folder, 'z.yaml'), text);
    const { files, skipped } = await read();
    expect(files).toEqual(expected ? ['pod.yaml', 'z.yaml'] : ['pod.yaml']);
    expect(skipped).toBe(expected ? '' : '1 file without a Kubernetes object (z.yaml)');
  });
});

it('a link to a file that does not exist is skipped by name', async () => {
  symlinkSync('gone.yaml', join(folder, 'link.yaml'));
  expect(await read()).toEqual({ files: ['pod.yaml'], skipped: '1 broken link (link.yaml)' });
});

it('of many skipped files the first three are named', async () => {
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(folder, `${name}.yaml`), 'a: 1\n');
  const { skipped } = await read();
  expect(skipped).toBe('4 files without a Kubernetes object (a.yaml, b.yaml, c.yaml, …)');
});
