import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { readFolder, readNamed } from '../../../src/cli/shared/read-folder.js';

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

const source = (file: string) => Promise.resolve([{ file, text: readFileSync(file, 'utf8') }]);

async function read(): Promise<{ files: readonly string[]; skipped: string }> {
  const { sources, skipped } = await readFolder(folder, source, {});
  const plain = (text: string): string => text.replaceAll(`${folder}/`, '');
  return { files: sources.map(({ file }) => plain(file)), skipped: plain(skipped) };
}

const TEMPLATE = POD.replace('name: web', 'name: {{ .Release.Name }}');

describe('a file that is named with --skip-others', () => {
  it.each([
    ['a manifest', 'web.yaml', POD, {}, true],
    ['a manifest with a misspelled key', 'web.yaml', POD.replace('kind', 'Kind'), {}, true],
    ['a package.json', 'package.json', '{"name": "web", "version": "1"}', {}, false],
    ['a tsconfig.json with comments', 'tsconfig.json', '{ // strict\n"a": 1, }', {}, false],
    ['a workflow', '.github/workflows/ci.yaml', 'on: push\njobs: {a: {steps: []}}\n', {}, false],
    ['the configuration of kprobe', '.kprobe.yaml', 'rules: {late-ready: off}\n', {}, false],
    ['a template of a chart', 'app/templates/a.yaml', POD, { 'app/Chart.yaml': 'name: a' }, false],
    ['a template without its chart', 'templates/a.yaml', TEMPLATE, {}, false],
    [
      'a skaffold.yaml',
      'skaffold.yaml',
      'apiVersion: skaffold/v4beta1\nkind: Config\nmetadata: {name: web}\n',
      {},
      false,
    ],
    ['the values of a chart', 'app/values.yaml', 'image: web\n', {}, false],
    [
      'a patch of Kustomize',
      'base/patch.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n',
      { 'base/kustomization.yaml': 'patches: [{path: patch.yaml}]\n' },
      false,
    ],
  ] as const)('%s', async (_, name, text, others, isRead) => {
    for (const [path, content] of Object.entries({ ...others, [name]: text })) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const { sources } = await readNamed([join(folder, name)], source);
    expect(sources.map(({ file }) => file)).toEqual(isRead ? [join(folder, name)] : []);
  });
});

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

describe('beside a kustomization that does not name it', () => {
  const PATCH =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n' +
    'spec: {template: {spec: {containers: [{name: app, args: [--webhook]}]}}}\n';

  it.each([
    ['a patch is skipped', 'off/patch.yaml', PATCH, ['pod.yaml']],
    ['a complete manifest is read', 'web.yaml', POD, ['pod.yaml', 'web.yaml']],
    ['a patch elsewhere is read', '../patch.yaml', PATCH, ['patch.yaml', 'pod.yaml']],
    [
      'a manifest with a wrong value is read',
      'web.yaml',
      PATCH.replace('[--webhook]', '1'),
      ['pod.yaml', 'web.yaml'],
    ],
  ] as const)('%s', async (_, name, text, expected) => {
    mkdirSync(join(folder, 'config/off'), { recursive: true });
    writeFileSync(join(folder, 'config/kustomization.yaml'), 'namespace: web\n# patches: []\n');
    writeFileSync(join(folder, 'config', name), text);
    const { files } = await read();
    expect(files.map((file) => basename(file)).toSorted()).toEqual(expected);
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

it('a folder that cannot be listed is an error with its name', async () => {
  const deep = 'for _ in $(seq 25); do mkdir "$0" && cd -P "$0"; done';
  execFileSync('sh', ['-c', deep, 'd'.repeat(200)], { cwd: folder });
  // Node cannot remove such a path.
  onTestFinished(() => void execFileSync('rm', ['-r', folder]));
  await expect(read()).rejects.toThrow(/\/dddd.*: the name is too long$/s);
});

it.runIf(existsSync('/proc/self/mem'))(
  'a .gitignore that cannot be read is an error with its name',
  async () => {
    symlinkSync('/proc/self/mem', join(folder, '.gitignore'));
    await expect(read()).rejects.toThrow(/\.gitignore: the device cannot be read or written$/);
  },
);
