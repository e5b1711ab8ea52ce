import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { freePort } from '../../../helpers/free-port.js';
import { inProcess } from '../../../helpers/in-process.js';
import { ended, startKprobe } from '../../../helpers/kprobe.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-reports-'));
const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');

afterAll(() => rmSync(folder, { recursive: true }));

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: app
      image: example/web:1
      env: [{ name: API_TOKEN, value: s3cr3t-value }]
      startupProbe:
        tcpSocket: { port: 8080 }
        periodSeconds: 1
      readinessProbe:
        tcpSocket: { port: 8080 }
        periodSeconds: 1
      livenessProbe:
        tcpSocket: { port: 8080 }
        periodSeconds: 1
`;

describe('kprobe simulate --report', () => {
  writeFileSync(at('pod.yaml'), POD);

  it('writes all reports', async () => {
    const kinds = ['html', 'junit', 'markdown', 'tap'];
    const reports = kinds.flatMap((kind) => ['--report', `${kind}=${at(kind)}`]);
    const { code, stdout } = await inProcess(
      [
        'simulate',
        'pod.yaml',
        '--for',
        '20s',
        '--ready-after',
        '5s',
        ...reports,
        '--report',
        'github=-',
      ],
      { cwd: folder },
    );
    expect(code).toBe(1);
    expect(text('junit')).toContain('<testsuite name="default/web" tests="4" failures="1"');
    expect(text('markdown')).toContain('❌ failed | app startup: tcp :8080');
    expect(text('html')).toContain('startup 3 × refused');
    expect(text('html')).not.toContain('s3cr3t-value');
    expect(text('tap')).toContain('not ok 2 - default/web app startup');
    expect(stdout).toMatch(/::error file=pod\.yaml,line=10,col=7,title=kprobe simulate::/);
  });

  it('takes less than 300 kB for ten minutes of three probes each second', async () => {
    const page = `html=${at('ten.html')}`;
    const { code } = await inProcess([
      'simulate',
      at('pod.yaml'),
      '--for',
      '10m',
      '--fail-rate',
      '0.2',
      '--report',
      page,
    ]);
    expect(code).not.toBe(2);
    expect(text('ten.html').match(/<tr id=/g)?.length).toBeGreaterThan(1000);
    expect(Buffer.byteLength(text('ten.html'))).toBeLessThan(300_000);
  });

  it('appends to the summary of a job', async () => {
    writeFileSync(at('summary.md'), 'before\n');
    const report = `markdown=${at('summary.md')}`;
    await inProcess(['simulate', at('pod.yaml'), '--for', '5s', '--report', report], {
      env: { GITHUB_STEP_SUMMARY: at('summary.md') },
    });
    expect(text('summary.md')).toMatch(/^before\n## ✅ kprobe simulate/);
  });

  it.each([
    ['pdf=x', 'kinds: html, junit, markdown, tap, github'],
    ['html=/no/such/folder/x.html', 'no such file or folder'],
    ['html=/', 'is a folder'],
  ])('refuses %s before anything starts', async (report, message) => {
    const { code, stderr } = await inProcess(['simulate', at('pod.yaml'), '--report', report]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('kprobe run --report with a condition that can no longer be met', () => {
  it.each([
    ['junit', /<failure message="default\/web can no longer succeed/],
    ['tap', /message: "default\/web can no longer succeed/],
    ['markdown', /^## ❌ kprobe run: default\/web can no longer succeed/m],
    ['html', /<h1 class=bad>default\/web can no longer succeed/],
    ['github', /^::error title=kprobe run::default\/web can no longer succeed/m],
  ])('writes %s with the reason in it', async (kind, pattern) => {
    const file = at(`impossible-${kind}`);
    writeFileSync(file, 'all checks passed');
    const words = ['run', at('pod.yaml'), '--until', 'succeeded', '--report', `${kind}=${file}`];
    const { code } = await inProcess([...words, '--', 'sleep', '20']);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toMatch(pattern);
  });
});

describe('kprobe once --report', () => {
  it('has a test for each probe that the command line describes', async () => {
    const port = await freePort();
    const { code } = await inProcess([
      ...[
        'once',
        '--tcp',
        `:${port}`,
        '--http',
        `:${port}/x`,
        '--report',
        `junit=${at('once.xml')}`,
      ],
      ...['--report', `html=${at('once.html')}`],
    ]);
    expect(code).toBe(1);
    expect(text('once.xml')).toContain('<testsuites name="kprobe once" tests="2" failures="2"');
    expect(text('once.xml')).toContain(`name="probe liveness: http :${port}/x"`);
    expect(text('once.html')).toContain('0 of 2 probes as wanted');
  });
});

describe('a run', () => {
  it('and the replay of its recording make the same pages', async () => {
    const args = [
      'run',
      at('pod.yaml'),
      '-p',
      '1:8080',
      '--until',
      'restarted',
      '--timeout',
      '10m',
    ];
    const run = await inProcess([
      ...args,
      ...['--record', at('run.ndjson'), '--report', `junit=${at('run.xml')}`],
      ...['--report', `html=${at('run.html')}`],
    ]);
    expect(run.code).toBe(0);
    const replay = await inProcess([
      ...['replay', at('run.ndjson'), '--report', `junit=${at('replay.xml')}`],
      ...['--report', `html=${at('replay.html')}`],
    ]);
    expect(replay.code).toBe(0);
    expect(text('replay.xml')).toBe(text('run.xml').replaceAll('kprobe run', 'kprobe replay'));
    const rows = (page: string): RegExpMatchArray | null => text(page).match(/<tr id=.*/g);
    expect(rows('run.html')?.length).toBeGreaterThan(2);
    expect(rows('replay.html')).toEqual(rows('run.html'));
    const page = `html=${at('other.html')}`;
    await inProcess(['suggest', at('run.ndjson'), '--report', page]);
    expect(text('other.html')).toContain('<h3>Proposed settings</h3>');
    await inProcess([
      ...['replay', at('run.ndjson'), '--set', 'app.startupProbe.failureThreshold=9'],
      ...['--report', page],
    ]);
    expect(text('other.html')).toContain('<h3>Compared with the recording</h3>');
    expect(text('other.html')).toContain('failureThreshold: 9');
  });

  it('that Ctrl-C ends shows what the setting that its diagnosis proposes would have changed', async () => {
    const server = createServer((_, response) => response.end('ok'));
    const port = await freePort();
    let isEnding = false;
    const run = startKprobe([
      ...['run', at('pod.yaml'), '-p', `${port}:8080`, '--for', '10m'],
      ...['--report', `html=${at('late.html')}`],
    ]);
    run.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('Killing') && !server.listening) server.listen(port, '127.0.0.1');
      // A second signal ends kprobe at once, without a report.
      if (chunk.includes('running, started') && !isEnding) isEnding = run.kill('SIGINT');
    });
    expect((await ended(run)).code).toBe(130);
    server.close();
    expect(text('late.html')).toMatch(/<code>app\.startupProbe\.failureThreshold=\d+<\/code>/);
  });

  it('refuses one file for a report and for the recording', async () => {
    const file = at('both');
    const { code, stderr } = await inProcess([
      'run',
      at('pod.yaml'),
      '--record',
      file,
      '--report',
      `html=${file}`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--report and --record both name');
    expect(existsSync(file)).toBe(false);
  });
});

const KINDS = ['html', 'junit', 'markdown', 'tap', 'github'] as const;
const ALL = KINDS.flatMap((kind) => ['--report', `${kind}=${at(`unstarted.${kind}`)}`]);

describe('every report of a run that did not start', () => {
  writeFileSync(at('invalid.yaml'), POD.replace('periodSeconds: 1', 'periodSeconds: -1'));

  it.each([
    ['run', 'invalid.yaml', [], 2, 'must be greater than'],
    ['ci', 'invalid.yaml', ['--', 'true'], 2, 'must be greater than'],
    ['run', 'missing.yaml', [], 2, 'no such file'],
    ['run', 'pod.yaml', ['--docker', 'web'], 3, 'docker'],
    ['ci', 'pod.yaml', ['--create'], 3, 'docker'],
    ['watch', 'web', ['--server', 'http://127.0.0.1:1'], 3, '127.0.0.1:1'],
  ])('has the error: kprobe %s %s %j', async (command, file, more, exitCode, message) => {
    for (const kind of KINDS) writeFileSync(at(`unstarted.${kind}`), 'of an earlier run');
    const { code, stderr } = await inProcess([command, file, ...ALL, ...more], {
      cwd: folder,
      env: { DOCKER_HOST: 'unix:///no/such/socket', KUBECONFIG: '/dev/null' },
    });
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
    for (const kind of KINDS) {
      const name = `unstarted.${kind}`;
      expect([kind, text(name)]).not.toEqual([kind, expect.stringContaining('earlier run')]);
      if (kind === 'tap') expect(text(name)).toContain('Bail out! ');
      else if (kind !== 'github') expect(text(name)).toContain(message);
      else expect(text(name)).toMatch(/^::error /);
    }
  });
});

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
  ['a reader that leaves', 141],
] as const)('every report of a run that %s ends is red and names it', async (end, exitCode) => {
  const run = startKprobe(['run', at('pod.yaml'), '--for', '1m', ...ALL]);
  run.stdout?.once('data', () =>
    end === 'a reader that leaves' ? run.stdout?.destroy() : run.kill(end),
  );
  const [code] = (await once(run, 'exit')) as [number | null];
  expect(code).toBe(exitCode);
  expect(text('unstarted.junit')).toMatch(/errors="1"[^]*<error message="interrupted after /);
  expect(text('unstarted.tap')).toMatch(/^Bail out! interrupted after /m);
  expect(text('unstarted.markdown')).toContain('## ❌ kprobe run: interrupted after ');
  expect(text('unstarted.html')).toContain('<h1 class=bad>interrupted after ');
  expect(text('unstarted.github')).toContain('::error title=kprobe run::interrupted after ');
});
