import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { ended, startKprobe } from '../../helpers/kprobe.js';
import { startSilentProxy } from '../../helpers/silent-proxy.js';
import {
  clusterEvent,
  clusterPod,
  startWatchedCluster,
  type WatchedCluster,
} from '../../helpers/watched-cluster.js';

const UNHEALTHY = clusterEvent(
  'sick',
  'Unhealthy',
  'Readiness probe failed: HTTP probe failed with statuscode: 503',
);
const LISTS = {
  pods: [clusterPod('web'), clusterPod('sick', { ready: false })],
  events: [UNHEALTHY],
};

let cluster: WatchedCluster;
const folder = mkdtempSync(join(tmpdir(), 'kprobe-watch-'));

beforeAll(async () => {
  cluster = await startWatchedCluster(LISTS);
});
afterAll(() => cluster.close());

const watch = (line: string, url = cluster.url) =>
  inProcess(['watch', ...line.split(' '), '-n', 'shop', '--server', url], {
    cwd: folder,
    env: { KUBECONFIG: join(folder, 'none') },
  });

it('names the failure of a pod that is not ready', async () => {
  const { code, stdout } = await watch('sick --for 4s');
  expect(stdout).toContain('HTTP probe failed with statuscode: 503');
  expect(stdout).toMatch(/Cause +readiness +app: readiness 1 × HTTP 503/);
  expect(stdout).toMatch(/shop\/sick is not ready: .* \(exit code 1\)\n$/);
  expect(code).toBe(1);
});

it('ends when the condition is met, and when the time is up', async () => {
  expect(await watch('pod/web --until ready')).toMatchObject({ code: 0, stderr: '' });
  const { code, stdout } = await watch('sick --until ready --timeout 4s');
  expect(code).toBe(124);
  expect(stdout).toMatch(/timeout: shop\/sick is not ready/);
});

it('records a trace that replay shows again, and that is not for --set and suggest', async () => {
  await watch('sick --for 4s --record run.ndjson -q');
  const { code, stdout } = await inProcess(['replay', 'run.ndjson'], { cwd: folder });
  expect(stdout).toMatch(/Cause +readiness +app: readiness 1 × HTTP 503/);
  expect(code).toBe(1);
  for (const line of [
    'replay run.ndjson --set app.readinessProbe.timeoutSeconds=2',
    'suggest run.ndjson',
  ]) {
    const refused = await inProcess(line.split(' '), { cwd: folder });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/recorded by kprobe watch/);
  }
});

it('says which pod was meant', async () => {
  const { code, stderr } = await watch('wbe');
  expect(code).toBe(2);
  expect(stderr).toBe('kprobe: no pod "wbe" in the namespace shop; did you mean web?\n');
});

it('refuses a name with a selector, and a kind without a name', async () => {
  expect((await watch('web -l app=web')).stderr).toMatch(/--selector cannot be combined with web/);
  expect((await watch('deploy')).stderr).toMatch(/deploy: name one, such as deploy\/web/);
  expect((await watch('svc/web')).stderr).toMatch(/unknown resource type "svc"/);
  expect((await watch('deploy/web pods')).stderr).toMatch(/pods: name one, such as pods\/web/);
  expect((await watch('po wbe')).stderr).toMatch(/no pod "wbe".*did you mean web\?/);
});

it('ends with 2 when the cluster denies the pods, with 3 when it cannot be reached or has no pods', async () => {
  expect(await watch('--for 1s', 'http://127.0.0.1:1')).toMatchObject({ code: 3, stdout: '' });
  const denying = await startWatchedCluster({ pods: 403 });
  const { code, stderr } = await watch('--for 1s', denying.url);
  expect(code).toBe(2);
  expect(stderr).toMatch(/user "ci" may not list pods .*; add this rule:\n- apiGroups: \[""\]/);
  denying.close();
  const empty = await startWatchedCluster({});
  expect(await watch('--for 200ms', empty.url)).toMatchObject({ code: 3 });
  empty.close();
});

it('does not write a token to any output', async () => {
  const token = 'secret-token-of-the-user';
  writeFileSync(
    join(folder, 'config'),
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'u', user: { token } }],
    }),
  );
  const { stdout, stderr } = await inProcess(['watch', '--kubeconfig', 'config'], { cwd: folder });
  expect(stderr).toMatch(/cannot be reached/);
  expect(stdout + stderr).not.toContain(token);
});

it("takes kubectl's options before the command", async () => {
  const args = ['-n', 'shop', `--server=${cluster.url}`, '--context', 'none', 'watch', 'web'];
  const { stderr } = await inProcess(args, {
    cwd: folder,
    env: { KUBECONFIG: join(folder, 'none') },
  });
  expect(stderr).toMatch(/^kprobe: .*none/);
});

describe('an API server that falls silent', () => {
  it('is named at once and when it answers again', async () => {
    const proxy = await startSilentProxy(cluster.url);
    const child = startKprobe([
      'watch',
      'web',
      '-n',
      'shop',
      '--server',
      proxy.url,
      '--for',
      '10m',
    ]);
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed).toMatch(/Ready +True/);
    proxy.silence(true);
    await expect.poll(() => printed).toMatch(/Down .*no answer within 5 s/);
    proxy.silence(false);
    await expect.poll(() => printed).toMatch(/Up .*is back/);
    child.kill('SIGINT');
    await ended(child);
    proxy.close();
  });

  it.each([
    ['sick --until ready --timeout 10s', 124],
    // Before the silence can be noticed, which takes 10 s and ends a run with 3.
    ['web --for 5s', 0],
  ])('does not outlast the limits of watch %s', async (line, code) => {
    const proxy = await startSilentProxy(cluster.url);
    const child = startKprobe(['watch', ...line.split(' '), '-n', 'shop', '--server', proxy.url]);
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed).toMatch(/Ready +(?:True|False)/);
    proxy.silence(true);
    const since = Date.now();
    const [ended] = (await once(child, 'exit')) as [number];
    expect(Date.now() - since).toBeLessThan(60_000);
    expect(ended).toBe(code);
    proxy.close();
  });
});
