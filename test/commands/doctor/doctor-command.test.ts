import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodeCheck } from '../../../src/commands/doctor/doctor-command.js';
import { fakeApiServer } from '../../helpers/api-server.js';
import { kprobe } from '../../helpers/kprobe.js';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly found: string;
}

let home = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'kprobe-doctor-'));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Environment without an engine and a cluster. */
const bare = (): Record<string, string> => ({
  HOME: home,
  PATH: home,
  KUBECONFIG: join(home, 'config'),
  DOCKER_HOST: `unix://${home}/none`,
  CONTAINER_HOST: `unix://${home}/none`,
});

describe('kprobe doctor', () => {
  it('says what is missing and what that means, and succeeds', async () => {
    const { code, stdout } = await kprobe(['doctor'], { env: bare() });
    expect(stdout).toMatch(/^node {8}ok {6}v\d+\./);
    expect(stdout).toMatch(/^docker {6}- .*\n.*run --docker and run --create do not work\n/m);
    expect(stdout).toMatch(
      /^kubeconfig {2}- {7}no context in .*\n.*watch and --kube have no cluster/m,
    );
    expect(stdout).toMatch(/^terminal .*\n.*print lines in place of the terminal UI/m);
    expect(code).toBe(0);
  });

  it('names no context for a server of the command line', async () => {
    const { stdout } = await kprobe(['doctor', '-s', 'https://127.0.0.1:1'], { env: bare() });
    expect(stdout).toContain(
      'kubeconfig  ok      no context, https://127.0.0.1:1, namespace default',
    );
  });

  it('names the context of a kubeconfig, and no token', async () => {
    writeFileSync(
      join(home, 'config'),
      `{current-context: a, contexts: [{name: a, context: {cluster: c, user: u, namespace: shop}}],
clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}], users: [{name: u, user: {token: s3cret}}]}`,
    );
    const { code, stdout } = await kprobe(['doctor', '-o', 'json'], { env: bare() });
    const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'node ok',
      'docker missing',
      'podman missing',
      'kubeconfig ok',
      'cluster missing',
      'terminal ok',
    ]);
    expect(checks.slice(3, 5).map(({ found }) => found)).toEqual([
      'context a, https://127.0.0.1:1, namespace shop',
      'https://127.0.0.1:1 cannot be reached: connection refused',
    ]);
    expect(stdout).not.toContain('s3cret');
    expect(code).toBe(0);
  });

  it('exits with 1 for a kubeconfig that is broken', async () => {
    writeFileSync(join(home, 'config'), 'contexts: 1');
    const { code, stdout } = await kprobe(['doctor'], { env: bare() });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^kubeconfig {2}BROKEN {2}/m)]);
  });
});

describe('the check of the cluster', () => {
  const PODS = '/api/v1/namespaces/shop/pods';
  const NAMESPACE = '/api/v1/namespaces/shop';
  const LIST = { metadata: {}, items: [] };

  it.each<[string, Readonly<Record<string, object | number>>, string, number, string]>([
    ['that answers', { [PODS]: LIST, [NAMESPACE]: {} }, 'ok', 0, 'pods in the namespace shop may'],
    ['whose namespaces are secret', { [PODS]: LIST, [NAMESPACE]: 403 }, 'ok', 0, 'it answers'],
    ['without the namespace', { [PODS]: LIST }, '-', 0, 'namespaces "shop" not found'],
    ['that takes no credentials', { [PODS]: 401 }, 'BROKEN', 1, 'missing, wrong or expired'],
    ['without the permission', { [PODS]: 403 }, 'BROKEN', 1, 'add this rule: - {apiGroups'],
    ['that is no API server', {}, 'BROKEN', 1, 'Correct the address of the cluster'],
    ['that is not ready', { [PODS]: 503 }, '-', 0, 'Start the cluster'],
  ])('says of one %s what is wrong', async (_, answers, mark, exit, words) => {
    const server = await fakeApiServer();
    for (const [path, answer] of Object.entries(answers)) server.objects.set(path, answer);
    const env = { ...bare(), KUBECONFIG: join(home, 'none') };
    const { code, stdout } = await kprobe(['doctor', ...server.flags], { env });
    server.close();
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(` cluster ${mark} `);
    expect(text).toContain(words);
    expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
    expect(code).toBe(exit);
  });
});

describe('the check of Node', () => {
  it.each([
    ['20.18.1', 'broken'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
  ])('finds %s %s', (version, status) => expect(nodeCheck(version).status).toBe(status));
});

describe('kprobe version', () => {
  it('prints the versions as text and as JSON', async () => {
    const text = await kprobe(['version']);
    expect(text.stdout).toMatch(/^kprobe {4}0\.1\.0\nkubelet {3}v1\.36\nnode {6}v\d+/);
    const json = await kprobe(['version', '-o', 'json']);
    expect(JSON.parse(json.stdout)).toEqual({
      kprobe: '0.1.0',
      kubelet: 'v1.36',
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    });
  });
});
