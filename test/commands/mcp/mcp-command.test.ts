import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type HttpServer, startHttpServer } from '../../helpers/http-server.js';
import { inProcess } from '../../helpers/in-process.js';
import { kprobe, ROOT } from '../../helpers/kprobe.js';

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: {
    readonly exitCode: number;
    readonly output: unknown;
    readonly messages: string;
  };
}

let folder = '';
let server: HttpServer;
let client: Client;

async function connect(args: readonly string[] = [], env: Record<string, string> = {}) {
  const made = new Client({ name: 'test', version: '1' });
  await made.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(ROOT, 'bin/kprobe.js'), 'mcp', ...args],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', KUBECONFIG: join(folder, 'none'), ...env },
    }),
  );
  return made;
}

async function call(name: string, given: Record<string, unknown>, by = client): Promise<Answer> {
  return (await by.callTool({ name, arguments: given })) as unknown as Answer;
}

function pod(probe: string): string {
  return `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: 'web:1', ${probe}}]}}`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-mcp-'));
  server = await startHttpServer(503, 'no database');
  writeFileSync(join(folder, 'pod.yaml'), pod('readinessProbe: {httpGet: {port: 80}}'));
  client = await connect([], { KPROBE_OUTPUT: 'text', KPROBE_QUIET: 'true' });
});

afterAll(async () => {
  await client.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('kprobe mcp', () => {
  it('answers the requests that are open when its standard input ends', () => {
    const request = { jsonrpc: '2.0', method: 'tools/call' };
    const initialize = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const input = [
      { ...request, id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { ...request, id: 2, params: { name: 'lint_rule', arguments: { rule: 'port-undeclared' } } },
      { ...request, id: 3, params: { name: 'validate', arguments: { paths: ['pod.yaml'] } } },
    ].map((message) => `${JSON.stringify(message)}\n`);
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'bin/kprobe.js'), 'mcp'], {
      cwd: folder,
      input: input.join(''),
      encoding: 'utf8',
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect([status, answers.sort()]).toEqual([0, [1, 2, 3]]);
  });

  it('lists its tools with schemas; those for a cluster only with --allow-cluster', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'validate',
      'lint',
      'lint_rule',
      'explain',
      'explain_event',
      'simulate',
      'once',
      'diagnose_recording',
    ]);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema?.properties).toHaveProperty('exitCode');
      expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain('kube');
    }
    const open = await connect(['--allow-cluster']);
    const names = (await open.listTools()).tools.map(({ name }) => name);
    await open.close();
    expect(names).toContain('diagnose_pod');
  });

  it('validates a manifest', async () => {
    const { structuredContent } = await call('validate', { manifest: pod('x: 1') });
    expect(structuredContent).toMatchObject({ exitCode: 1, messages: '' });
    expect(JSON.stringify(structuredContent?.output)).toContain('unknown field');
  });

  it('lints, explains and simulates a file, whatever KPROBE_* says', async () => {
    for (const name of ['lint', 'explain']) {
      const { structuredContent } = await call(name, { paths: ['pod.yaml'] });
      expect(structuredContent?.exitCode).toBe(0);
      expect(structuredContent?.output).toEqual(expect.any(Object));
    }
    const { content } = await call('simulate', { paths: ['pod.yaml'], readyAfter: '25s' });
    expect(content[0]?.text).toMatch(/ready/i);
  });

  it('explains an event, and a rule', async () => {
    const event = 'Liveness probe failed: HTTP probe failed with statuscode: 404';
    const { structuredContent } = await call('explain_event', { event });
    expect(structuredContent?.output).toMatchObject({
      change: 'Correct livenessProbe.httpGet.path',
    });
    expect((await call('lint_rule', { rule: 'late-ready' })).content[0]?.text).toMatch(
      /^late-ready/,
    );
  });

  it('makes an attempt at this machine', async () => {
    const { structuredContent, isError } = await call('once', { http: [`:${server.port}/ready`] });
    expect(structuredContent?.exitCode).toBe(1);
    expect(JSON.stringify(structuredContent?.output)).toContain('statuscode: 503');
    expect(isError).toBeUndefined();
  });

  it('diagnoses a recording', async () => {
    writeFileSync(
      join(folder, 'run.ndjson'),
      (await kprobe(['simulate', join(folder, 'pod.yaml'), '-o', 'json', '--for', '30s'])).stdout,
    );
    const { structuredContent } = await call('diagnose_recording', { recording: 'run.ndjson' });
    expect(structuredContent?.output).toMatch(/ready/);
  });

  it.each([124, 130, 143])('diagnoses a run that ended with %i without an error', async (code) => {
    const trace = (
      await kprobe(['simulate', join(folder, 'pod.yaml'), '-o', 'json', '--for', '30s'])
    ).stdout;
    const how = code === 124 ? 'timeout' : 'interrupted';
    const ended = trace.replace(
      /"how":"goal"(.*)"exitCode":0/,
      `"how":"${how}"$1"exitCode":${code}`,
    );
    writeFileSync(join(folder, 'ended.ndjson'), ended);
    const { structuredContent, isError } = await call('diagnose_recording', {
      recording: 'ended.ndjson',
    });
    expect([structuredContent?.exitCode, isError]).toEqual([code, undefined]);
    expect((await call('diagnose_recording', { recording: 'pod.yaml' })).isError).toBe(true);
  });

  it('refuses at once a simulation that takes too long, with a length that fits', async () => {
    const manifest = pod('livenessProbe: {periodSeconds: 1, httpGet: {port: 80}}');
    const { isError, content } = await call('simulate', { manifest, for: '8760h' });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/take about \w+, and an answer may take 50 s: for=\d+[hm] fits/),
    ]);
  });

  it.each([
    ['simulate', { readyAfter: 'soon' }, /readyAfter 'soon' is invalid/],
    ['simulate', { failRate: '200%' }, /failRate '200%' is invalid/],
    ['once', { paths: [], http: [':80'], container: 'db' }, /: container selects probes/],
  ])('%s with %o names parameters in its message, not options', async (name, given, message) => {
    const { content } = await call(name, { paths: ['pod.yaml'], ...given });
    expect(content[0]?.text).toMatch(message);
    expect(content[0]?.text).not.toMatch(/--\w/);
  });

  it('answers a mistake with the message, and goes on', async () => {
    expect(await call('lint', {})).toMatchObject({
      isError: true,
      content: [{ text: 'give manifest or paths' }],
    });
    const end = await call('explain', { manifest: 'a: [' });
    expect(end).toMatchObject({ isError: true });
    expect(end.content[0]?.text).toContain('<stdin>');
    expect((await call('lint_rule', { rule: 'late-ready' })).isError).toBeUndefined();
  });
});

describe('kprobe mcp without permissions', () => {
  it.each(['http://example.com/', '10.0.0.1:80/', 'localhost:80/', '127.0.0.1.evil:80/', 'a@b:1'])(
    'makes no attempt at %s',
    async (target) => {
      const { isError, content } = await call('once', { http: [target] });
      expect([isError, content[0]?.text]).toEqual([
        true,
        expect.stringContaining('only loopback addresses'),
      ]);
    },
  );

  it('makes no attempt at a host that a manifest names, and runs none of its commands', async () => {
    const host = await call('once', {
      manifest: pod('livenessProbe: {httpGet: {host: 10.0.0.1, port: 80}}'),
    });
    expect([host.isError, host.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('--allow-host'),
    ]);
    const exec = await call('once', {
      manifest: pod(`livenessProbe: {exec: {command: [touch, '${folder}/ran']}}`),
    });
    expect([exec.isError, exec.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('--allow-local-exec'),
    ]);
  });

  it('reads nothing outside of its folder', async () => {
    symlinkSync('/etc', join(folder, 'link'));
    for (const path of ['/etc/passwd', '../', 'link/passwd']) {
      const { isError, content } = await call('lint', { paths: [path] });
      expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('outside')]);
    }
    rmSync(join(folder, 'link'));
  });

  it('takes no value for another option', async () => {
    const { isError } = await call('once', {
      manifest: pod('livenessProbe: {exec: {command: ["true"]}}'),
      container: '--allow-local-exec',
    });
    expect(isError).toBe(true);
    for (const kube of ['kube', 'allowLocalExec', 'exec']) {
      expect((await call('explain', { paths: ['pod.yaml'], [kube]: 'pod/web' })).isError).toBe(
        true,
      );
    }
  });
});

it('runs exec probes of a manifest with --allow-local-exec', async () => {
  const open = await connect(['--allow-local-exec']);
  const manifest = pod("livenessProbe: {exec: {command: ['true']}}");
  const { structuredContent } = await call('once', { manifest }, open);
  await open.close();
  expect(structuredContent?.exitCode).toBe(0);
});

it('ends with 0 when standard input is closed', async () => {
  expect(await kprobe(['mcp'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

it.each([
  ['ends with 0 at the end of its input', ['{}\n', 'no JSON\n'], { code: 0, stderr: '' }],
  [
    'refuses a message that is longer than 10 MiB',
    ['{}\n', 'x'.repeat(10 * 1024 * 1024), 'x', '\n{}\n'],
    { code: 2, stderr: 'kprobe: a message on standard input is longer than 10 MiB\n' },
  ],
])('%s', async (_, input, end) => {
  expect(await inProcess(['mcp'], { input })).toMatchObject(end);
});
