import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { Duplex } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Probe } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import type { Cluster } from '../../../src/cluster/types.js';
import type { ProbeOutcome } from '../../../src/kubelet/ports.js';
import { createProber } from '../../../src/kubelet/prober/prober.js';
import {
  type ClusterAttempts,
  clusterAttempts,
  describeDifferences,
} from '../../../src/session/cluster/cluster-attempts.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const IP = '10.1.2.3';

const { exec: _, ...SETTINGS } = buildProbe();

/** Answers as a server of the pod: 200 to HTTP, once something has come. */
let server: Server;
let slow: Server;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  slow = createServer((socket) => socket.on('error', () => undefined).resume());
  for (const one of [server, slow]) {
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  }
});
afterAll(() => {
  server.close();
  slow.close();
});

/** A stream that opens, and reports afterwards that nothing listens. */
function refused(): Duplex {
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const error = new Error('dial tcp4 127.0.0.1:80: connect: connection refused');
  setTimeout(() => stream.destroy(Object.assign(error, { code: 'ECONNREFUSED' })), 20);
  return stream;
}

function attempts(
  cluster: Partial<Cluster>,
  options: {
    readonly hostNetwork?: boolean;
    readonly via?: 'proxy';
    readonly signal?: AbortSignal;
  } = {},
): ClusterAttempts & { readonly notes: readonly string[] } {
  const notes: string[] = [];
  const { hostNetwork = false, via = 'port-forward' } = options;
  const made = clusterAttempts({
    cluster: cluster as Cluster,
    clock: new RealClock(),
    pod: buildPod({ spec: { hostNetwork } }),
    podIP: IP,
    via,
    kubeletVersion: '1.36',
    signal: options.signal ?? new AbortController().signal,
    onNote: (text) => notes.push(text),
  });
  return { ...made, notes };
}

/** Makes one attempt as the kubelet's prober does. */
async function outcomeOf(
  { transports }: ClusterAttempts,
  handler: object,
  timeoutSeconds = 1,
): Promise<ProbeOutcome> {
  const prober = createProber({
    transports,
    execSync: () => Promise.reject(new Error('not used')),
    recordEvent: () => undefined,
  });
  const container = buildContainer({
    ports: [{ name: 'http', containerPort: 80 }] as never,
    livenessProbe: { ...SETTINGS, timeoutSeconds, ...handler },
  });
  const { outcome } = await prober.probe('liveness', buildPod(), { podIP: IP }, container, '');
  return outcome;
}

function forwardTo(to: () => Server): Partial<Cluster> {
  return {
    portForward: () => {
      const { port } = to().address() as AddressInfo;
      return Promise.resolve(connect(port, '127.0.0.1'));
    },
  };
}

const HTTP = { httpGet: { port: 'http', path: '/healthz', scheme: 'HTTP' } };

describe('clusterAttempts where a right is missing', () => {
  const denial = new ClusterError('forbidden', 'user "bob" may not create pods/portforward');
  const denies = () => Promise.reject(denial);

  it.each([
    ['port-forward', {}, (made: ClusterAttempts) => outcomeOf(made, HTTP)],
    ['proxy', { via: 'proxy' }, (made: ClusterAttempts) => outcomeOf(made, HTTP)],
    ['exec', {}, (made: ClusterAttempts) => made.exec('app', ['true'], 1)],
  ] as const)(
    'has no result of an attempt via %s, and names the right',
    async (_, how, attempt) => {
      const made = attempts({ portForward: denies, proxy: denies, exec: denies }, how);
      const outcome = attempt(made).then(() => 'a result');
      await expect(Promise.race([outcome, made.denied])).rejects.toBe(denial);
    },
  );
});

describe('clusterAttempts via port-forward', () => {
  it("makes an HTTP attempt with the kubelet's address, and names the way", async () => {
    const outcome = await outcomeOf(attempts(forwardTo(() => server)), HTTP);
    expect(outcome).toMatchObject({
      result: 'success',
      output: 'ok',
      detail: { address: `${IP}:80`, via: 'port-forward' },
    });
  });

  it('asks for the port of a name', async () => {
    const asked: unknown[] = [];
    const { portForward } = forwardTo(() => server);
    const cluster: Partial<Cluster> = {
      portForward: (...about) => {
        asked.push(about[1]);
        return portForward!(...about);
      },
    };
    await outcomeOf(attempts(cluster), HTTP);
    expect(asked).toEqual([80]);
  });

  it('fails with the text of the kubelet when nothing listens', async () => {
    const refusing = attempts({ portForward: () => Promise.resolve(refused()) });
    const refusal = `dial tcp ${IP}:80: connect: connection refused`;
    const outcome = await outcomeOf(refusing, HTTP);
    // The tunnel is no connection to the server, which would have listened before.
    expect(outcome.detail?.timings.connect).toBeUndefined();
    expect(outcome).toMatchObject({
      result: 'failure',
      output: `Get "http://${IP}:80/healthz": ${refusal}`,
      reason: 'refused',
    });
    expect(await outcomeOf(refusing, { tcpSocket: { port: 80 } })).toMatchObject({
      result: 'failure',
      output: refusal,
    });
  });

  it('has no result when kprobe ends, whose exit code cancels its requests', async () => {
    const ending = new AbortController();
    const cluster: Partial<Cluster> = {
      portForward: (_pod, _port, signal) => {
        ending.abort(143);
        // As throwIfAborted does.
        return Promise.reject(signal.reason as Error);
      },
    };
    const outcome = await outcomeOf(attempts(cluster, { signal: ending.signal }), HTTP);
    expect(outcome).toMatchObject({ result: 'unknown', error: 'kprobe has stopped' });
  });

  it('succeeds for a TCP port that does not refuse', async () => {
    const outcome = await outcomeOf(attempts(forwardTo(() => slow)), { tcpSocket: { port: 80 } });
    expect(outcome.result).toBe('success');
  });

  it('does not count the time that the tunnel takes to open', async () => {
    const { portForward } = forwardTo(() => server);
    const cluster: Partial<Cluster> = {
      portForward: async (...about) => {
        await new Promise((resolve) => setTimeout(resolve, 1200));
        return portForward!(...about);
      },
    };
    expect(await outcomeOf(attempts(cluster), HTTP)).toMatchObject({ result: 'success' });
  });

  it('times out as the kubelet does', async () => {
    const outcome = await outcomeOf(attempts(forwardTo(() => slow)), HTTP);
    expect(outcome.output).toBe(
      `Get "http://${IP}:80/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );
  });

  /** A stream that answers without a length, and ends or goes on after the timeout. */
  const late = (then: (stream: Duplex) => void): Duplex => {
    const stream = new Duplex({ read: () => undefined, write: (_c, _e, done) => done() });
    setTimeout(() => stream.push('HTTP/1.1 404 Not Found\r\n\r\nnothing here'), 20);
    setTimeout(() => then(stream), 1400);
    return stream;
  };

  it('accepts the end of an answer that the runtime reports late', async () => {
    const stream = late((one) => one.push(null));
    const outcome = await outcomeOf(attempts({ portForward: () => Promise.resolve(stream) }), HTTP);
    expect(outcome.output).toBe('HTTP probe failed with statuscode: 404');
  });

  it('does not accept data after the timeout', async () => {
    const portForward = () => Promise.resolve(late((one) => one.push('more')));
    const outcome = await outcomeOf(attempts({ portForward }), HTTP);
    expect(outcome.error).toContain('context deadline exceeded');
  });

  it('makes no attempt at another host', async () => {
    const elsewhere = { httpGet: { port: 80, host: 'example.com', scheme: 'HTTP' } };
    expect(await outcomeOf(attempts(forwardTo(() => server)), elsewhere)).toMatchObject({
      result: 'unknown',
      error:
        "the kubelet would contact example.com: from here, kprobe only reaches the pod's own address",
    });
  });

  it.each([
    [true, 'success'],
    [false, 'unknown'],
  ])('takes 127.0.0.1 for the pod with a host network: %s', async (hostNetwork, result) => {
    const local = { httpGet: { port: 80, host: '127.0.0.1', scheme: 'HTTP' } };
    const made = attempts(
      forwardTo(() => server),
      { hostNetwork },
    );
    expect((await outcomeOf(made, local)).result).toBe(result);
  });
});

describe('clusterAttempts via proxy', () => {
  const proxy = (status: number, text = 'ok'): Partial<Cluster> => ({
    proxy: () => Promise.resolve({ status, headers: {}, body: Buffer.from(text) }),
  });

  it.each([
    [200, 'success', 'ok'],
    [302, 'warning', 'Probe terminated redirects, Response body: ok'],
    [503, 'failure', 'HTTP probe failed with statuscode: 503'],
  ])('judges status %i as the kubelet does', async (status, result, output) => {
    const outcome = await outcomeOf(attempts(proxy(status), { via: 'proxy' }), HTTP);
    expect(outcome).toMatchObject({ result, output, detail: { via: 'proxy' } });
  });

  it('fails when the API server cannot reach the pod', async () => {
    const message = `error trying to reach service: dial tcp ${IP}:80: connect: connection refused`;
    const cluster = { proxy: () => Promise.reject(new ClusterError('busy', message)) };
    expect(await outcomeOf(attempts(cluster, { via: 'proxy' }), HTTP)).toMatchObject({
      result: 'failure',
      reason: 'refused',
      output: `Get "http://${IP}:80/healthz": dial tcp ${IP}:80: connect: connection refused`,
    });
  });
});

describe('clusterAttempts via exec', () => {
  it('returns output and exit code', async () => {
    const made = attempts({
      exec: (_, __, { onOutput }) => {
        onOutput('stdout', Buffer.from('out'));
        return Promise.resolve({ kind: 'exited', exitCode: 3 });
      },
    });
    expect(await made.exec('app', ['cat'], 1)).toMatchObject({
      kind: 'exited',
      exitCode: 3,
      stdout: Buffer.from('out'),
      via: 'exec',
    });
  });

  it('says that a command goes on after its timeout', async () => {
    const made = attempts({ exec: () => Promise.resolve({ kind: 'timeout' }) });
    expect(await made.exec('app', ['sleep', '9'], 1)).toMatchObject({ kind: 'timedOut' });
    expect(made.notes).toEqual([
      'app: a command timed out and goes on in the container, where the kubelet would have killed it: sleep 9',
    ]);
  });
});

describe('describeDifferences', () => {
  const http = { ...SETTINGS, ...HTTP } as Probe;
  const exec = buildProbe({ exec: { command: ['true'] } });

  it('has a sentence for each way', () => {
    expect(describeDifferences([http, exec]).map((text) => text.split(' ')[2])).toEqual([
      'port-forward',
      'exec',
    ]);
    expect(describeDifferences([http, exec], 'proxy').map((text) => text.split(' ')[2])).toEqual([
      'exec',
      'proxy',
    ]);
  });

  it('refuses a way that no probe can go', () => {
    expect(() => describeDifferences([exec], 'proxy')).toThrow(
      '--via proxy is for HTTP probes: there are none',
    );
  });
});
