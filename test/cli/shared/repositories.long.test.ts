import { cpSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';

const fixtures = new URL('../../fixtures/repositories/', import.meta.url);

let folder = '';

/** Copies a repository of fixtures and adds a .git folder, which git would not keep. */
function use(name: string): void {
  folder = mkdtempSync(join(tmpdir(), `kprobe-${name}-`));
  cpSync(new URL(name, fixtures), folder, { recursive: true });
  mkdirSync(join(folder, '.git'));
}

function run(commandLine: string): Promise<InProcessEnd> {
  return inProcess(commandLine.split(' '), { cwd: folder });
}

describe('a repository with an application', () => {
  beforeEach(() => {
    use('application');
    renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
    renameSync(join(folder, 'modules'), join(folder, 'node_modules'));
  });

  it('is linted without files that are not manifests', async () => {
    const { code, stdout, stderr } = await run('lint . --exclude test --rule port-not-declared');
    expect(stderr).toBe(
      'kprobe: skipped 6 files without a Kubernetes object (compose.yaml, dev/kubeconfig.yaml, openapi.yml, …), 3 ignored paths\n',
    );
    expect(stdout).toMatch(/^k8s\/web\.yaml:\d+:\d+: info: .*\[port-not-declared\]/);
    expect(stdout).toContain('2 files, 1 object checked: 1 info\n');
    expect(code).toBe(0);
  });

  it.each(['test', 'test/', 'test/**', '**/broken.*'])(
    'is validated without files excluded by --exclude %s',
    async (glob) => {
      const { code, stdout } = await run(`validate . --exclude ${glob}`);
      expect([code, stdout.split('\n')[0]]).toEqual([
        0,
        '2 files, 1 object validated: all accepted',
      ]);
    },
  );

  it('has errors in files that are not ignored', async () => {
    const { code, stdout } = await run('validate .');
    expect(code).toBe(1);
    expect(stdout.match(/^\S+: error/gm)).toEqual([
      expect.stringMatching(/^test\/broken.yaml/),
      expect.stringMatching(/^test\/broken.yaml/),
    ]);
  });

  it('is run without files that are not manifests', async () => {
    const { stderr } = await run('run . --exclude test --for 1ms -o json');
    expect(stderr).toContain('kprobe: skipped 6 files without a Kubernetes object');
    expect(stderr).not.toContain('error:');
  });

  it('has a file that is read when it is named, with an error when it is not an object', async () => {
    const { code, stdout } = await run('lint package.json');
    expect([code, stdout]).toEqual([2, expect.stringContaining('apiVersion: is missing')]);
  });

  it.each(['build', '.github', 'node_modules'])(
    'has an ignored folder that is read when it is named: %s',
    async (name) => {
      const { stdout, stderr } = await run(`validate ${name}`);
      if (name === '.github') expect(stderr).toMatch(/^kprobe: .github: no manifest, only 1 file/);
      else expect(stdout).toContain('1 file, 1 object validated: 1 rejected');
    },
  );

  it('without a manifest is an error that lists what was skipped', async () => {
    const { code, stderr } = await run('lint . --exclude test --exclude k8s');
    expect([code, stderr]).toEqual([
      2,
      'kprobe: .: no manifest, only 6 files without a Kubernetes object (compose.yaml, dev/kubeconfig.yaml, openapi.yml, …), 3 ignored paths in this folder\n',
    ]);
  });
});

describe('a repository with kustomizations', () => {
  beforeEach(() => use('kustomize'));

  it('is linted where files are complete', async () => {
    const { code, stdout, stderr } = await run('lint .');
    expect([code, stdout]).toEqual([0, '1 file, 1 object checked: no findings\n']);
    expect(stderr).toBe(
      'kprobe: skipped 9 files of Kustomize (kubectl kustomize overlays/prod | kprobe lint -; kubectl kustomize tools | kprobe lint -)\n',
    );
  });

  it('reports what a named base looks like', async () => {
    const { code, stdout } = await run('lint base/deployment.yaml');
    expect(code).toBe(1);
    expect(stdout.match(/error: .*/g)).toEqual([
      'error: looks like a part of a Kustomize folder: incomplete as it stands (kubectl kustomize base | kprobe lint -)',
    ]);
  });

  it('reports how to build a named kustomization', async () => {
    const { code, stdout } = await run('validate base/kustomization.yaml');
    expect(code).toBe(2);
    expect(stdout.match(/error: .*/g)).toEqual([
      'error: describes a Kustomize build (kubectl kustomize base | kprobe validate -)',
    ]);
  });
});

describe('a repository with a Helm chart', () => {
  beforeEach(() => use('helm'));

  it('is linted without templates and values', async () => {
    const { code, stdout, stderr } = await run('lint .');
    expect([code, stdout]).toEqual([
      0,
      '1 file, 0 objects checked: nothing to check\nwithout a pod: 1 object (CustomResourceDefinition 1)\n',
    ]);
    expect(stderr).toBe(
      'kprobe: skipped 6 files without a Kubernetes object (charts/shop/Chart.yaml, charts/shop/charts/cache/Chart.yaml, charts/shop/charts/cache/values.yaml, …), 3 templates (helm template charts/shop | kprobe lint -)\n',
    );
  });

  it.each([
    ['templates/deployment.yaml', 'looks like a Helm template'],
    ['values.yaml', 'looks like the values of a Helm chart'],
    ['ci/values-test.yaml', 'looks like the values of a Helm chart'],
    ['Chart.yaml', 'describes a Helm chart'],
  ])('reports what %s looks like', async (file, message) => {
    for (const command of ['lint', 'explain', 'run']) {
      const { code, stdout, stderr } = await run(`${command} charts/shop/${file}`);
      expect(code).toBe(2);
      expect((stdout + stderr).match(/error: .*/g)).toEqual([
        `error: ${message} (helm template charts/shop | kprobe ${command} -)`,
      ]);
    }
  });
});

describe('a repository with an application, kustomizations and a chart', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kprobe-mixed-'));
    for (const name of ['application', 'kustomize', 'helm']) {
      cpSync(new URL(name, fixtures), join(folder, name), { recursive: true });
    }
    writeFileSync(join(folder, '.gitignore'), 'modules\nbuild\n*.local.yaml\n');
    mkdirSync(join(folder, '.git'));
  });

  const skippedBy = (command: string): string =>
    'kprobe: skipped 12 files without a Kubernetes object (application/compose.yaml, application/dev/kubeconfig.yaml, application/openapi.yml, …), ' +
    `9 files of Kustomize (kubectl kustomize kustomize/overlays/prod | kprobe ${command} -; kubectl kustomize kustomize/tools | kprobe ${command} -), ` +
    `3 templates (helm template helm/charts/shop | kprobe ${command} -), 5 ignored paths\n`;

  it.each(['lint', 'validate'])('is read by %s where files are complete', async (command) => {
    const { code, stdout, stderr } = await run(`${command} . --exclude application/test`);
    expect([code, stderr]).toEqual([0, skippedBy(command)]);
    expect(stdout).not.toContain('error');
  });

  it('is explained and simulated where files are complete', async () => {
    for (const command of ['explain', 'simulate']) {
      const rest = command === 'simulate' ? '--for 20s -o json' : '';
      const { code, stderr } = await run(`${command} . --exclude application/test ${rest}`.trim());
      expect([code, stderr]).toEqual([0, skippedBy(command)]);
    }
  });
});

describe('objects of other kinds', () => {
  const objects = (kinds: string): string =>
    kinds
      .split(' ')
      .map((each) => each.split(':'))
      .map(
        ([apiVersion, kind, port]) => `apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: ${kind?.toLowerCase()}}
spec: {template: {spec: {containers: [{name: app, image: 'app:1', livenessProbe: {tcpSocket: {port: ${port}}}}]}}}
`,
      )
      .join('---\n');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kprobe-kinds-'));
  });

  const TEMPLATES =
    'argoproj.io/v1alpha1:Rollout:80 serving.knative.dev/v1:Service:80 apps.openshift.io/v1:DeploymentConfig:80';

  it.each([
    ['a custom resource without a pod', 'example.com/v1:Thing:80', 0],
    ['pod templates of other kinds', TEMPLATES, 0],
    ['an invalid probe in one of them', TEMPLATES.replace('Rollout:80', 'Rollout:0'), 1],
    ['a Pod in apps/v1', 'apps/v1:Pod:80', 1],
  ])('exit consistently with their ndjson output: %s', async (_, kinds, expected) => {
    writeFileSync(join(folder, 'all.yaml'), objects(kinds));
    const { code, stdout } = await run('validate all.yaml -o ndjson');
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { ok: boolean });
    expect([code, answers.every(({ ok }) => ok)]).toEqual([expected, expected === 0]);
  });

  it('have their probes explained and simulated, with a note that the rest is not validated', async () => {
    writeFileSync(join(folder, 'all.yaml'), objects(TEMPLATES));
    for (const command of ['explain', 'simulate --for 20s -o json', 'run --for 1ms -o json']) {
      const { stdout, stderr } = await run(`${command} all.yaml`);
      expect(stdout).toContain('liveness');
      for (const kind of ['Rollout', 'Service', 'DeploymentConfig']) {
        expect(stdout + stderr).toContain(
          `kprobe validates the probes of a ${kind}, not the rest of it`,
        );
      }
    }
  });

  it('include no Pod in apps/v1, which is an error', async () => {
    writeFileSync(join(folder, 'all.yaml'), objects('apps/v1:Pod:80'));
    const { code, stdout } = await run('lint all.yaml');
    expect([code, stdout.split('\n')[0]]).toEqual([
      1,
      'all.yaml:1:13: error: apiVersion: no matches for kind "Pod" in version "apps/v1" (write "apiVersion: v1")',
    ]);
  });
});

it('validate prints 50 errors and counts the rest', async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-errors-'));
  writeFileSync(join(folder, 'all.yaml'), 'apiVersion: v1\nkind: Pod\nx: 1\n---\n'.repeat(1234));
  const { stdout } = await run('validate all.yaml');
  expect(stdout.match(/: error:/g)).toHaveLength(50);
  expect(stdout).toMatch(/^and [\d,]+ more$/m);
});
