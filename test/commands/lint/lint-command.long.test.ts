import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';

const POD = (probe: string, image = 'example.com/web:1.4'): string => `apiVersion: v1
kind: Pod
metadata:
  name: web # the front
spec:
  containers:
  - name: app
    image: ${image}
    ports:
    - name: http
      containerPort: 8080
    readinessProbe:
      httpGet: ${probe}
`;
const GOOD = POD('{path: /readyz, port: http}');
const TYPO = POD('{path: /readyz, port: htttp} # soon');
const LATEST = POD('{path: /readyz, port: http}', 'example.com/web');

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-lint-'));
  mkdirSync(join(folder, '.git'));
});

function put(name: string, text: string | Buffer): string {
  writeFileSync(join(folder, name), text);
  return name;
}

function lint(commandLine: string, input?: string): Promise<InProcessEnd> {
  const args = commandLine.split(' ').filter((word) => word !== '');
  return inProcess(['lint', ...args], { cwd: folder, ...(input !== undefined && { input }) });
}

describe('the exit code for', () => {
  it.each([
    ['no findings', GOOD, '', 0],
    ['a warning', LATEST, '', 0],
    ['a warning, with --fail-on warning', LATEST, '--fail-on warning', 1],
    ['a warning, with --fail-on info', LATEST, '--fail-on info', 1],
    ['an error', TYPO, '', 1],
    ['an invalid manifest', GOOD.replace('name: app', 'name: APP'), '', 1],
    ['a file that is not YAML', 'a: [', '', 2],
    ['an empty file', '', '', 2],
    ['an error of a rule disabled by --without', TYPO, '--without named-port-missing', 0],
    ['an error of a rule not selected by --rule', TYPO, '--rule latest-image', 0],
  ])('%s', async (_, text, flags, code) => {
    put('pod.yaml', text);
    expect((await lint(`pod.yaml ${flags}`)).code).toBe(code);
  });

  it('a missing file is 2, and other files are linted', async () => {
    put('pod.yaml', TYPO);
    const { code, stdout, stderr } = await lint('none.yaml pod.yaml');
    expect([code, stderr]).toEqual([2, 'kprobe: none.yaml: no such file or folder\n']);
    expect(stdout).toContain('[named-port-missing]');
  });
});

it('a finding has its position, reason, rule and fix', async () => {
  put('pod.yaml', TYPO);
  expect((await lint('pod.yaml')).stdout)
    .toBe(`pod.yaml:13:38: error: spec.containers[0].readinessProbe.httpGet.port: container "app" has no port named "htttp"; the kubelet fails every attempt (did you mean "http"?) [named-port-missing]
          httpGet: {path: /readyz, port: htttp} # soon
                                         ^
    --fix makes this change:
    @@ -10,4 +10,4 @@
         - name: http
           containerPort: 8080
         readinessProbe:
    -      httpGet: {path: /readyz, port: htttp} # soon
    +      httpGet: {path: /readyz, port: http} # soon
1 file, 1 object checked: 1 error
1 of them can be fixed by --fix
`);
});

it('the files of a folder are linted together, so that a Service applies to pods of other files', async () => {
  mkdirSync(join(folder, 'all'));
  const pod = GOOD.replace(/ {4}readinessProbe[^]*/, '').replace(
    '  name: web',
    '  name: web\n  labels: {app: web}',
  );
  put('all/pod.yaml', pod);
  put(
    'all/service.yaml',
    'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}\n',
  );
  const { stdout } = await lint('all -o ndjson');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { rule: string }).rule),
  ).toEqual(['no-readiness-probe']);
});

describe('the configuration', () => {
  it('is found in a parent folder', async () => {
    put('.kprobe.yaml', 'failOn: warning\n');
    mkdirSync(join(folder, 'deploy'));
    put('deploy/pod.yaml', LATEST);
    const { code } = await inProcess(['lint', 'pod.yaml'], { cwd: join(folder, 'deploy') });
    expect(code).toBe(1);
  });

  it('has paths relative to its own folder', async () => {
    put('.kprobe.yaml', 'overrides: [{paths: [deploy/*.yaml], rules: {latest-image: error}}]\n');
    mkdirSync(join(folder, 'deploy'));
    put('deploy/pod.yaml', LATEST);
    put('pod.yaml', LATEST);
    expect((await lint('deploy/pod.yaml')).code).toBe(1);
    expect((await lint('pod.yaml')).code).toBe(0);
  });

  it('is reported with line and field when it is invalid', async () => {
    put('pod.yaml', GOOD);
    put('.kprobe.yaml', 'rules:\n  late-redy: off\n');
    const { code, stderr } = await lint('pod.yaml');
    expect(code).toBe(2);
    expect(stderr).toContain(
      '.kprobe.yaml:2:3: error: rules.late-redy: unknown rule (did you mean "late-ready"?)',
    );
  });

  it('is ignored with --no-config and replaced with --config', async () => {
    put('pod.yaml', LATEST);
    put('.kprobe.yaml', 'failOn: warning\n');
    put('other.yaml', 'rules: {latest-image: error}\n');
    expect((await lint('pod.yaml --no-config')).code).toBe(0);
    expect((await lint('pod.yaml --config other.yaml')).code).toBe(1);
  });
});

describe('--fix', () => {
  it('edits only what it fixes, and nothing the second time', async () => {
    put('pod.yaml', TYPO);
    expect(await lint('pod.yaml --fix')).toMatchObject({
      code: 0,
      stderr: 'kprobe: fixed pod.yaml\n',
    });
    const mended = readFileSync(join(folder, 'pod.yaml'), 'utf8');
    expect(mended).toBe(TYPO.replace('htttp', 'http'));
    expect(await lint('pod.yaml --fix')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(folder, 'pod.yaml'), 'utf8')).toBe(mended);
  });

  it.each([
    ['CRLF line breaks', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['a missing last line break', (text: string) => Buffer.from(text.trimEnd())],
  ])('keeps %s', async (_, encoded) => {
    put('pod.yaml', encoded(TYPO));
    await lint('pod.yaml --fix');
    expect(readFileSync(join(folder, 'pod.yaml'))).toEqual(encoded(TYPO.replace('htttp', 'http')));
  });

  it('does not edit a file that is not UTF-8', async () => {
    const text = Buffer.concat([Buffer.from(`${TYPO}# caf`), Buffer.from([0xe9, 0x0a])]);
    put('pod.yaml', text);
    const { code, stderr } = await lint('pod.yaml --fix');
    expect([code, stderr]).toEqual([
      2,
      'kprobe: pod.yaml: is not UTF-8, or has just changed: not fixed\n',
    ]);
    expect(readFileSync(join(folder, 'pod.yaml'))).toEqual(text);
  });

  it('keeps symbolic links and file modes', async () => {
    put('real.yaml', TYPO);
    chmodSync(join(folder, 'real.yaml'), 0o640);
    symlinkSync('real.yaml', join(folder, 'pod.yaml'));
    await lint('pod.yaml --fix');
    expect(lstatSync(join(folder, 'pod.yaml')).isSymbolicLink()).toBe(true);
    expect(statSync(join(folder, 'real.yaml')).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(folder, 'real.yaml'), 'utf8')).toBe(TYPO.replace('htttp', 'http'));
  });

  it('makes several fixes in one file', async () => {
    const text = `${TYPO}---\n${TYPO.replace('name: web', 'name: web2')}`;
    put('pod.yaml', text);
    await lint('pod.yaml --fix');
    expect(readFileSync(join(folder, 'pod.yaml'), 'utf8')).toBe(text.replaceAll('htttp', 'http'));
  });

  it('cannot edit standard input', async () => {
    const { code, stderr } = await lint('- --fix', TYPO);
    expect([code, stderr]).toEqual([2, 'kprobe: --fix cannot edit standard input\n']);
  });
});

it('--diff prints what --fix would change, and changes nothing', async () => {
  put('pod.yaml', TYPO);
  const { code, stdout } = await lint('pod.yaml --diff');
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '--- a/pod.yaml',
    '+++ b/pod.yaml',
    '@@ -10,4 +10,4 @@',
  ]);
  expect(readFileSync(join(folder, 'pod.yaml'), 'utf8')).toBe(TYPO);
});

it.each([
  ['one finding has no safe fix', [], 1, '; kprobe lint shows 1 finding without a safe fix'],
  ['nothing is found', ['--rule', 'timeout-equals-period'], 0, ''],
])('--diff says that there is nothing to fix when %s', async (_, rule, code, left) => {
  put('pod.yaml', TYPO.replace('htttp', 'other'));
  expect(await lint(['pod.yaml --diff', ...rule].join(' '))).toMatchObject({
    code,
    stdout: '',
    stderr: `kprobe: nothing to fix${left}\n`,
  });
});

it.each([
  [
    'json',
    (text: string) =>
      (JSON.parse(text) as { files: { diagnostics: { rule: string }[] }[] }).files[0]
        ?.diagnostics[0]?.rule,
  ],
  ['ndjson', (text: string) => (JSON.parse(text) as { rule: string }).rule],
  [
    'sarif',
    (text: string) =>
      (JSON.parse(text) as { runs: { results: { ruleId: string }[] }[] }).runs[0]?.results[0]
        ?.ruleId,
  ],
  ['github', (text: string) => /::error file=pod\.yaml,line=13.*lint%3A ([\w-]+)/.exec(text)?.[1]],
  ['junit', (text: string) => /<failure type="([\w-]+)"/.exec(text)?.[1]],
])('-o %s names the rule', async (format, ruleIn) => {
  put('pod.yaml', TYPO);
  expect(ruleIn((await lint(`pod.yaml -o ${format}`)).stdout)).toBe('named-port-missing');
});

it.each([
  ['junit', '<failure type="latest-image" message="1 finding: '],
  ['github', '::error file=pod.yaml,line=8'],
  ['sarif', '"level": "error"'],
])('-o %s reports a warning as a failure with --fail-on warning', async (format, failure) => {
  put('pod.yaml', LATEST);
  expect((await lint(`pod.yaml -o ${format}`)).stdout).not.toContain(failure);
  const { code, stdout } = await lint(`pod.yaml -o ${format} --fail-on warning`);
  expect(code).toBe(1);
  expect(stdout).toContain(failure);
});

it('--record compares the startup probe with a recorded start', async () => {
  const record = join(import.meta.dirname, '../../../examples/record-replay/run.ndjson');
  const startup = '  startupProbe: {httpGet: {path: /readyz, port: http}, periodSeconds: 2}';
  put('pod.yaml', `${GOOD}  ${startup}\n`);
  expect((await lint('pod.yaml --rule startup-budget-too-short')).stdout).toContain('no findings');
  const { code, stdout } = await lint(
    `pod.yaml --rule startup-budget-too-short --record ${record}`,
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/the slowest recorded start took \d\.\d s/);
});

it('--list prints the rules', async () => {
  const { code, stdout } = await lint('--list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^latest-image +warning +a restart may run another image$/m);
});

it.each([
  ['', 'kprobe: nothing to lint: name files, folders, or -'],
  ['pod.yaml --rule late-redy', 'kprobe: no rule "late-redy" (did you mean late-ready?)'],
  ['pod.yaml --fix --diff', 'cannot be used with'],
  [
    'pod.yaml --kubernetes-version 1.36 --upgrade-to 1.34',
    'kprobe: --upgrade-to: Kubernetes 1.34 is older than 1.36',
  ],
  ['pod.yaml --config none.yaml', 'kprobe: none.yaml: no such file or folder'],
  ['pod.yaml -o xml', 'Allowed choices are text, json, ndjson, github, sarif, junit'],
])('lint %s is a usage error', async (commandLine, error) => {
  put('pod.yaml', GOOD);
  const { code, stderr } = await lint(commandLine);
  expect(code).toBe(2);
  expect(stderr).toContain(error);
});
