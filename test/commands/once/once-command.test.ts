import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { freePort } from '../../helpers/free-port.js';
import { type HttpServer, startHttpServer } from '../../helpers/http-server.js';
import { inProcess } from '../../helpers/in-process.js';
import { ended, startKprobe } from '../../helpers/kprobe.js';
import { expectGone } from '../../runtime/is-gone.js';

/** Milliseconds. */
const PATIENCE = 120_000;

let folder = '';
let up: HttpServer;
let down: HttpServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-once-'));
  up = await startHttpServer(200);
  down = await startHttpServer(503, 'not yet \u001b[31m');
});

afterAll(async () => {
  await Promise.all([up.close(), down.close()]);
});

function manifest(name: string, fields: string): string {
  const path = join(folder, `${name}.yaml`);
  const container = `{name: app, image: web:1, ${fields}}`;
  const spec = `spec: {containers: [${container}]}`;
  writeFileSync(path, `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, ${spec}}\n`);
  return path;
}

function jsonLines(text: string): Record<string, unknown>[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.concurrent('kprobe once', () => {
  it('prints a success and exits with 0', async () => {
    const end = await inProcess(['once', '--http', `:${up.port}/healthz`]);
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(end.stdout).toMatch(
      new RegExp(
        `^probe {4}http :${up.port}/healthz at 127\\.0\\.0\\.1:${up.port}\nresult {3}success\nlatency {2}(?:\\d+ ms|\\d+\\.\\d s)\n$`,
      ),
    );
  });

  it('prints a failure with its event and exits with 1', async () => {
    const end = await inProcess(['once', '--http', `:${down.port}`]);
    expect(end.code).toBe(1);
    expect(end.stdout).toContain(
      'event    Warning  Unhealthy  HTTP probe failed with statuscode: 503\n',
    );
  });

  it('says once what a command wrote where that is all that is known', async () => {
    const { stdout } = await inProcess(['once', '--exec', '--', 'sh', '-c', 'echo hi; exit 1']);
    expect(stdout).toContain('output   hi\n');
    expect(stdout).not.toContain('cause');
  });

  it('uses the timeout of -m for probes of a manifest', async () => {
    const pod = manifest('timed', 'readinessProbe: {exec: {command: [sleep, "5"]}}');
    const end = await inProcess(['once', pod, '-m', '100ms', '--allow-local-exec']);
    expect(end.stdout).toContain('timed out after 100ms');
    expect(end.code).toBe(1);
  });

  it('exits with 3 when an attempt errors', async () => {
    const pod = manifest('named', 'readinessProbe: {tcpSocket: {port: htttp}}');
    const end = await inProcess(['once', pod]);
    expect(end.code).toBe(3);
    expect(end.stdout).toContain(
      'result   error: the attempt could not be made, so the kubelet discards it',
    );
  });

  it('probes several targets and exits with the worst result', async () => {
    const probes = ['--tcp', `:${up.port}`, '--http', `:${up.port}`, '--http', `:${down.port}`];
    const end = await inProcess(['once', ...probes]);
    const titles = [...end.stdout.matchAll(/^probe +(.*) at/gm)].map(([, title]) => title);
    expect(titles).toEqual([`http :${up.port}/`, `http :${down.port}/`, `tcp :${up.port}`]);
    expect(end.code).toBe(1);
  });

  it.each([
    ['http://127.0.0.1:PORT/x', 'http :PORT/x at 127.0.0.1:PORT'],
    ['http://:PORT', 'http :PORT/ at 127.0.0.1:PORT'],
    ['tcp://localhost:PORT', 'tcp :PORT at localhost:PORT'],
  ])('accepts the URL %s', async (url, title) => {
    const end = await inProcess(['once', url.replace('PORT', String(up.port))]);
    expect(end.stdout).toContain(`probe    ${title.replaceAll('PORT', String(up.port))}\n`);
    expect(end.code).toBe(0);
  });

  it('prints nothing with -q', async () => {
    const end = await inProcess(['once', '--http', `:${down.port}`, '-q']);
    expect(end).toMatchObject({ code: 1, stdout: '', stderr: '' });
  });

  it('prints request, response, body and timings with -v', async () => {
    const flags = ['-v', '-H', 'X-From: me', '-A', 'curl/8'];
    const { stdout } = await inProcess(['once', '--http', `:${down.port}/a`, ...flags]);
    expect(stdout).toContain('request  > GET /a HTTP/1.1\n');
    expect(stdout).toContain('> X-From: me\n');
    expect(stdout).toContain('> User-Agent: curl/8\n');
    expect(stdout).toContain('response < HTTP/1.1 503 Service Unavailable\n');
    expect(stdout).toContain('body     not yet \\x1b[31m\n');
    expect(stdout).toMatch(
      /timings {2}connect \d+\.\d ms, first byte \d+\.\d ms, total \d+\.\d ms\n/,
    );
  });

  it('prints the fields of an attempt with -o json', async () => {
    const pod = manifest('json', `livenessProbe: {httpGet: {port: ${down.port}}}`);
    const { stdout } = await inProcess(['once', pod, '-o', 'json']);
    expect(jsonLines(stdout)).toEqual([
      {
        pod: 'json',
        container: 'app',
        probe: 'liveness',
        handler: 'httpGet',
        attempt: 1,
        result: 'failure',
        output: 'HTTP probe failed with statuscode: 503',
        error: null,
        diagnosis: {
          subject: { pod: 'json', container: 'app', probe: 'liveness' },
          fault: { kind: 'errorAnswer', text: expect.any(String) as string },
          certainty: 'proven',
          cause: expect.stringMatching(/^the answer says: /) as string,
          evidence: [],
          changes: [
            {
              kind: 'advice',
              advice: { do: 'fixAnswer', probe: 'liveness' },
              text: expect.stringContaining('readinessProbe') as string,
            },
          ],
        },
        tries: 1,
        event: {
          type: 'Warning',
          reason: 'Unhealthy',
          message: 'Liveness probe failed: HTTP probe failed with statuscode: 503',
        },
        kubeletResult: 'failure',
        address: `127.0.0.1:${down.port}`,
        latency: expect.any(Number) as number,
        timings: expect.objectContaining({ total: expect.any(Number) as number }) as object,
      },
    ]);
  });

  it('names the handler in the event of a probe that no manifest describes', async () => {
    const { stdout } = await inProcess(['once', '--tcp', ':1', '--exec', '--', 'false']);
    expect(stdout.match(/(?<=^event.*)\w+ probe failed/gm)).toEqual([
      'TCP probe failed',
      'Exec probe failed',
    ]);
  });

  it('paints the result with --color always', async () => {
    const { stdout } = await inProcess(['once', '--tcp', ':1', '--color', 'always']);
    expect(stdout).toContain('\u001b[31mfailure\u001b[39m\n');
  });

  it('writes an escaped JUnit report with -o junit', async () => {
    const command = ['once', '--http', `:${down.port}/a?b&c`, '--tcp', `:${up.port}`];
    const end = await inProcess([...command, '-o', 'junit']);
    expect(end.code).toBe(1);
    expect(end.stdout).toContain(
      '<testsuites name="kprobe once" tests="2" failures="1" errors="0"',
    );
    expect(end.stdout).toContain(`name="http :${down.port}/a?b&amp;c"`);
    expect(end.stdout).toContain(
      '<failure type="failure" message="HTTP probe failed with statuscode: 503">',
    );
    expect(end.stdout).not.toContain('\u001b');
  });

  it('makes several attempts with --repeat and exits with 1 when one fails', async () => {
    const flags = ['--repeat', '3', '--interval', '10ms'];
    const end = await inProcess(['once', '--http', `:${down.port}`, ...flags]);
    expect(end.code).toBe(1);
    expect(end.stdout.match(/failure {2}\(1 of 1, /g)).toHaveLength(3);
    expect(end.stdout).toContain(': 3 attempts, 0 succeeded, 3 failed; latency min ');
  });

  it('exits with 1 after failures below the failureThreshold of the manifest', async () => {
    const pod = manifest(
      'tolerant',
      `livenessProbe: {httpGet: {port: ${down.port}}, failureThreshold: 5}`,
    );
    const end = await inProcess(['once', pod, '--repeat', '2', '--interval', '10ms', '-o', 'json']);
    expect(jsonLines(end.stdout).map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(end.code).toBe(1);
  });

  it('waits with --until-success until the server is up', async () => {
    const port = await freePort();
    const child = startKprobe([
      ...['once', '--tcp', `:${port}`, '--until-success', '--interval', '50ms'],
      ...['--timeout', '150s', '--success-threshold', '2'],
    ]);
    await once(child.stdout ?? child, 'data');
    const late = await startHttpServer(200, '', port);
    const end = await ended(child);
    await late.close();
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(/success {2}\(2 of 2, (?:\d+ ms|[\d.]+ s)\)\ntcp :\d+: /);
  });

  it('exits with 124 when --timeout runs out', async () => {
    const flags = ['--until-success', '--interval', '20ms', '--timeout', '200ms'];
    const end = await inProcess(['once', '--http', `:${down.port}`, ...flags]);
    expect(end).toMatchObject({ code: 124, stderr: 'kprobe: --timeout ran out\n' });
  });

  it('probes an invalid manifest with --no-validate', async () => {
    const pod = manifest('odd', 'livenessProbe: {tcpSocket: {port: 70000}}');
    expect((await inProcess(['once', pod])).code).toBe(2);
    const end = await inProcess(['once', pod, '--no-validate', '-o', 'json']);
    expect(jsonLines(end.stdout)).toMatchObject([
      { error: 'invalid port number: 70000', tries: 3, kubeletResult: 'failure' },
    ]);
  });

  it('ignores probes not selected by -c and --probe, and exec hooks', async () => {
    const exec = 'exec: {command: [id]}';
    const pod = manifest(
      'chosen',
      `readinessProbe: {tcpSocket: {port: ${up.port}}}, livenessProbe: {${exec}}, lifecycle: {preStop: {${exec}}}`,
    );
    const end = await inProcess(['once', pod, '-c', 'app', '--probe', 'readiness']);
    expect(end.code).toBe(0);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'stops its command and all child processes when it gets %s',
    async (signal) => {
      const script =
        "require('child_process').spawn('sleep', ['60'], { detached: true }).on('spawn', function () { require('fs').writeFileSync(process.argv[1], String(this.pid)) })";
      const file = join(folder, `pid-${signal}`);
      const child = startKprobe([
        ...['once', '--exec', '--probe-timeout', '30s'],
        ...['--', process.execPath, '-e', script, file],
      ]);
      await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/^\d+$/), PATIENCE);
      child.kill(signal);
      expect((await ended(child)).code).toBe(signal === 'SIGINT' ? 130 : null);
      await expectGone(Number(readFileSync(file, 'utf8')));
    },
  );

  it('prints the result before leftover processes are killed, and leaves none', async () => {
    const file = join(folder, 'pid-left');
    const script = `setsid sleep 60 >/dev/null 2>&1 & echo $! >${file}`;
    const end = await inProcess(['once', '--exec', '--', 'sh', '-c', script]);
    expect(end.code).toBe(0);
    await expectGone(Number(readFileSync(file, 'utf8')));
  });
});
