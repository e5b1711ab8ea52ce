import { cpSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { kprobe, type KprobeEnd } from '../../helpers/kprobe.js';

const fixtures = new URL('../../fixtures/repositories/', import.meta.url);

let folder = '';

/** Copies a repository, with the files that git does not keep for us. */
function use(name: string): void {
  folder = mkdtempSync(join(tmpdir(), `kprobe-${name}-`));
  cpSync(new URL(name, fixtures), folder, { recursive: true });
  mkdirSync(join(folder, '.git'));
}

function run(commandLine: string): Promise<KprobeEnd> {
  return kprobe(commandLine.split(' '), { cwd: folder });
}

describe('a repository with an application', () => {
  beforeEach(() => {
    use('application');
    renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
    renameSync(join(folder, 'modules'), join(folder, 'node_modules'));
  });

  it('is linted without what is no manifest', async () => {
    const { code, stdout, stderr } = await run('lint . --exclude test');
    expect(stderr).toBe('kprobe: skipped 6 files without a Kubernetes object, 3 ignored paths\n');
    expect(stdout).toMatch(/^k8s\/web\.yaml:\d+:\d+: info: .*\[port-not-declared\]/);
    expect(stdout).toContain('2 files, 1 object checked: 1 info\n');
    expect(code).toBe(0);
  });

  it.each(['test', 'test/', 'test/**', '**/broken.*'])(
    'is validated without what --exclude names: %s',
    async (glob) => {
      const { code, stdout } = await run(`validate . --exclude ${glob}`);
      expect([code, stdout.split('\n')[0]]).toEqual([
        0,
        '2 files, 1 object validated: all accepted',
      ]);
    },
  );

  it('has its mistakes in files that are not ignored', async () => {
    const { code, stdout } = await run('validate .');
    expect(code).toBe(1);
    expect(stdout.match(/^\S+: error/gm)).toEqual([
      expect.stringMatching(/^test\/broken.yaml/),
      expect.stringMatching(/^test\/broken.yaml/),
    ]);
  });

  it('is run without what is no manifest', async () => {
    const { stderr } = await run('run . --exclude test --for 1ms -o json');
    expect(stderr).toContain('kprobe: skipped 6 files without a Kubernetes object');
    expect(stderr).not.toContain('error:');
  });

  it('has files that are read when they are named, and errors when they are no object', async () => {
    const { code, stdout } = await run('lint package.json');
    expect([code, stdout]).toEqual([2, expect.stringContaining('apiVersion: is missing')]);
  });

  it.each(['build', '.github', 'node_modules'])(
    'has an ignored folder read by name: %s',
    async (name) => {
      const { stdout, stderr } = await run(`validate ${name}`);
      if (name === '.github') expect(stderr).toMatch(/^kprobe: .github: no manifest, only 1 file/);
      else expect(stdout).toContain('1 file, 1 object validated: 1 rejected');
    },
  );

  it('without a manifest is an error that says what is there', async () => {
    const { code, stderr } = await run('lint . --exclude test --exclude k8s');
    expect([code, stderr]).toEqual([
      2,
      'kprobe: .: no manifest, only 6 files without a Kubernetes object, 3 ignored paths in this folder\n',
    ]);
  });
});

describe('a repository with kustomizations', () => {
  beforeEach(() => use('kustomize'));

  it('is linted where a file is complete as it stands', async () => {
    const { code, stdout, stderr } = await run('lint .');
    expect([code, stdout]).toEqual([0, '1 file, 1 object checked: no findings\n']);
    expect(stderr).toBe(
      'kprobe: skipped 9 files of Kustomize (kubectl kustomize overlays/prod | kprobe lint -; kubectl kustomize tools | kprobe lint -)\n',
    );
  });

  it('says of a base that is named what it looks like', async () => {
    const { code, stdout } = await run('lint base/deployment.yaml');
    expect(code).toBe(1);
    expect(stdout.match(/error: .*/g)).toEqual([
      'error: looks like a part of a Kustomize folder: incomplete as it stands (kubectl kustomize base | kprobe lint -)',
    ]);
  });

  it('says of a kustomization what to do', async () => {
    const { code, stdout } = await run('validate base/kustomization.yaml');
    expect(code).toBe(2);
    expect(stdout.match(/error: .*/g)).toEqual([
      'error: describes a Kustomize build (kubectl kustomize base | kprobe lint -)',
    ]);
  });
});

describe('a repository with a Helm chart', () => {
  beforeEach(() => use('helm'));

  it('is linted without templates and values', async () => {
    const { code, stdout, stderr } = await run('lint .');
    expect([code, stdout]).toEqual([
      0,
      '1 file, 0 objects checked: no findings\nwithout a pod: 1 object (CustomResourceDefinition 1)\n',
    ]);
    expect(stderr).toBe(
      'kprobe: skipped 6 files without a Kubernetes object, 3 templates (helm template charts/shop | kprobe lint -)\n',
    );
  });

  it.each([
    ['templates/deployment.yaml', 'looks like a Helm template'],
    ['values.yaml', 'looks like the values of a Helm chart'],
    ['ci/values-test.yaml', 'looks like the values of a Helm chart'],
    ['Chart.yaml', 'describes a Helm chart'],
  ])('says of %s what it looks like', async (file, message) => {
    for (const command of ['lint', 'explain']) {
      const { code, stdout, stderr } = await run(`${command} charts/shop/${file}`);
      expect(code).toBe(2);
      expect((stdout + stderr).match(/error: .*/g)).toEqual([
        `error: ${message} (helm template charts/shop | kprobe lint -)`,
      ]);
    }
  });
});

it('shows 50 errors, and counts the others', async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-errors-'));
  writeFileSync(join(folder, 'all.yaml'), 'apiVersion: v1\nkind: Pod\nx: 1\n---\n'.repeat(1234));
  const { stdout } = await run('validate all.yaml');
  expect(stdout.match(/: error:/g)).toHaveLength(50);
  expect(stdout).toMatch(/^and [\d,]+ more$/m);
});
