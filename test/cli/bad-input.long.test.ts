import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { startKprobe } from '../helpers/kprobe.js';

const POD = (container: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: app\n    image: web:1\n${container}`;

/** Files by name, most with a single error. */
const FILES = {
  'good.yaml': POD('    readinessProbe: {tcpSocket: {port: 1}, periodSeconds: 1}\n'),
  'two.yaml': POD('  - name: log\n    image: log:1\n'),
  'exec.yaml': POD('    livenessProbe: {exec: {command: [cat, /tmp/ok]}}\n'),
  'hook.yaml': POD('    lifecycle: {preStop: {exec: {command: [sleep, "1"]}}}\n'),
  'far.yaml': POD('    livenessProbe: {httpGet: {host: shop.example, port: 80}}\n'),
  'unknown-field.yaml': POD('    livenessProbe: {tcpSocket: {port: 80}, periodSecond: 5}\n'),
  'wrong-type.yaml': POD('    livenessProbe: {tcpSocket: {port: 80}, periodSeconds: "5"}\n'),
  'no-handler.yaml': POD('    livenessProbe: {periodSeconds: 5}\n'),
  'two-handlers.yaml': POD('    livenessProbe: {tcpSocket: {port: 80}, exec: {command: [a]}}\n'),
  'port-range.yaml': POD('    livenessProbe: {tcpSocket: {port: 70000}}\n'),
  'port-name.yaml': POD('    livenessProbe: {tcpSocket: {port: HTTP_PORT}}\n'),
  'negative.yaml': POD('    livenessProbe: {tcpSocket: {port: 80}, periodSeconds: -1}\n'),
  'threshold.yaml': POD('    livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}\n'),
  'tab.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n',
  'quote.yaml': 'apiVersion: v1\nkind: "Pod\n',
  'empty.yaml': '',
  'compose.yaml': 'services:\n  db: {image: postgres}\n',
  'service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n',
  'old.yaml': 'apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: web}\n',
  'no-kind.yaml': 'apiVersion: v1\nmetadata: {name: web}\n',
  'bomb.yaml':
    'a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n',
  'run.ndjson': '{"t":0,"kind":"trace","version":1}\n{"t":1,"kind":"note"}\n',
  'scenario-good.yaml': 'name: a\nuntil: 9s\npod: {spec: {containers: [{name: app, image: a}]}}\n',
  'scenario-duration.yaml':
    'name: a\nuntil: 90\npod: {spec: {containers: [{name: app, image: a}]}}\n',
  'scenario-typo.yaml':
    'name: a\nuntil: 9s\ncontainer: {}\npod: {spec: {containers: [{name: app, image: a}]}}\n',
  'scenario-http.yaml':
    'name: a\nuntil: 9s\npod: {spec: {containers: [{name: app, image: a, livenessProbe: {tcpSocket: {port: 1}}}]}}\ncontainers: {app: {runs: [{http: {/a: [{}]}}]}}\n',
  'scenario-period.yaml':
    'name: a\nuntil: 9s\npod: {spec: {containers: [{name: app, image: a, livenessProbe: {tcpSocket: {port: 1}, periodSeconds: -1}}]}}\n',
  'scenario-name.yaml':
    'name: ../a\nuntil: 9s\npod: {spec: {containers: [{name: app, image: a}]}}\n',
  'scenario-container.yaml':
    'name: a\nuntil: 9s\npod: {spec: {containers: [{name: app, image: a}]}}\ncontainers: {ap: {runs: []}}\n',
} as const;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-bad-input-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});

/** Command lines, each with the start of stderr or a pattern for it. */
const ROWS: readonly (readonly [commandLine: string, error: string | RegExp])[] = [
  ['run', 'kprobe: no manifest given: name a file or a folder, or - for standard input'],
  ['run missing.yaml', 'kprobe: missing.yaml: no such file or folder'],
  ['run good.yaml --for 5', /Durations have a unit: write 5s/],
  ['run good.yaml --for 2562048h', /Durations are written as 30s, 1m30s or 500ms/],
  ['run good.yaml --for soon', /Durations are written as 30s, 1m30s or 500ms/],
  ['run good.yaml --timeout -1s', /cannot be negative/],
  [
    'run good.yaml --until redy',
    /Allowed choices are ready, stable, started, restarted, failed, succeeded/,
  ],
  ['run good.yaml --until ready --for 5s', /cannot be used with/],
  ['run good.yaml -p 8080', /Write LOCAL:CONTAINER/],
  ['run good.yaml -p 0:8080', /Write LOCAL:CONTAINER/],
  ['run good.yaml -p 1:2 -p 3:2', /Container port 2 is mapped twice/],
  ['run good.yaml --output xml', /Allowed choices are lines, json, yaml/],
  ['run good.yaml --kubernetes-version 1.20', /Write a release that kprobe plays, 1.32 – 1.37/],
  [
    'run good.yaml --status-file far.yaml',
    'kprobe: far.yaml: is not a pod status; refusing to overwrite it',
  ],
  ['run good.yaml --status-file .', 'kprobe: .: is not a regular file; refusing to overwrite it'],
  ['run good.yaml --status-file none/a', 'kprobe: none/a: no such file or folder'],
  [
    'run good.yaml --status-file a --record ./a',
    'kprobe: --status-file and --record both name ./a: give each a file',
  ],
  [
    'run good.yaml --record hook.yaml',
    'kprobe: hook.yaml: is not a trace; refusing to overwrite it',
  ],
  ['run good.yaml --keep', 'kprobe: --keep needs --create\n'],
  ['run good.yaml --allow-host-path', 'kprobe: --allow-host-path needs --create\n'],
  ['run good.yaml --image app=a:1', 'kprobe: --image needs --create\n'],
  ['run good.yaml --volume data=.', 'kprobe: --volume needs --create\n'],
  ['run good.yaml --create --image app', /Write CONTAINER=IMAGE, such as app=local:tag/],
  ['run good.yaml --create --image a=b --image a=c', /a is given twice/],
  ['run good.yaml --create --image x=b', /--image x=…: no container "x" \(containers: /],
  ['run good.yaml --create --volume data', /Write NAME=FOLDER, such as data=\.\/data/],
  ['run good.yaml --create --volume data=none', /There is no folder none/],
  ['run good.yaml --create --volume data=good.yaml/x', /There is no folder good\.yaml\/x/],
  [
    'run good.yaml --create --volume data=.',
    'kprobe: --volume data=…: no volume "data" (volumes: none)',
  ],
  ['run good.yaml --via exec', 'kprobe: --via needs --docker or --create or --kube\n'],
  ['run good.yaml --restart real', 'kprobe: --restart needs --docker or a command after --\n'],
  [
    'run good.yaml --create --restart real',
    'kprobe: --restart needs --docker or a command after --\n',
  ],
  ['run good.yaml --host http://localhost', /Write a name or an address without scheme and port/],
  ['run good.yaml --host localhost:80', /Write a name or an address without scheme and port/],
  ['run good.yaml --host=', /Write a name or an address without scheme and port/],
  ['run good.yaml --frobnicate', /unknown option '--frobnicate'/],
  [
    'run good.yaml -c app',
    'kprobe: --container app needs a command to run: add -- and the command',
  ],
  ['run good.yaml --', 'kprobe: no command after --'],
  ['run good.yaml -c ap -- node x.js', 'kprobe: no container "ap" (containers: app)'],
  ['run two.yaml -- node x.js', /which container does the command run as\? .*app, log/],
  [
    'run exec.yaml',
    /exec\.yaml:8:\d+: error: spec\.containers\[0\]\.livenessProbe\.exec: would run on this machine: cat \/tmp\/ok \(to allow that, add --allow-local-exec\)/,
  ],
  ['run hook.yaml --run-hooks', /lifecycle\.preStop\.exec: would run on this machine/],
  ['run far.yaml', /livenessProbe\.httpGet\.host: would contact shop\.example/],
  [
    'run unknown-field.yaml',
    /unknown-field\.yaml:8:\d+: error: .*periodSecond: unknown field \(did you mean "periodSeconds"\?\)/,
  ],
  ['run wrong-type.yaml', /periodSeconds: must be a 32-bit integer.*not the string "5"/],
  ['run no-handler.yaml', /livenessProbe: .*must specify a handler type/],
  ['run two-handlers.yaml', /may not specify more than 1 handler type/],
  ['run port-range.yaml', /must be between 1 and 65535/],
  ['run port-name.yaml', /livenessProbe\.tcpSocket\.port/],
  ['run negative.yaml', /must be greater than or equal to 0/],
  ['run threshold.yaml', /successThreshold: .*must be 1/],
  ['run tab.yaml', /tab\.yaml:4:1: error: .*tab/i],
  ['run quote.yaml', /quote\.yaml:\d+:\d+: error: /],
  ['run empty.yaml', /empty\.yaml:1:1: error: the file is empty/],
  ['run service.yaml', /service\.yaml:1:1: error: the file contains no pods/],
  ['run old.yaml', /old\.yaml:1:\d+: error: .*apps\/v1/],
  ['run no-kind.yaml', /no-kind\.yaml:1:1: error: kind: is missing/],
  ['run bomb.yaml', /bomb\.yaml:\d+:\d+: error: /],
  ['run run.ndjson', 'kprobe: run.ndjson: is a trace, not a manifest: kprobe replay shows it'],
  ['explain run.ndjson', 'kprobe: run.ndjson: is a trace, not a manifest'],
  [
    'run compose.yaml',
    'kprobe: compose.yaml: is a compose file, not a manifest: kprobe import compose.yaml writes probes from it',
  ],
  ['good.yaml', 'kprobe: unknown command "good.yaml": did you mean kprobe run good.yaml?'],
  [
    'run good.yaml node x.js',
    'kprobe: node: no such file or folder (a command comes after --: kprobe run good.yaml -- node x.js)',
  ],
  ['run scenario-good.yaml', 'kprobe: scenario-good.yaml: is a scenario, not a manifest'],
  ['once', 'kprobe: nothing to probe: give --http, --https, --tcp, --grpc, --exec or a manifest'],
  [
    'once --http 8080x',
    'kprobe: --http 8080x: write [HOST]:PORT with a port from 1 to 65535, such as :8080/healthz',
  ],
  [
    'once --tcp :99999',
    'kprobe: --tcp :99999: write [HOST]:PORT with a port from 1 to 65535, such as :5432',
  ],
  [
    'once --tcp shop@here:80',
    'kprobe: --tcp shop@here:80: write [HOST]:PORT with a port from 1 to 65535, such as :5432',
  ],
  ['once --http :1 -H :b', 'kprobe: --header :b: write NAME:VALUE'],
  ['once --http :1 -H a/b:c', 'kprobe: --header a/b:c: write NAME:VALUE'],
  ['once --http :1 -H a:\u0007', 'kprobe: --header a:\\x07: write NAME:VALUE'],
  ['once --http :1 -A \u0007', 'kprobe: --user-agent has a character that a header cannot have'],
  ['once --tcp :1 -c app', 'kprobe: --container selects probes of a manifest'],
  ['once --tcp :1 --probe startup', 'kprobe: --probe selects probes of a manifest'],
  [
    'once --tcp :1 --interval 1s',
    'kprobe: --interval needs --repeat or --until-success or --until-failure',
  ],
  [
    'once --tcp :1 --success-threshold 2',
    'kprobe: --success-threshold needs --repeat or --until-success',
  ],
  ['once --tcp :1 --repeat 2 --success-threshold 3', 'kprobe: --repeat 2 cannot reach'],
  ['once --tcp :1 --repeat 2 --until-success', /--repeat.*cannot be used with.*--until-success/],
  ['once --tcp :1 --repeat 0', /--repeat.*Write a whole number from 1/],
  ['once --tcp :1 --service shop', 'kprobe: --service needs a gRPC probe'],
  ['once --grpc :1/a --service b', 'kprobe: --grpc :1/a and --service both name a service'],
  ['once --exec', 'kprobe: --exec needs a command'],
  ['once --tcp :1 -- ls', 'kprobe: a command after -- needs --exec'],
  ['once --tcp :1 -H a:b', 'kprobe: --header needs an HTTP probe'],
  ['once --http :1 -H ab', 'kprobe: --header ab: write NAME:VALUE'],
  ['once good.yaml --probe startup', 'kprobe: good.yaml: no startup probe'],
  ['once good.yaml --probe alive', /Allowed choices are startup, readiness, liveness/],
  ['once good.yaml -m 0s', /It must be more than 0/],
  ['once good.yaml -c ap', 'kprobe: good.yaml: no container "ap" (containers: app)'],
  [
    'once localhost:8080/x',
    'kprobe: localhost:8080/x: no such file; to probe an address, write --http localhost:8080/x',
  ],
  [
    'once :8080',
    'kprobe: :8080: no such file; to probe an address, write --http :8080, or --tcp :8080',
  ],
  ['simulate', 'kprobe: nothing to simulate: name a manifest or a scenario file, or -'],
  ['simulate scenario-good.yaml --latency 1s', /leave out the options/],
  ['simulate no-kind.yaml', /no-kind\.yaml:1:1: error: kind: is missing/],
  ['simulate scenario-duration.yaml --trace out', /scenario-duration\.yaml:2:8: error: until: /],
  [
    'simulate scenario-typo.yaml --trace out',
    /container: unknown field \(did you mean "containers"\?\)/,
  ],
  [
    'simulate scenario-http.yaml --trace out',
    /scenario-http\.yaml:4:\d+: error: .*no probe or hook of app uses this http endpoint/,
  ],
  [
    'simulate scenario-period.yaml',
    /scenario-period\.yaml:3:\d+: error: pod\.spec\.containers\[0\]\.livenessProbe\.periodSeconds: .*greater than/,
  ],
  ['simulate good.yaml --for 1s --trace good.yaml', 'kprobe: good.yaml: is a file, not a folder'],
  ['simulate good.yaml --for 1s --trace /proc/kprobe/a', /kprobe: \/proc\/kprobe\/a: /],
  ['simulate scenario-name.yaml --trace out', /must be a valid file name/],
  [
    'simulate scenario-container.yaml --trace out',
    /no container of this name \(did you mean "app"\?\)/,
  ],
  ['lint --diff tab.yaml', /tab\.yaml:4:1: error: .*tab/i],
  ['frobnicate', /unknown command 'frobnicate'/],
  ['help frobnicate', "kprobe: unknown command 'frobnicate'\n(see kprobe --help)\n"],
  ['help rnu', "kprobe: unknown command 'rnu'\n(Did you mean run?)\n"],
  // Without a cluster, too.
  ['watch spoon/web', 'kprobe: unknown resource type "spoon" ('],
  ['watch spoon web', 'kprobe: unknown resource type "spoon" ('],
  ['watch deploy', 'kprobe: deploy: name one, such as deploy/web\n'],
  ['watch node/a', /^kprobe: node\/a: kprobe watches pods, |unknown resource type "node"/],
  ['watch cj', 'kprobe: cj: name one, such as cj/web\n'],
  ['watch rc/a', /^kprobe: rc\/a: kprobe watches pods, .*, jobs, cronjobs\n$/],
  ['once --kube spoon/web', 'kprobe: unknown resource type "spoon" ('],
  ['lint --kube deploy', 'kprobe: --kube deploy: write TYPE/NAME, such as pod/web\n'],
  ['explain good.yaml -o xml', /\(see kprobe explain --help\)/],
];

describe.concurrent('bad input', () => {
  it.each(ROWS)('kprobe %s exits with 2 and an error that helps', async (line, error) => {
    const { code, stdout, stderr } = await inProcess(line.split(' '), { cwd: folder });
    // A slow machine says first what it waits for.
    const text = stderr.replace('kprobe: waiting for docker\n', '');
    if (typeof error === 'string') expect(text.startsWith(error) ? error : text).toBe(error);
    else expect(text).toMatch(error);
    expect([code, stdout]).toEqual([2, '']);
  });

  it.each([
    ['an option value', ['once', 'good.yaml', '-c', '\u001b[31mapp\u0007']],
    [
      'an option value that is not a valid choice',
      ['run', 'good.yaml', '-o', '\u001b[31mapp\u0007'],
    ],
    ['an option', ['lint', '--\u001b[31mapp\u0007']],
    ['a file', ['explain', '\u001b[31mapp\u0007']],
    ['a trace', ['replay', '\u001b[31mapp\u0007']],
  ])('control characters are escaped in the error for %s', async (_, args) => {
    const { code, stderr } = await inProcess(args, { cwd: folder });
    expect(stderr).toContain('\\x1b[31mapp\\x07');
    expect(stderr).not.toMatch(/[\u001b\u0007]/);
    expect(code).toBe(2);
  });

  it('simulate does not overwrite a file that is not a trace', async () => {
    writeFileSync(join(folder, 'default_web.ndjson'), 'notes\n');
    const args = ['simulate', 'good.yaml', '--for', '1s', '--trace', '.'];
    const { code, stderr } = await inProcess(args, { cwd: folder });
    expect(stderr).toMatch(/default_web\.ndjson: is not a trace/);
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'default_web.ndjson'), 'utf8')).toBe('notes\n');
  });

  it('run leaves output files unchanged when it cannot start', async () => {
    const before = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nstatus:\n  phase: Running\n';
    writeFileSync(join(folder, 'status.out'), before);
    const args = ['good.yaml', '--status-file', 'status.out', '--record', 'two.yaml'];
    const { code } = await inProcess(['run', ...args], { cwd: folder });
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'status.out'), 'utf8')).toBe(before);
    expect(readFileSync(join(folder, 'two.yaml'), 'utf8')).toBe(FILES['two.yaml']);
  });

  it('a long option value is omitted from the error', async () => {
    const args = ['run', 'good.yaml', '--for', 'x'.repeat(50_000)];
    const { code, stderr } = await inProcess(args, { cwd: folder });
    expect(stderr.length).toBeLessThan(5000);
    expect(stderr).toContain('Durations are written as 30s');
    expect(code).toBe(2);
  });

  it.each([
    ['an empty file name', '', 'kprobe: "": no such file or folder'],
    ['a blank file name', ' ', 'kprobe: " ": no such file or folder'],
    [
      'a file name that is too long',
      'x'.repeat(300),
      `kprobe: ${'x'.repeat(300)}: the name is too long`,
    ],
  ])('%s is reported', async (_, name, error) => {
    const { code, stderr } = await inProcess(['explain', name], { cwd: folder });
    expect(stderr).toBe(`${error}\n`);
    expect(code).toBe(2);
  });
});

it.each(['lint', 'replay', 'simulate'])(
  '%s says that it waits for a named pipe',
  async (command) => {
    const pipe = join(mkdtempSync(join(tmpdir(), 'kprobe-test-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const child = startKprobe([command, pipe]);
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text).toMatch(/waiting for a writer of .*pipe, a named pipe/);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(130);
  },
);
