import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect as dial, createServer, type Server } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import { Connection, textOf } from '../../../src/cluster/connection/connection.js';
import { loadKubeconfig } from '../../../src/cluster/connection/kubeconfig.js';
import type { ClusterFlags } from '../../../src/cluster/types.js';
import { freePort } from '../../helpers/free-port.js';
import { certificate } from '../../helpers/servers/certificate.js';
import { expectGone } from '../../runtime/is-gone.js';
import {
  type FakeApiServer,
  json,
  startApiServer,
  statusOf,
  writeKubeconfig,
} from '../fake-api-server.js';

async function serverThat(
  answer: Parameters<typeof startApiServer>[0] = (_, response) => json(response, { ok: true }),
): Promise<FakeApiServer> {
  const server = await startApiServer(answer);
  onTestFinished(() => server.close());
  return server;
}

interface Options {
  readonly user?: object;
  readonly cluster?: object;
  readonly flags?: ClusterFlags;
  readonly clock?: VirtualClock;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout?: number;
}

function connectTo(server: Pick<FakeApiServer, 'url' | 'ca'>, options: Options = {}): Connection {
  const { user, cluster, flags, clock = new VirtualClock(), env = process.env, timeout } = options;
  const kubeconfig = writeKubeconfig(server, user, cluster);
  onTestFinished(kubeconfig.remove);
  const config = loadKubeconfig({ kubeconfig: kubeconfig.file, ...flags }, {});
  const connection = new Connection(config, clock, env, timeout);
  onTestFinished(() => connection.close());
  return connection;
}

async function failure(work: Promise<unknown>): Promise<ClusterError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClusterError);
  return error as ClusterError;
}

/** Writes a credential plugin that runs `body` with `count`, the number of its run. */
function plugin(folder: string, body: string): string {
  const file = join(folder, 'plugin.cjs');
  writeFileSync(
    file,
    `#!${process.execPath}
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = ${JSON.stringify(join(folder, 'count'))};
const count = (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0) + 1;
writeFileSync(path, String(count));
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const credential = (status) => console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));
${body}
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const V1 = 'client.authentication.k8s.io/v1';

describe('credentials', () => {
  it.each([
    ['a token', { token: 'abcd' }, { authorization: 'Bearer abcd' }],
    [
      'a user name and a password',
      { username: 'jane', password: 'secret' },
      { authorization: `Basic ${Buffer.from('jane:secret').toString('base64')}` },
    ],
    [
      'impersonation',
      {
        token: 'abcd',
        as: 'joe',
        'as-uid': '7',
        'as-groups': ['a', 'b'],
        'as-user-extra': { 'Reason/x': ['r'] },
      },
      {
        authorization: 'Bearer abcd',
        'impersonate-user': 'joe',
        'impersonate-uid': '7',
        'impersonate-group': 'a, b',
        'impersonate-extra-reason%2fx': 'r',
      },
    ],
    ['nothing', {}, {}],
  ])('are sent: %s', async (_, user, headers) => {
    const server = await serverThat();
    await expect(connectTo(server, { user }).json('/api')).resolves.toEqual({ ok: true });
    const [seen] = server.seen;
    expect(seen?.headers).toMatchObject(headers);
    if (!('authorization' in headers)) expect(seen?.headers.authorization).toBeUndefined();
    expect(seen?.clientCertificate).toBeUndefined();
  });

  it('are a certificate, from the kubeconfig or from files', async () => {
    const server = await serverThat();
    const { cert, key } = certificate('selfSigned');
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const data = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    await connectTo(server, { user: data }).json('/api');
    const { folder } = writeKubeconfig(server);
    writeFileSync(join(folder, 'crt'), cert);
    writeFileSync(join(folder, 'key'), key);
    const files = { clientCertificate: join(folder, 'crt'), clientKey: join(folder, 'key') };
    await connectTo(server, { flags: files }).json('/api');
    expect(server.seen.map((one) => one.clientCertificate)).toEqual(
      Array.from({ length: 2 }, () => 'probe selfSigned'),
    );
  });

  it('from a token file are read again after a minute, and after a 401', async () => {
    let valid = 'first';
    const server = await serverThat((request, response) => {
      const ok = request.headers.authorization === `Bearer ${valid}`;
      json(response, ok ? {} : statusOf(401, 'Unauthorized'), ok ? 200 : 401);
    });
    const { folder } = writeKubeconfig(server);
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'first\n');
    const clock = new VirtualClock();
    const connection = connectTo(server, { user: { tokenFile, token: 'older' }, clock });
    await connection.json('/');
    writeFileSync(tokenFile, 'second');
    await clock.advance(59_000);
    await connection.json('/');
    valid = 'second';
    await clock.advance(1000);
    await connection.json('/');
    writeFileSync(tokenFile, 'third');
    valid = 'third';
    await connection.json('/');
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
      ['first', 'first', 'second', 'second', 'third'].map((token) => `Bearer ${token}`),
    );
  });

  it('go over HTTPS only', async () => {
    const headers: unknown[] = [];
    const plain = createHttpServer((request, response: ServerResponse) => {
      headers.push(request.headers.authorization);
      json(response, {});
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void plain.close());
    const server = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    await connectTo({ url: server, ca: '' }).json('/');
    expect(headers).toEqual([undefined]);
  });

  it('in the URL of the server are shown nowhere', () => {
    const connection = connectTo({ url: 'https://jane:secret@host/prefix/', ca: '' });
    expect(connection.urlOf('/api')).toBe('https://host/prefix/api');
    const message = 'the server of the cluster is not an http or https URL';
    for (const url of ['https://jane:secret@[', 'ftp://jane:secret@host/']) {
      expect(() => connectTo({ url, ca: '' })).toThrow(message);
    }
  });

  it('of an auth provider are refused', () => {
    const user = { 'auth-provider': { name: 'gcp' } };
    expect(() => connectTo({ url: 'https://h', ca: '' }, { user })).toThrow(
      'user "u": auth-provider "gcp": kubectl dropped auth providers: use a credential plugin (exec)',
    );
  });
});

describe('a credential plugin', () => {
  function pluginOf(
    server: FakeApiServer,
    body: string,
    exec: object = {},
  ): { user: object; runs: () => number; child: () => number } {
    const { folder, remove } = writeKubeconfig(server);
    onTestFinished(remove);
    const command = plugin(folder, body);
    const user = { exec: { apiVersion: V1, command, interactiveMode: 'Never', ...exec } };
    const numberIn = (name: string) => (): number =>
      Number(readFileSync(join(folder, name), 'utf8'));
    return { user, runs: numberIn('count'), child: numberIn('count-child') };
  }

  it.each([V1, 'client.authentication.k8s.io/v1beta1'])(
    'of %s gives a token until it expires',
    async (apiVersion) => {
      const server = await serverThat();
      const clock = new VirtualClock();
      const expirationTimestamp = new Date(clock.now() + 60_000).toISOString();
      const { user, runs } = pluginOf(
        server,
        `credential({ token: process.argv[2] + process.env.SALT + count, expirationTimestamp: count === 1 ? '${expirationTimestamp}' : undefined });`,
        { apiVersion, args: ['token-'], env: [{ name: 'SALT', value: 'salt-' }] },
      );
      const connection = connectTo(server, { user, clock });
      await Promise.all([connection.json('/'), connection.json('/')]);
      await clock.advance(59_000);
      await connection.json('/');
      expect(runs()).toBe(1);
      await clock.advance(1000);
      await connection.json('/');
      await clock.advance(1e9);
      await connection.json('/');
      expect(runs()).toBe(2);
      const tokens = server.seen.map(({ headers }) => headers.authorization);
      expect(tokens).toEqual([1, 1, 1, 2, 2].map((count) => `Bearer token-salt-${count}`));
    },
  );

  it('runs once more after a 401, and only once', async () => {
    const server = await serverThat((request, response) => {
      const ok = request.headers.authorization === 'Bearer token-2' && request.url !== '/never';
      json(response, ok ? {} : statusOf(401, 'Unauthorized'), ok ? 200 : 401);
    });
    const { user, runs } = pluginOf(server, "credential({ token: 'token-' + count });");
    const connection = connectTo(server, { user });
    await connection.json('/');
    expect(runs()).toBe(2);
    const error = await failure(connection.json('/never'));
    expect(runs()).toBe(3);
    expect(error).toMatchObject({ code: 'unauthorized' });
    expect(error.message).toBe(
      `${server.url}: the credentials are missing, wrong or expired (Unauthorized)`,
    );
  });

  it('that hangs ends with the time of a request, and is named', async () => {
    const server = await serverThat();
    const { user } = pluginOf(server, 'setTimeout(() => undefined, 60_000);');
    const connection = connectTo(server, { user, timeout: 300 });
    await expect(connection.json('/')).rejects.toThrow(
      /^credential plugin .*: no answer within 0.3 s$/,
    );
    const stopping = new AbortController();
    const asked = connectTo(server, { user }).json('/', stopping.signal);
    stopping.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each([
    ['hangs', '', 300, 'no answer within 0.3 s'],
    [
      'prints without end',
      "setInterval(() => console.log('x'.repeat(65536)));",
      0,
      'printed more than 1 MiB',
    ],
  ])(
    'that %s ends with all that it started',
    { timeout: 60_000 },
    async (_, body, timeout, message) => {
      const server = await serverThat();
      const { user, child } = pluginOf(
        server,
        `const child = require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit' });
        writeFileSync(path + '-child', String(child.pid));
        ${body}`,
      );
      const clock = new VirtualClock();
      const refusal = failure(connectTo(server, { user, clock, timeout }).json('/'));
      await vi.waitFor(() => expect(child()).toBeGreaterThan(0), { timeout: 30_000 });
      expect((await refusal).message).toContain(message);
      await clock.advance(timeout);
      await expectGone(child());
    },
  );

  it('gives a client certificate', async () => {
    const server = await serverThat();
    const { cert, key } = certificate('selfSigned');
    const { user } = pluginOf(
      server,
      `credential(${JSON.stringify({ clientCertificateData: cert, clientKeyData: key })});`,
    );
    await connectTo(server, { user }).json('/');
    expect(server.seen[0]).toMatchObject({ clientCertificate: 'probe selfSigned' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('learns the cluster when it asks for it', async () => {
    const server = await serverThat();
    const { user } = pluginOf(
      server,
      "credential({ token: Buffer.from(JSON.stringify(info.spec)).toString('base64url') });",
      { provideClusterInfo: true },
    );
    const extensions = [
      { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } },
    ];
    await connectTo(server, { user, cluster: { extensions } }).json('/');
    const [, token = ''] = server.seen[0]?.headers.authorization?.split(' ') ?? [];
    expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
      interactive: false,
      cluster: {
        server: server.url,
        'certificate-authority-data': Buffer.from(server.ca).toString('base64'),
        config: { audience: 'x' },
      },
    });
  });

  it.each([
    [
      'fails',
      'console.error("login first: hunter2-of-env"); process.exit(1);',
      {},
      'login first: ***',
    ],
    ['says nothing', 'process.exit(7);', {}, 'exit code 7'],
    ['is killed', 'process.kill(process.pid, "SIGKILL");', {}, 'ended by SIGKILL'],
    ['may not be run', '', { command: '/etc/passwd' }, 'cannot be run: EACCES'],
    [
      'prints something else',
      'console.log("{}");',
      {},
      'printed no ExecCredential of client.authentication.k8s.io/v1',
    ],
    ['prints a number as its token', 'credential({ token: 5 });', {}, 'printed no ExecCredential'],
    ['prints no credentials', 'credential({});', {}, 'printed no ExecCredential'],
    [
      'is of an older version',
      '',
      { apiVersion: `${V1}alpha1` },
      'must be client.authentication.k8s.io/v1 or',
    ],
    [
      'needs a terminal',
      '',
      { interactiveMode: 'Always' },
      'needs a terminal (interactiveMode: Always)',
    ],
    ['is not there', '', { command: '/no/plugin', installHint: 'get it' }, 'not found: get it'],
  ])('that %s is an error', async (_, body, exec, message) => {
    const server = await serverThat();
    const { user } = pluginOf(server, body, {
      env: [{ name: 'PASSWORD', value: 'hunter2-of-env' }],
      ...exec,
    });
    const error = await failure(connectTo(server, { user }).json('/'));
    expect(error).toMatchObject({ code: 'unauthorized' });
    expect(error.message).toMatch(/^credential plugin \/.*(?:plugin\.cjs|plugin|passwd): /);
    expect(error.message).toContain(message);
  });
});

describe('errors', () => {
  const DENIED =
    'pods is forbidden: User "system:serviceaccount:shop:bot" cannot list resource "pods" in API group "" in the namespace "shop"';

  it.each([
    [404, statusOf(404, 'pods "web" not found'), 'notFound', 'pods "web" not found'],
    [
      410,
      statusOf(410, 'The provided continue parameter is too old'),
      'expired',
      'The provided continue parameter is too old',
    ],
    [400, statusOf(400, 'bad selector'), 'invalid', 'bad selector'],
    [500, 'etcd is gone\nmore', 'failed', 'etcd is gone'],
    [502, '<html>', 'failed', 'HTTP 502'],
    [500, '{}', 'failed', 'HTTP 500'],
    [
      403,
      statusOf(403, DENIED),
      'forbidden',
      'user "system:serviceaccount:shop:bot" may not list pods in namespace "shop"',
    ],
    [
      403,
      statusOf(
        403,
        'x: User "u" cannot create resource "pods/exec" in API group "" in the namespace "n"',
      ),
      'forbidden',
      'user "u" may not create pods/exec in namespace "n"',
    ],
    [
      403,
      statusOf(
        403,
        'x: User "u" cannot list resource "deployments" in API group "apps" at the cluster scope',
      ),
      'forbidden',
      'user "u" may not list deployments.apps in all namespaces',
    ],
    [
      403,
      statusOf(
        403,
        'x: User "system:anonymous" cannot get resource "nodes" in API group "" at the cluster scope',
      ),
      'forbidden',
      'user "system:anonymous" (no credentials) may not get nodes',
    ],
    [403, 'no', 'forbidden', 'no'],
  ])('of HTTP %i %j are %s', async (status, body, code, message) => {
    const server = await serverThat((_, response) => {
      response.writeHead(status);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    const error = await failure(connectTo(server).json('/'));
    expect(error).toMatchObject({ code, message });
  });

  it('of a denial have the rule to add', async () => {
    const server = await serverThat((_, response) => json(response, statusOf(403, DENIED), 403));
    const { rule } = await failure(connectTo(server).json('/'));
    expect(rule).toBe(
      '- apiGroups: [""]\n  resources: ["pods"]\n  verbs: ["get", "list", "watch"]\n',
    );
  });

  it.each([429, 503])('of HTTP %i say when to come again', async (status) => {
    const server = await serverThat((_, response) => {
      response.writeHead(status, { 'retry-after': '7' });
      response.end('busy');
    });
    const error = await failure(connectTo(server).json('/'));
    expect(error).toMatchObject({ code: 'busy', detail: { retryAfter: 7000 } });
  });

  it('name a server that cannot be reached', async () => {
    const url = `https://127.0.0.1:${await freePort()}`;
    const error = await failure(connectTo({ url, ca: '' }).json('/'));
    expect(error).toMatchObject({
      code: 'unreachable',
      message: `${url} cannot be reached: connection refused`,
    });
    const unknown = await failure(connectTo({ url: 'https://kprobe.invalid', ca: '' }).json('/'));
    expect(unknown.message).toMatch(
      /^https:\/\/kprobe\.invalid cannot be reached: (?:no such host|the name does not resolve)$/,
    );
  });

  it('name a server whose only answer is an interim one', async () => {
    const server = await serverThat(({ socket }) => void socket.end('HTTP/1.1 101 No\r\n\r\n'));
    const error = await failure(connectTo(server).json('/'));
    expect(error.message).toBe(`${server.url} does not answer as an API server does`);
  });

  it('name a certificate that does not verify', async () => {
    const server = await serverThat();
    const others = certificate('wrongName').cert;
    const error = await failure(connectTo({ url: server.url, ca: others }).json('/'));
    expect(error.code).toBe('untrusted');
    expect(error.message).toBe(
      `${server.url}: the certificate of the server does not verify: self-signed certificate`,
    );
    const name = { 'tls-server-name': 'kubernetes' };
    const wrong = await failure(connectTo(server, { cluster: name }).json('/'));
    expect(wrong).toMatchObject({ code: 'untrusted' });
    expect(wrong.message).toContain("Host: kubernetes. is not in the cert's altnames");
    const insecure = { insecureSkipTlsVerify: true };
    await connectTo({ url: server.url, ca: others }, { flags: insecure }).json('/');
    await connectTo(server, { cluster: { 'tls-server-name': 'localhost' } }).json('/');
    expect(server.seen.at(-1)?.servername).toBe('localhost');
  });

  it('name a token, or a certificate, that has expired', async () => {
    const server = await serverThat((_, response) =>
      json(response, statusOf(401, 'Unauthorized'), 401),
    );
    const clock = new VirtualClock();
    const exp = clock.now() / 1000 - 3600;
    const payload = Buffer.from(JSON.stringify({ exp })).toString('base64url');
    const user = { token: `head.${payload}.signature` };
    const error = await failure(connectTo(server, { user, clock }).json('/'));
    expect(error.message).toBe(`${server.url}: the token expired at 2009-11-10T22:00:00Z`);
    const { cert, key } = certificate('selfSigned');
    const data = {
      'client-certificate-data': Buffer.from(cert).toString('base64'),
      'client-key-data': Buffer.from(key).toString('base64'),
    };
    const later = new VirtualClock(1, Date.now() + 48 * 3_600_000);
    const old = await failure(connectTo(server, { user: data, clock: later }).json('/'));
    expect(old.message).toMatch(/: the client certificate expired at 2\S+Z$/);
    const valid = await failure(connectTo(server, { user: data, clock }).json('/'));
    expect(valid.message).toMatch(
      /the credentials are missing, wrong or expired \(Unauthorized\)$/,
    );
  });

  it.each<[string, (connection: Connection) => Promise<unknown>, string]>([
    ['for an object', (to) => to.json('/'), 'timeout'],
    ['for a log', (to) => to.text('/log'), 'timeout'],
    ['for the headers of a watch', (to) => to.request('/?watch'), 'unreachable'],
  ])('say that --request-timeout ran out %s', async (_, send, code) => {
    const server = await serverThat(() => undefined);
    const error = await failure(send(connectTo(server, { timeout: 100 })));
    expect(error).toMatchObject({ code, message: expect.stringContaining('no answer within 0.1 s') as string }); // prettier-ignore
  });

  it('hold no secret of the kubeconfig', async () => {
    const server = await serverThat((request, response) => {
      json(response, statusOf(400, `bad header ${request.headers.authorization}`), 400);
    });
    for (const user of [{ token: 'secret-1' }, { username: 'jane', password: 'secret-2' }]) {
      const { message } = await failure(connectTo(server, { user }).json('/'));
      expect(message).toMatch(/^bad header (?:Bearer|Basic) \*\*\*$/);
    }
  });

  it('leave an abort as it is', async () => {
    const server = await serverThat(() => undefined);
    const stop = new AbortController();
    const request = connectTo(server).json('/', stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(request).rejects.toThrow('aborted');
  });

  it('leave an abort as it is whose message cannot be changed', async () => {
    const server = await serverThat((_, response) => json(response, {}));
    const connection = connectTo(server, { user: { token: 'secret-1' } });
    await connection.json('/');
    const abort = new DOMException('aborted', 'AbortError');
    expect(connection.error(abort)).toBe(abort);
  });
});

describe('a proxy', () => {
  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it('of http gets a CONNECT with its own credentials', async () => {
    const server = await serverThat();
    const connects: unknown[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', (request, socket) => {
      connects.push([request.url, request.headers['proxy-authorization']]);
      const onward = dial(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      socket.on('error', () => onward.destroy());
    });
    const port = await listen(proxy);
    const cluster = { 'proxy-url': `http://jane:pass@127.0.0.1:${port}` };
    await connectTo(server, { cluster }).json('/');
    const basic = `Basic ${Buffer.from('jane:pass').toString('base64')}`;
    expect(connects).toEqual([[`127.0.0.1:${server.port}`, basic]]);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer token-of-the-user');
  });

  it('of socks5 is dialed through', async () => {
    const server = await serverThat();
    const proxy = createServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', () => {
          const onward = dial(server.port, '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
            socket.pipe(onward).pipe(socket);
          });
          socket.on('error', () => onward.destroy());
        });
      });
    });
    const cluster = { 'proxy-url': `socks5://127.0.0.1:${await listen(proxy)}` };
    await expect(connectTo(server, { cluster }).json('/')).resolves.toEqual({ ok: true });
  });

  it('that is not there is an error without its password', async () => {
    const server = await serverThat();
    const cluster = { 'proxy-url': `http://jane:pass-word@127.0.0.1:${await freePort()}` };
    const error = await failure(connectTo(server, { cluster }).json('/'));
    expect(error).toMatchObject({ code: 'unreachable' });
    expect(error.message).not.toContain('pass-word');
  });
});

describe('a kubelet', () => {
  it('gets a client certificate, verified or not', async () => {
    const kubelet = await serverThat((_, response) => response.end('metrics'));
    const { cert, key } = certificate('selfSigned');
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const user = {
      token: 't'.repeat(8),
      'client-certificate-data': base64(cert),
      'client-key-data': base64(key),
    };
    const connection = connectTo({ url: 'https://h', ca: certificate('wrongName').cert }, { user });
    const { port } = kubelet;
    await expect(
      connection.getFromKubelet({ host: '127.0.0.1', port }, '/metrics/probes'),
    ).resolves.toBe('metrics');
    expect(kubelet.seen[0]).toMatchObject({
      url: '/metrics/probes',
      clientCertificate: 'probe selfSigned',
    });
    expect(kubelet.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('gets a token only when its certificate verifies', async () => {
    const kubelet = await serverThat((_, response) => response.end('metrics'));
    const ref = { host: '127.0.0.1', port: kubelet.port };
    const trusted = connectTo({ url: 'https://h', ca: kubelet.ca });
    await expect(trusted.getFromKubelet(ref, '/metrics/probes')).resolves.toBe('metrics');
    expect(kubelet.seen[0]?.headers.authorization).toBe('Bearer token-of-the-user');
    const others = connectTo({ url: 'https://h', ca: certificate('wrongName').cert });
    await expect(others.getFromKubelet(ref, '/metrics/probes')).rejects.toMatchObject({
      code: 'untrusted',
    });
    expect(kubelet.seen).toHaveLength(1);
  });

  it('whose address is none cannot be reached', async () => {
    const connection = connectTo({ url: 'https://h', ca: certificate('selfSigned').cert });
    const asked = connection.getFromKubelet({ host: 'a b' }, '/metrics/probes');
    await expect(asked).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('that denies has the rule', async () => {
    const kubelet = await serverThat((_, response) => {
      response.writeHead(403);
      response.end('Forbidden (user=bot, verb=get, resource=nodes, subresource(s)=[metrics])');
    });
    const connection = connectTo({ url: 'https://h', ca: kubelet.ca });
    const error = await failure(
      connection.getFromKubelet({ host: '127.0.0.1', port: kubelet.port }, '/metrics/probes'),
    );
    expect(error).toMatchObject({
      code: 'forbidden',
      message: 'user "bot" may not get nodes/metrics',
    });
    expect(error.rule).toBe(
      '- apiGroups: [""]\n  resources: ["nodes/metrics"]\n  verbs: ["get"]\n',
    );
  });
});

it('an answer without an end is an error once it is longer than an API server sends', async () => {
  const part = Buffer.alloc(64 * 1024 * 1024);
  let isClosed = false;
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* endless(): AsyncIterable<Uint8Array> {
    try {
      for (;;) yield part;
    } finally {
      isClosed = true;
    }
  }
  const read = textOf(endless(), new URL('https://127.0.0.1:6443'));
  const message = 'https://127.0.0.1:6443: an answer is longer than 128 MiB';
  await expect(read).rejects.toThrow(new ClusterError('failed', message));
  expect(isClosed).toBe(true);
});
