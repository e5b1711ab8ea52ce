import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { ROOT } from '../helpers/kprobe.js';

const KPROBE = join(ROOT, 'bin/kprobe.js');

/** Secret values by where they are in the manifest. */
const PLANTED = {
  'an inline variable': 'pl4nted-inline-value',
  'a short variable that a probe expands': 'xq7',
  'a Secret': 'pl4nted-from-secret',
  'a header': 'pl4nted-header-token',
  'an argument of a probe': 'pl4nted-argument',
  'a variable of a URL': 'pl4nted-userinfo',
  'a value with quotes, as JSON has it': String.raw`pl4nted \"quoted\" one`,
  'the last applied configuration': 'pl4nted-last-applied',
} as const;
const { 'a short variable that a probe expands': SHORT, ...LONG } = PLANTED;

/** A pod whose command, probes and hook print all values. */
const POD = `apiVersion: v1
kind: Secret
metadata:
  name: db
stringData:
  entry: ${PLANTED['a Secret']}
---
apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"spec":{"containers":[{"env":[{"name":"A_TOKEN","value":"${PLANTED['the last applied configuration']}"}]}]}}
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: app
      image: app:1
      env:
        - name: INLINE_TOKEN
          value: ${PLANTED['an inline variable']}
        - name: SHORT_PASSWORD
          value: ${SHORT}
        - name: FROM
          valueFrom:
            secretKeyRef:
              name: db
              key: entry
        - name: DATABASE
          value: postgres://me:${PLANTED['a variable of a URL']}@db.internal:5432/app
        - name: QUOTED_SECRET
          value: 'pl4nted "quoted" one'
      ports:
        - containerPort: 18973
      startupProbe:
        exec:
          command: [sh, -c, 'env; echo "$1"', $(SHORT_PASSWORD), --password=${PLANTED['an argument of a probe']}]
      readinessProbe:
        periodSeconds: 1
        httpGet:
          port: 18973
          path: /
          httpHeaders:
            - name: X-Internal-Token
              value: ${PLANTED['a header']}
            - name: Authorization
              value: Bearer ${PLANTED['a header']}
      livenessProbe:
        exec:
          command: [sh, -c, 'env >&2; exit 1']
      lifecycle:
        postStart:
          exec:
            command: [sh, -c, 'env; echo ${PLANTED['an argument of a probe']}; exit 0']
`;

/** Prints its environment, and answers each request with its headers. */
const SERVER = `
const { createServer } = require('node:http');
console.log(JSON.stringify(process.env));
console.error(Object.values(process.env).filter(({ length }) => length > 5).join(' '));
createServer(({ headers }, response) => {
  response.writeHead(503, { 'Set-Cookie': 'id=' + headers['x-internal-token'] });
  response.end(JSON.stringify({ env: process.env, headers }));
}).listen(18973, '127.0.0.1');
`;

let folder = '';
const at = (name: string): string => join(folder, name);

async function kprobe(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await inProcess(args, { cwd: folder, env: { CI: '1' } });
  return stdout + stderr;
}

function leaks(text: string, values: Readonly<Record<string, string>> = LONG): string[] {
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  return Object.entries(values)
    .filter(([, value]) => text.includes(value) || text.includes(base64(value)))
    .map(([name]) => name);
}

const RUN = ['run', 'pod.yaml', '--allow-local-exec', '--for', '5s', '--logs', '-v'];
const COMMAND = ['--', process.execPath, 'server.cjs'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  writeFileSync(at('pod.yaml'), POD);
  writeFileSync(at('server.cjs'), SERVER);
  await kprobe(
    ...RUN,
    '-o',
    'json',
    '--record',
    'masked.ndjson',
    '--status-file',
    'status.yaml',
    ...COMMAND,
  );
  await kprobe(...RUN, '-o', 'json', '--record', 'whole.ndjson', '--with-secrets', ...COMMAND);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('secrets', () => {
  it('are all in a recording with --with-secrets', () => {
    const whole = readFileSync(at('whole.ndjson'), 'utf8');
    expect(leaks(whole, PLANTED)).toEqual(Object.keys(PLANTED));
  });

  it('are in no other recording and no status file', () => {
    const recording = readFileSync(at('masked.ndjson'), 'utf8');
    expect(leaks(recording, PLANTED)).toEqual([]);
    expect(recording).toContain('***');
    expect(leaks(readFileSync(at('status.yaml'), 'utf8'), PLANTED)).toEqual([]);
  });

  it('are in files that only their owner can read', () => {
    for (const name of ['masked.ndjson', 'whole.ndjson', 'status.yaml']) {
      expect(statSync(at(name)).mode & 0o777).toBe(0o600);
    }
  });

  it.each([['lines'], ['json'], ['yaml']])(
    'are not printed by kprobe run -o %s',
    async (output) => {
      const text = await kprobe(...RUN, '-o', output, ...COMMAND);
      expect(text).toContain('web');
      expect(leaks(text, output === 'json' ? PLANTED : LONG)).toEqual([]);
    },
  );

  it.each([
    ['replay', 'FILE', '-o', 'lines', '-v', '--logs'],
    ['replay', 'FILE', '-o', 'json'],
    ['replay', 'FILE', '-o', 'yaml'],
    ['replay', 'FILE', '--set', 'app.readinessProbe.periodSeconds=2'],
    ['replay', 'FILE', '--set', 'app.readinessProbe.periodSeconds=2', '-o', 'json'],
    ['suggest', 'FILE'],
    ['suggest', 'FILE', '-o', 'json'],
    ['suggest', 'FILE', '-o', 'yaml'],
  ])(
    'are not printed by kprobe %s %s %s %s, even from a recording with secrets',
    async (...args) => {
      for (const file of ['masked.ndjson', 'whole.ndjson']) {
        const text = await kprobe(...args.map((word) => (word === 'FILE' ? file : word)));
        // In a recording, the value of a Secret cannot be told apart from other texts.
        expect(leaks(text).filter((name) => name !== 'a Secret')).toEqual([]);
      }
    },
  );

  it('do not change the verdict of replay --set', async () => {
    for (const args of [
      ['--set', 'app.startupProbe.failureThreshold=1'],
      [
        '--set',
        'app.livenessProbe.periodSeconds=1',
        '--set',
        'app.livenessProbe.failureThreshold=1',
      ],
    ]) {
      const replay = (name: string) =>
        inProcess(['replay', at(`${name}.ndjson`), ...args, '-o', 'json']);
      const [masked, whole] = [await replay('masked'), await replay('whole')];
      const verdict = (text: string): unknown =>
        (JSON.parse(text) as { sentence: unknown }).sentence;
      expect(masked.code).toBe(whole.code);
      expect(verdict(masked.stdout)).toEqual(verdict(whole.stdout));
    }
  });

  it.each([
    ['once', 'pod.yaml', '--allow-local-exec', '-v'],
    ['once', 'pod.yaml', '--allow-local-exec', '-v', '-o', 'json'],
    ['once', 'pod.yaml', '--allow-local-exec', '-o', 'junit'],
    ['simulate', 'pod.yaml', '--for', '30s'],
    ['simulate', 'pod.yaml', '--for', '30s', '-o', 'json'],
    ['simulate', 'pod.yaml', '--for', '30s', '-o', 'lines', '-v'],
    ['simulate', 'pod.yaml', '--for', '30s', '-o', 'yaml'],
    ['explain', 'pod.yaml'],
    ['explain', 'pod.yaml', '-o', 'json'],
    ['explain', 'pod.yaml', '-o', 'svg'],
    ...['text', 'json', 'ndjson', 'github', 'sarif', 'junit'].flatMap((output) => [
      ['lint', 'pod.yaml', '-o', output],
      ['validate', 'pod.yaml', '-o', output],
    ]),
  ])('are not printed by kprobe %s %s %s %s %s %s', async (...args) => {
    const text = await kprobe(...args);
    expect(text).not.toBe('');
    expect(leaks(text)).toEqual([]);
  });

  it.each(['text', 'json'])('are not printed by kprobe diff -o %s', async (output) => {
    const values = Object.values(LONG).map((value) => value.replaceAll('\\', ''));
    const other = values.reduce((text, value) => text.replaceAll(value, `${value}-2`), POD);
    writeFileSync(at('other.yaml'), other.replace('value: xq7', 'value: [1]'.replace('[1]', 'q1')));
    const text = await kprobe('diff', 'pod.yaml', 'other.yaml', '-o', output);
    expect(text).toContain('***');
    expect(leaks(text)).toEqual([]);
    const whole = await kprobe('diff', 'pod.yaml', 'other.yaml', '-o', output, '--with-secrets');
    expect(leaks(whole)).toContain('an inline variable');
  });

  it('are not printed in the source lines of errors', async () => {
    const wrong = POD.replace('value: pl4nted-inline', 'valu: 1\n          value: [pl4nted-inline')
      .replace('-value\n', '-value]\n')
      .replace('  entry: ', '  entry: x\n  entry: ');
    writeFileSync(at('wrong.yaml'), wrong);
    for (const command of ['run', 'lint', 'validate', 'explain', 'simulate', 'once']) {
      const text = await kprobe(command, 'wrong.yaml');
      expect(text).toContain('error');
      expect(leaks(text)).toEqual([]);
    }
  });

  it('are not in the edits of a fix, nor in what kprobe mcp answers', async () => {
    writeFileSync(
      at('risky.yaml'),
      POD.replace('periodSeconds: 1', 'periodSeconds: 1\n        timeoutSeconds: 9'),
    );
    const lint = await kprobe('lint', 'risky.yaml', '-o', 'json');
    expect(lint).toContain('"edits"');
    expect(leaks(lint, PLANTED)).toEqual([]);
    const messages = [
      {
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        },
      },
      { method: 'tools/call', params: { name: 'lint', arguments: { paths: ['risky.yaml'] } } },
    ].map((each, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...each })}\n`);
    const server = spawn(process.execPath, [KPROBE, 'mcp'], { cwd: folder });
    server.stdin.write(messages.join(''));
    let stdout = '';
    for await (const chunk of server.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      stdout += chunk;
      // The server ends with its input.
      if (stdout.includes('"id":1')) server.stdin.end();
    }
    expect(stdout).toContain('edits');
    expect(leaks(stdout, PLANTED)).toEqual([]);
  });

  it('are announced in a note with --with-secrets', async () => {
    expect(await kprobe('replay', 'whole.ndjson', '--with-secrets')).toContain(
      'kprobe: --with-secrets: values of variables, credentials and tokens are not masked',
    );
  });
});
