import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { json, startApiServer, writeKubeconfig } from '../../cluster/fake-api-server.js';
import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';

const GOOD = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: app
    image: example.com/web:1.4
`;
const REFUSED = GOOD.replace('name: app', 'name: APP');
const TYPO = `${GOOD}    imagePulPolicy: Always\n`;
const DUPLICATE = GOOD.replace('  name: web\n', '  name: shop\n  name: web\n');
const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n';
const CUSTOM = 'apiVersion: example.com/v1\nkind: Shop\nmetadata:\n  name: web\n';
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, required: [spec], properties: {spec: {type: object}}}}
`;
/** A name with special characters for terminals, workflow commands and XML. */
const HOSTILE = GOOD.replace('name: app', String.raw`name: "\e[31m%0A\r\n::error::x]]>&<,:"`);

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-validate-'));
});

function put(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

function validate(commandLine: string, input?: string): Promise<InProcessEnd> {
  const args = commandLine.split(' ').filter((word) => word !== '');
  return inProcess(['validate', ...args], { cwd: folder, ...(input !== undefined && { input }) });
}

describe('custom resources', () => {
  it('are checked against --crds', async () => {
    put('shop.yaml', CUSTOM);
    put('crds.yaml', DEFINITION);
    const { code, stdout } = await validate('shop.yaml --crds crds.yaml');
    expect([code, stdout.split('\n')[0]]).toEqual([
      1,
      'shop.yaml:1:1: error: spec: Required value',
    ]);
  });

  it.each([
    ['a folder without definitions', 'shop.yaml', '--crds shop.yaml: no CustomResourceDefinition'],
    ['a missing file', 'crds.yaml', 'crds.yaml: '],
    ['a broken file', 'broken.yaml', 'broken.yaml:1: '],
  ])('with --crds of %s are a usage error', async (_, path, message) => {
    put('shop.yaml', CUSTOM);
    put('broken.yaml', 'a: [');
    const { code, stderr } = await validate(`shop.yaml --crds ${path}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('are checked with --kube against what the cluster has', async () => {
    const kind = { group: 'example.com', version: 'v1', kind: 'Shop' };
    const { spec } = { spec: { type: 'object', required: ['size'] } };
    const shop = {
      type: 'object',
      properties: { spec },
      'x-kubernetes-group-version-kind': [kind],
    };
    const server = await startApiServer(({ url = '' }, response) => {
      if (url === '/openapi/v3') json(response, { paths: { 'apis/example.com/v1': {} } });
      else json(response, { components: { schemas: { shop } } });
    });
    const kubeconfig = writeKubeconfig(server);
    put('shop.yaml', `${CUSTOM}spec: {}\n`);
    put('other.yaml', CUSTOM.replace('example.com', 'example.org'));
    const { code, stdout } = await validate(
      `shop.yaml other.yaml --kube --kubeconfig ${kubeconfig.file}`,
    );
    kubeconfig.remove();
    await server.close();
    expect(code).toBe(1);
    expect(stdout).toContain('shop.yaml:5:1: error: spec.size: Required value');
    expect(stdout).toContain('no matches for kind "Shop" in version "example.org/v1"');
  });
});

describe('the exit code for', () => {
  it.each([
    ['a valid manifest', GOOD, '', 0],
    ['an invalid value', REFUSED, '', 1],
    ['an unknown field', TYPO, '', 1],
    ['a duplicate key', DUPLICATE, '', 1],
    ['a duplicate key and --as kubectl', DUPLICATE, '--as kubectl', 0],
    ['a kind without a pod', SERVICE, '', 0],
    ['a kind without a pod and --strict-kinds', SERVICE, '--strict-kinds', 1],
    ['an unknown kind', CUSTOM, '', 0],
    ['an unknown kind and --strict-kinds', CUSTOM, '--strict-kinds', 1],
    ['a file that is not YAML', 'a: [', '', 2],
    ['an empty file', '', '', 2],
  ])('%s', async (_, text, flags, code) => {
    put('pod.yaml', text);
    expect((await validate(`pod.yaml ${flags}`)).code).toBe(code);
  });

  it('no path is 2', async () => {
    const { code, stderr } = await validate('');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('nothing to validate: name files, folders, or -'),
    ]);
  });

  it('a missing file is 2, and other files are validated', async () => {
    put('pod.yaml', REFUSED);
    const { code, stdout, stderr } = await validate('none.yaml pod.yaml');
    expect([code, stderr]).toEqual([2, 'kprobe: none.yaml: no such file or folder\n']);
    expect(stdout).toContain('pod.yaml:7:11: error: spec.containers[0].name');
  });
});

describe('the text output', () => {
  it('has the line of each error with a caret, and a summary', async () => {
    put('pod.yaml', TYPO);
    const { stdout } = await validate('pod.yaml');
    expect(stdout).toMatch(
      /^pod\.yaml:9:5: error: .*imagePulPolicy.*\n {4} {4}imagePulPolicy: Always\n {8}\^\n/,
    );
    expect(stdout).toMatch(/1 object validated: 1 rejected, 1 error\n$/);
  });

  it('counts the kinds that are not validated', async () => {
    put('all.yaml', [GOOD, SERVICE, SERVICE, CUSTOM].join('---\n'));
    const { stdout } = await validate('all.yaml');
    expect(stdout).toMatch(/not validated, no pods in them: 2 objects \(Service 2\)/);
    expect(stdout).toMatch(/of kinds that kprobe does not know: 1 object \(Shop 1\)\n$/);
  });

  it('escapes control characters from the manifest', async () => {
    put('pod.yaml', HOSTILE);
    expect((await validate('pod.yaml')).stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
  });

  it('covers files, folders and standard input in one run', async () => {
    mkdirSync(join(folder, 'sub'));
    put('sub/a.yaml', GOOD);
    put('sub/b.json', '{"apiVersion": "v1", "kind": "Pod"}');
    put('sub/notes.txt', 'no manifest');
    const { stdout } = await validate('sub -', REFUSED);
    expect(stdout).toMatch(/b\.json:1:1: error: metadata\.name/);
    expect(stdout).toMatch(/3 files, 3 objects validated: 2 rejected, \d+ errors\n$/);
  });
});

describe('the JSON output', () => {
  it('has unchanged texts and counts', async () => {
    put('pod.yaml', HOSTILE);
    const { stdout } = await validate('pod.yaml -o json');
    const report = JSON.parse(stdout) as {
      readonly summary: { readonly errors: number };
      readonly files: readonly { readonly diagnostics: readonly { readonly message: string }[] }[];
    };
    expect(report.summary.errors).toBe(1);
    expect(report.files[0]?.diagnostics[0]?.message).toContain(String.raw`\x1b[31m%0A\r\n::error`);
  });

  it('is one line per object with -o ndjson, in input order', async () => {
    put('all.yaml', [GOOD, REFUSED, SERVICE].join('---\n'));
    const { stdout } = await validate('all.yaml -o ndjson');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { file: 'all.yaml', doc: 0, ok: true, phase: 'created' },
      { file: 'all.yaml', doc: 1, ok: false, phase: 'validate', status: { code: 422 } },
      { file: 'all.yaml', doc: 2, ok: true, phase: 'other' },
    ]);
  });
});

describe('the GitHub workflow commands', () => {
  it('are one per error, and a manifest cannot inject another', async () => {
    put('pod.yaml', HOSTILE);
    const { stdout } = await validate('pod.yaml -o github');
    const commands = stdout.split('\n').filter((line) => line.startsWith('::'));
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatch(/^::error file=pod\.yaml,line=7,col=\d+,title=[^,:]*%3A [^,:]*::/);
    expect(commands[0]).toContain('%250A');
    expect(commands[0]).not.toContain('%0A:');
  });

  it('escape commas and colons in file names', async () => {
    put('a,b:c%.yaml', REFUSED);
    const { stdout } = await validate('a,b:c%.yaml -o github');
    expect(stdout).toContain('file=a%2Cb%3Ac%25.yaml,line=7');
  });
});

it('-o sarif has a rule for each result', async () => {
  put('pod.yaml', REFUSED);
  const { stdout } = await validate('pod.yaml -o sarif');
  const { version, runs } = JSON.parse(stdout) as {
    readonly version: string;
    readonly runs: readonly {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly { readonly ruleId: string }[];
    }[];
  };
  const [run] = runs;
  expect(version).toBe('2.1.0');
  expect(run?.tool.driver.rules.map(({ id }) => id)).toContain(run?.results[0]?.ruleId);
});

it('-o junit escapes text from the manifest', async () => {
  put('bad.yaml', HOSTILE);
  put('good.yaml', GOOD);
  const { stdout } = await validate('bad.yaml good.yaml -o junit');
  expect(stdout).toContain('tests="2" failures="1"');
  expect(stdout).toMatch(/<testcase [^>]*name="good\.yaml"[^>]*\/>/);
  expect(stdout).not.toContain(']]>&<');
  expect(stdout.match(/<failure /g)).toHaveLength(1);
});

it('--kubernetes-version and --feature-gates ask another API server, and a note says for what', async () => {
  put('policy.yaml', `${GOOD}    restartPolicy: Always\n`);
  const { code, stdout, stderr } = await validate('policy.yaml --kubernetes-version 1.33');
  expect([code, stdout.split('\n')[0]]).toEqual([
    1,
    'policy.yaml:9:20: error: spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers',
  ]);
  expect(stderr).toContain('are those of Kubernetes 1.33, all others those of 1.36\n');
  const signal = `${GOOD}    lifecycle: {stopSignal: SIGUSR1}\n  os: {name: linux}\n`;
  put('signal.yaml', signal);
  const kept = await validate('signal.yaml --feature-gates ContainerStopSignals=true');
  expect([kept.code, kept.stdout]).toEqual([0, expect.not.stringContaining('drops it')]);
});
