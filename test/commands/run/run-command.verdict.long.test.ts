import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { freePort } from '../../helpers/free-port.js';
import { startHttpServer } from '../../helpers/http-server.js';
import { inProcess } from '../../helpers/in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-verdict-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const podSpec = (port: number, policy = 'Always', container = ''): string =>
  `{restartPolicy: ${policy}, containers: [{name: app, image: "web:1", readinessProbe: {httpGet: {port: ${port}}, periodSeconds: 1}${container}}]}`;
const pod = (name: string, spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const job = (spec: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\nspec: {template: {spec: ${spec}}}\n`;
const deployment = (spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: ${spec}}}\n`;

const node = (script: string): string[] => ['--', process.execPath, '-e', script];
const WAITS = 'setInterval(() => {}, 1000)';

describe.concurrent('pods with the same name', () => {
  it('are separate pods, and all must become ready', async () => {
    const server = await startHttpServer(200);
    const closed = await freePort();
    const both = `${deployment(podSpec(closed))}---\n${job(podSpec(server.port, 'Never'))}`;
    const end = await inProcess(
      ['run', file('both.yaml', both), '--until', 'ready'].concat('--timeout', '15s'),
    );
    await server.close();
    expect(end.code).toBe(124);
    expect(end.stdout).toContain('default/web-deployment is not ready');
    expect(end.stdout).toMatch(/web-job {2,}Status {2,}Ready {2,}True/);
  });

  it('are separate pods in a simulation', async () => {
    const both = `${deployment(podSpec(80))}---\n${job(podSpec(80, 'Never'))}`;
    const path = file('simulated.yaml', both);
    const end = await inProcess(['simulate', path, '--for', '1m', '--ready-after', 'app=5s']);
    expect(end.code).toBe(0);
    expect(end.stdout).toContain('web-deployment');
    expect(end.stdout).toContain('web-job');
  });

  it.each(['run', 'simulate'])(
    'and the same kind are an error with both positions: %s',
    async (cmd) => {
      const one = file(`dev-${cmd}.yaml`, deployment(podSpec(80)));
      const other = file(`prod-${cmd}.yaml`, `# prod\n${deployment(podSpec(80))}`);
      const end = await inProcess([cmd, one, other]);
      expect(end).toMatchObject({ code: 2, stdout: '' });
      expect(end.stderr).toContain(`${other}:2`);
      expect(end.stderr).toContain(`Deployment web of namespace default is also at ${one}:1`);
    },
  );
});

describe.concurrent('a port that another process uses', () => {
  it('is an error that names the process, before the command starts', async () => {
    const server = await startHttpServer(200);
    const path = file('held.yaml', pod('held', podSpec(server.port)));
    const end = await inProcess(['run', path, '--until', 'ready', ...node(WAITS)]);
    await server.close();
    expect(end).toMatchObject({ code: 2, stdout: '' });
    expect(end.stderr).toContain(`port ${server.port} is in use`);
    expect(end.stderr).toContain('readinessProbe.httpGet.port');
    expect(end.stderr).toContain('--allow-shared-port');
    if (process.platform === 'linux') expect(end.stderr).toContain(`(pid ${process.pid})`);
  });

  it('is detected when -p maps it, also on IPv6', async () => {
    const server = createServer().listen({ host: '::', port: 0 });
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const path = file('mapped.yaml', pod('mapped', podSpec(8080)));
    const end = await inProcess(['run', path, '-p', `${port}:8080`, ...node(WAITS)]);
    server.close();
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(`port ${port} is in use`);
    if (process.platform === 'linux') expect(end.stderr).toContain(`(pid ${process.pid})`);
  });

  it('is accepted with --allow-shared-port', async () => {
    const server = await startHttpServer(200);
    const path = file('shared.yaml', pod('shared', podSpec(server.port)));
    const end = await inProcess(
      ['run', path, '--until', 'ready', '--allow-shared-port'].concat(node(WAITS)),
    );
    await server.close();
    expect(end.code).toBe(0);
  });

  it('is not an error when it is used by the previous run of the command', async () => {
    const port = await freePort();
    const spec = podSpec(
      port,
      'Always',
      `, livenessProbe: {httpGet: {port: ${port}, path: /live}, periodSeconds: 1, failureThreshold: 1}`,
    );
    const path = file('own.yaml', pod('own', spec));
    const script = `require('http').createServer((q, r) => { r.statusCode = q.url === '/live' ? 500 : 200; r.end() }).listen(${port})`;
    const end = await inProcess(['run', path, '--until', 'restarted', ...node(script)]);
    expect(end.code).toBe(0);
  });

  it('cannot be allowed without a command', async () => {
    const path = file('attached.yaml', pod('attached', podSpec(80)));
    const end = await inProcess(['run', path, '--allow-shared-port']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('--allow-shared-port needs a command after --');
  });
});

it('-p with a port that no probe uses is an error', async () => {
  const path = file('idle.yaml', pod('idle', podSpec(8080)));
  const end = await inProcess(['run', path, '-p', '18080:80']);
  expect(end).toMatchObject({ code: 2, stdout: '' });
  expect(end.stderr).toContain('-p 18080:80: no probe uses port 80 (probed: 8080)');
});

describe.concurrent('--until ready ends early', () => {
  it('when the command is not found', async () => {
    const path = file('missing.yaml', pod('missing', podSpec(await freePort())));
    const end = await inProcess(['run', path, '--until', 'ready', '--', 'no-such-command']);
    expect(end.code).toBe(1);
    expect(end.stdout).toContain(
      'default/missing can no longer become ready: app cannot start: exec: "no-such-command": executable file not found in $PATH',
    );
  });

  it('when a container has exited for good', async () => {
    const spec = podSpec(await freePort(), 'Never').replace(
      /\]\}$/,
      ', {name: other, image: "web:1"}]}',
    );
    const path = file('never.yaml', pod('never', spec));
    const command = ['run', path, '-c', 'app', '--until', 'ready', ...node('process.exit(3)')];
    const end = await inProcess(command);
    expect(end.code).toBe(1);
    expect(end.stdout).toContain('app ended with exit code 3 and is not restarted');
  });

  it.each([[['--until', 'ready']], [[]]])(
    'after --max-restarts in a crash loop (%j)',
    async (until) => {
      const name = `loop${until.length}`;
      const path = file(`${name}.yaml`, pod(name, podSpec(await freePort())));
      const end = await inProcess(
        ['run', path, ...until, '--max-restarts', '1'].concat(node('process.exit(4)')),
      );
      expect(end.code).toBe(1);
      expect(end.stdout).toContain(
        `default/${name}: app needs more than 1 restart: it ended with exit code 4`,
      );
    },
  );

  it('but not after a restart that --max-restarts allows', async () => {
    const port = await freePort();
    const path = file('second.yaml', pod('second', podSpec(port)));
    const mark = join(folder, 'second.mark');
    const script = `const fs = require('fs'); if (!fs.existsSync('${mark}')) { fs.writeFileSync('${mark}', ''); process.exit(1) } require('http').createServer((q, r) => r.end()).listen(${port})`;
    const end = await inProcess(['run', path, '--max-restarts', '2', ...node(script)]);
    expect(end.stdout).toContain('default/second ready after');
    expect(end.code).toBe(0);
  });
});

it('the stop at the end of a run is marked, and replay --set does not regard it as a crash', async () => {
  const trace = join(folder, 'ending.ndjson');
  const port = await freePort();
  const path = file('ending.yaml', pod('ending', podSpec(port)));
  const script = `require('http').createServer((q, r) => r.end()).listen(${port})`;
  await inProcess(['run', path, '--until', 'ready', '--record', trace, ...node(script)]);
  const exits = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"exited"'));
  expect(exits.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ ending: true }]);
  // No setting that delays: on a slow machine the first attempt finds the server, and the recording ends with it.
  const setting = 'app.readinessProbe.timeoutSeconds=2';
  const end = await inProcess(['replay', trace, '--set', setting]);
  expect(end.code).toBe(0);
  expect(end.stdout).not.toContain('ended with');
});
