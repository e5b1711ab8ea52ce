import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadKubeconfig } from '../../../src/cluster/connection/kubeconfig.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'kprobe-kubeconfig-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const TWO = `
apiVersion: v1
kind: Config
current-context: prod
contexts:
- {name: prod, context: {cluster: prod, user: admin, namespace: shop}}
- {name: dev, context: {cluster: dev, user: dev}}
clusters:
- {name: prod, cluster: {server: "https://prod:6443", tls-server-name: kubernetes, certificate-authority-data: UFJPRA==}}
- {name: dev, cluster: {server: "https://dev:6443"}}
users:
- {name: admin, user: {token: admin-token}}
- {name: dev, user: {username: dev, password: dev-password}}
`;

describe('a kubeconfig', () => {
  it.each([
    ['{token: 5}', 'token must be of type string, not number'],
    ['{password: {a: b}}', 'password must be of type string, not object'],
    ['{as-groups: a}', 'as-groups must be of type array, not string'],
    ['{as-user-extra: {a: [5]}}', 'as-user-extra.a[0] must be of type string, not number'],
    ['{auth-provider: gcp}', 'auth-provider must be of type object, not string'],
    ['{exec: {command: 5}}', 'exec.command must be of type string, not number'],
    ['{exec: {command: a, args: 5}}', 'exec.args must be of type array, not number'],
    ['{exec: {command: a, env: [null]}}', 'exec.env[0] must be of type object, not null'],
  ])('is refused where a user is %s, with line and field', (user, problem) => {
    const kubeconfig = write('wrong', `users:\n- name: u\n  user: ${user}\n`);
    expect(() => loadKubeconfig({ kubeconfig }, {})).toThrow(
      `kubeconfig ${kubeconfig}:3: users[0].user.${problem}`,
    );
  });

  it.each([
    ['current-context: 5', 'current-context must be of type string, not number'],
    ['clusters: 5', 'clusters must be of type array, not number'],
    ['clusters: [{name: 5}]', 'clusters[0].name must be of type string, not number'],
    [
      'clusters: [{name: c, cluster: {insecure-skip-tls-verify: "true"}}]',
      'clusters[0].cluster.insecure-skip-tls-verify must be of type bool, not string',
    ],
    ['contexts: [{context: 5}]', 'contexts[0].context must be of type object, not number'],
  ])('is refused where it has %s', (text, problem) => {
    const kubeconfig = write('wrong', `${text}\n`);
    expect(() => loadKubeconfig({ kubeconfig }, {})).toThrow(`${kubeconfig}:1: ${problem}`);
  });

  it('takes a field that is null for one that is not there', () => {
    const cluster = '{name: c, cluster: {server: "http://c", certificate-authority-data: null}}';
    const user =
      '{name: u, user: {token: null, password: null, client-key-data: null, exec: null}}';
    const kubeconfig = write('nulls', `clusters: [${cluster}]\nusers: [${user}]\n`);
    const { cluster: c, user: u } = loadKubeconfig({ kubeconfig, cluster: 'c', user: 'u' }, {});
    expect([c, u]).toEqual([{ server: 'http://c' }, {}]);
  });

  it('gives the current context, and the flags what they name', () => {
    const kubeconfig = write('two', TWO);
    expect(loadKubeconfig({ kubeconfig }, {})).toEqual({
      context: 'prod',
      namespace: 'shop',
      cluster: {
        server: 'https://prod:6443',
        'tls-server-name': 'kubernetes',
        'certificate-authority-data': 'UFJPRA==',
      },
      user: { token: 'admin-token' },
      userName: 'admin',
    });
    expect(loadKubeconfig({ kubeconfig, context: 'dev' }, {})).toMatchObject({
      context: 'dev',
      namespace: 'default',
      cluster: { server: 'https://dev:6443' },
      user: { username: 'dev' },
    });
    const mixed = loadKubeconfig({ kubeconfig, cluster: 'dev', user: 'admin', namespace: 'n' }, {});
    expect(mixed).toMatchObject({
      context: 'prod',
      namespace: 'n',
      cluster: { server: 'https://dev:6443' },
      user: { token: 'admin-token' },
    });
  });

  it.each([
    [{ server: 'https://other' }, { cluster: { server: 'https://other', 'tls-server-name': '' } }],
    [
      { insecureSkipTlsVerify: true },
      { cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': '' } },
    ],
    [
      { certificateAuthority: '/ca' },
      {
        cluster: {
          'certificate-authority': '/ca',
          'certificate-authority-data': '',
          'insecure-skip-tls-verify': false,
        },
      },
    ],
    [{ tlsServerName: 'name' }, { cluster: { 'tls-server-name': 'name' } }],
    [{ token: 'other' }, { user: { token: 'other', tokenFile: '' } }],
    [
      { clientCertificate: '/crt', clientKey: '/key' },
      { user: { 'client-certificate': '/crt', 'client-key': '/key', 'client-key-data': '' } },
    ],
    [
      { as: 'jane', asGroup: ['a', 'b'], asUid: '7' },
      { user: { as: 'jane', 'as-groups': ['a', 'b'], 'as-uid': '7' } },
    ],
  ])('is overridden by %j', (flags, expected) => {
    const kubeconfig = write('two', TWO);
    expect(loadKubeconfig({ kubeconfig, ...flags }, {})).toMatchObject(expected);
  });

  it('takes files of KUBECONFIG in their order: the first one that has a name wins', () => {
    const first = write(
      'a/first',
      `
clusters: [{name: prod, cluster: {server: "https://first"}}]
users: [{name: admin, user: {client-certificate: crt.pem, client-key: ../key.pem, tokenFile: /abs/token}}]
`,
    );
    const second = write('b/second', TWO);
    const third = write(
      'c/third',
      `
current-context: dev
users: [{name: extra, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin}}}]
clusters: [{name: extra, cluster: {server: "https://extra", certificate-authority: ca.crt}}]
contexts: [{name: extra, context: {cluster: extra, user: extra}}]
`,
    );
    const env = {
      KUBECONFIG: [first, '', join(folder, 'missing'), second, third, first].join(':'),
    };
    expect(loadKubeconfig({}, env)).toEqual({
      context: 'prod',
      namespace: 'shop',
      cluster: { server: 'https://first' },
      user: {
        'client-certificate': join(folder, 'a/crt.pem'),
        'client-key': join(folder, 'key.pem'),
        tokenFile: '/abs/token',
      },
      userName: 'admin',
    });
    expect(loadKubeconfig({ context: 'extra' }, env)).toMatchObject({
      cluster: { 'certificate-authority': join(folder, 'c/ca.crt') },
      user: { exec: { command: join(folder, 'c/plugin') } },
    });
  });

  it('stands in ~/.kube/config without KUBECONFIG, and may be JSON', () => {
    write(
      '.kube/config',
      JSON.stringify({ clusters: [{ name: 'c', cluster: { server: 'https://h' } }] }),
    );
    expect(loadKubeconfig({ cluster: 'c' }, { HOME: folder }).cluster.server).toBe('https://h');
  });

  it('leaves a plugin on PATH as it is', () => {
    const kubeconfig = write('path', TWO.replace('{token: admin-token}', '{exec: {command: aws}}'));
    expect(loadKubeconfig({ kubeconfig }, {}).user.exec?.command).toBe('aws');
  });

  it('is needed no more in a pod of the cluster', () => {
    const account = join(folder, 'account');
    write('account/token', 'token');
    write('account/namespace', 'shop\n');
    const env = {
      HOME: '/none',
      KUBERNETES_SERVICE_HOST: 'fd00::1',
      KUBERNETES_SERVICE_PORT: '443',
    };
    expect(loadKubeconfig({}, env, account)).toEqual({
      context: '',
      namespace: 'shop',
      cluster: { server: 'https://[fd00::1]:443', 'certificate-authority': `${account}/ca.crt` },
      user: { tokenFile: `${account}/token` },
      userName: 'the service account',
    });
    expect(loadKubeconfig({ namespace: 'n', token: 't' }, env, account)).toMatchObject({
      namespace: 'n',
      user: { token: 't', tokenFile: '' },
    });
  });

  it.each([
    [
      'a missing file of --kubeconfig',
      {},
      { kubeconfig: '/none' },
      '/none: no such file (a kubeconfig)',
    ],
    ['no file', {}, {}, 'no cluster in /home/.kube/config: set KUBECONFIG, or add --kubeconfig'],
    [
      'no current context',
      { KUBECONFIG: 'none' },
      {},
      'no current context: add --context (contexts: dev, prod)',
    ],
    [
      'an unknown context',
      { KUBECONFIG: 'two' },
      { context: 'x' },
      'no context "x" (contexts: dev, prod)',
    ],
    [
      'an unknown cluster',
      { KUBECONFIG: 'two' },
      { cluster: 'x' },
      'no cluster "x" (clusters: dev, prod)',
    ],
    ['an unknown user', { KUBECONFIG: 'two' }, { user: 'x' }, 'no user "x" (users: admin, dev)'],
    [
      'a file that is no YAML',
      { KUBECONFIG: 'broken' },
      {},
      'broken:2: not a kubeconfig in YAML or JSON',
    ],
    [
      'a context without a name',
      { KUBECONFIG: 'nameless' },
      { context: 'x' },
      'no context "x" (contexts: , dev)',
    ],
    ['a list', { KUBECONFIG: 'list' }, {}, 'list:1: not a kubeconfig in YAML or JSON'],
    [
      'a cluster without a server',
      { KUBECONFIG: 'bare' },
      { cluster: 'c' },
      'cluster "c" has no server',
    ],
  ])('is refused in words: %s', (_, given: NodeJS.ProcessEnv, flags, message) => {
    const { KUBECONFIG: name } = given;
    write('none', TWO.replace('current-context: prod', ''));
    write('two', TWO);
    write('broken', 'users:\n- {token: very-secret\n');
    write('list', '[1]');
    write('nameless', 'contexts: [{context: {}}, {name: dev}]');
    write('bare', 'clusters: [{name: c}]');
    const env = { HOME: '/home', ...(name !== undefined && { KUBECONFIG: join(folder, name) }) };
    expect(() => loadKubeconfig(flags, env)).toThrow(message);
    expect(() => loadKubeconfig(flags, env)).not.toThrow('very-secret');
  });
});
