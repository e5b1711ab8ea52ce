import { describe, expect, it } from 'vitest';

import type { Container, Pod, Probe } from '../../../src/api/index.js';
import { urlString } from '../../../src/go/url.js';
import type { ExecResult, ProbeOutcome, ProbeTransports } from '../../../src/kubelet/ports.js';
import {
  createProber,
  OBSOLETE,
  type ProbeAnswer,
  probeEvent,
} from '../../../src/kubelet/prober/prober.js';
import type { KubeletConfig } from '../../../src/kubelet/release.js';

const POD: Pod = {
  metadata: { name: 'pod', namespace: 'ns', uid: 'uid' },
  spec: { containers: [], restartPolicy: 'Always' },
  status: { phase: 'Running' },
};
const NUMBERS = {
  initialDelaySeconds: 0,
  timeoutSeconds: 7,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};

/** A prober whose transports record their calls and return the given outcomes in turn. */
class Rig {
  readonly calls: string[] = [];
  readonly events: string[] = [];
  readonly #outcomes: readonly ProbeOutcome[];
  readonly #exec: ExecResult;

  constructor(
    outcomes: readonly ProbeOutcome[],
    exec?: ExecResult,
    private readonly kubelet: KubeletConfig = { version: '1.36' },
  ) {
    this.#outcomes = outcomes;
    this.#exec = exec ?? {
      kind: 'exited',
      exitCode: 0,
      stdout: Buffer.from('ok'),
      stderr: Buffer.of(),
    };
  }

  probe(
    handler: Partial<Probe> | undefined,
    container: Partial<Container> = {},
    canceled?: AbortSignal,
  ): PromiseLike<ProbeAnswer> {
    const probed: Container = {
      name: 'app',
      image: 'x',
      ...container,
      ...(handler ? { readinessProbe: { ...NUMBERS, ...handler } } : {}),
    };
    const prober = createProber({
      transports: this.#transports(),
      kubelet: this.kubelet,
      execSync: (id, command, timeout) => {
        this.calls.push(`exec ${id} ${command.join(' ')} ${timeout}`);
        return Promise.resolve(this.#exec);
      },
      recordEvent: (pod, { name }, type, reason, message) => {
        this.events.push(`${pod.metadata.name}/${name} ${type} ${reason} ${message}`);
      },
    });
    const status = { phase: 'Running' as const, podIP: '10.0.0.1' };
    return prober.probe('readiness', POD, status, probed, 'docker://abc', canceled);
  }

  #transports(): ProbeTransports {
    const answer = (call: string): Promise<ProbeOutcome> => {
      const outcome = this.#outcomes[Math.min(this.calls.length, this.#outcomes.length - 1)];
      this.calls.push(call);
      return outcome ? Promise.resolve(outcome) : Promise.reject(new Error('not expected'));
    };
    return {
      http: (_, { url }, timeout, isH2C = false) =>
        answer(`http ${urlString(url)} ${timeout}${isH2C ? ' h2c' : ''}`),
      tcp: (_, host, port, timeout) => answer(`tcp ${host} ${port} ${timeout}`),
      grpc: (_, host, port, service, timeout, useTLS = false) =>
        answer(`grpc ${host} ${port} ${service} ${timeout}${useTLS ? ' TLS' : ''}`),
      httpHook: () => Promise.reject(new Error('not expected')),
    };
  }
}

const SUCCESS: ProbeOutcome = { result: 'success', output: 'ok' };
const FAILURE: ProbeOutcome = { result: 'failure', output: 'no' };
const ERROR: ProbeOutcome = { result: 'failure', output: '', error: 'unexpected EOF' };

describe('a probe', () => {
  it.each([
    [{ httpGet: { port: 80, path: '/x' } }, 'http http://10.0.0.1:80/x 7'],
    [{ httpGet: { port: 80, host: 'h' } }, 'http http://h:80 7'],
    [{ tcpSocket: { port: 5 } }, 'tcp 10.0.0.1 5 7'],
    [{ tcpSocket: { port: 5, host: '' } }, 'tcp 10.0.0.1 5 7'],
    [{ tcpSocket: { port: 5, host: 'h' } }, 'tcp h 5 7'],
    [{ grpc: { port: 9 } }, 'grpc 10.0.0.1 9  7'],
    [{ grpc: { port: 0, service: 's' } }, 'grpc 10.0.0.1 0 s 7'],
    [{ exec: { command: ['a', '$(B)'] } }, 'exec abc a b 7'],
    [{ exec: { command: ['a'] }, httpGet: { port: 1 } }, 'exec abc a 7'],
  ])('with %j makes the attempt %j', async (handler, call) => {
    const rig = new Rig([SUCCESS]);
    const answer = await rig.probe(handler, { env: [{ name: 'B', value: 'b' }] });
    expect(rig.calls).toEqual([call]);
    const outcome = 'exec' in handler ? { ...SUCCESS, exitCode: 0 } : SUCCESS;
    expect(answer).toEqual({ result: 'success', outcome, tries: 1 });
    expect(rig.events).toEqual([]);
  });

  it.each([
    [
      { httpGet: { port: 80, protocol: 'HTTP2' } },
      'H2CContainerProbe',
      'http http://10.0.0.1:80 7',
      'h2c',
    ],
    [
      { httpGet: { port: 80, protocol: 'HTTP1' } },
      'H2CContainerProbe',
      'http http://10.0.0.1:80 7',
      '',
    ],
    [{ grpc: { port: 9, mode: 'TLS' } }, 'GRPCContainerProbeTLS', 'grpc 10.0.0.1 9  7', 'TLS'],
    [{ grpc: { port: 9, mode: 'Plaintext' } }, 'GRPCContainerProbeTLS', 'grpc 10.0.0.1 9  7', ''],
  ] as const)('with %j heeds the gate %s', async (handler, gate, call, added) => {
    for (const isOn of [false, true]) {
      const rig = new Rig([SUCCESS], undefined, {
        version: '1.37',
        featureGates: { [gate]: isOn },
      });
      await rig.probe(handler);
      expect(rig.calls).toEqual([isOn && added !== '' ? `${call} ${added}` : call]);
    }
  });

  it('without a definition succeeds without an attempt', async () => {
    const rig = new Rig([]);
    expect(await rig.probe(undefined)).toMatchObject({ result: 'success', tries: 0 });
  });

  it('is not retried when it fails, and records one Unhealthy event', async () => {
    const rig = new Rig([FAILURE, SUCCESS]);
    expect(await rig.probe({ tcpSocket: { port: 5 } })).toMatchObject({
      result: 'failure',
      tries: 1,
    });
    expect(rig.events).toEqual(['pod/app Warning Unhealthy Readiness probe failed: no']);
  });

  it('succeeds with a warning and records ProbeWarning', async () => {
    const rig = new Rig([{ result: 'warning', output: 'hm' }]);
    expect(await rig.probe({ httpGet: { port: 5 } })).toMatchObject({
      result: 'success',
      tries: 1,
    });
    expect(rig.events).toEqual(['pod/app Warning ProbeWarning Readiness probe warning: hm']);
  });

  it.each([
    ['a success', [ERROR, SUCCESS], { result: 'success', tries: 2, outcome: SUCCESS }, 0],
    ['a failure', [ERROR, ERROR, FAILURE], { result: 'failure', tries: 3, outcome: FAILURE }, 1],
    [
      'the third error',
      [ERROR, ERROR, ERROR, SUCCESS],
      { result: 'failure', tries: 3, error: 'unexpected EOF' },
      1,
    ],
  ])('is retried on errors up to %s', async (_, outcomes, answer, events) => {
    const rig = new Rig(outcomes);
    expect(await rig.probe({ httpGet: { port: 5 } })).toMatchObject(answer);
    expect(rig.events).toHaveLength(events);
  });

  it.each([
    ['no handler', {}, 'missing probe handler for pod_ns(uid):app'],
    ['a bad port', { tcpSocket: { port: 'é' } }, 'strconv.Atoi: parsing "é": invalid syntax'],
    ['a bad host', { httpGet: { port: 1, host: '[x]' } }, 'parse "http://[x]:1": invalid host'],
  ])('with %s is unknown after three attempts', async (_, handler, error) => {
    const rig = new Rig([]);
    const answer = await rig.probe(handler);
    expect(answer).toMatchObject({ result: 'failure', tries: 3, outcome: { result: 'unknown' } });
    expect(answer.error).toContain(error);
    expect(answer.event?.message).toBe(
      `Readiness probe errored and resulted in unknown state: ${answer.error}`,
    );
  });
});

it.each([
  ['success', { result: 'success', output: 'ok' }, undefined],
  ['unknown', { result: 'unknown', output: '' }, undefined],
  ['failure', { result: 'failure', output: 'no' }, ['Unhealthy', 'Startup probe failed: no']],
  ['warning', { result: 'warning', output: 'hm' }, ['ProbeWarning', 'Startup probe warning: hm']],
  [
    'error',
    { result: 'unknown', output: '', error: 'bad port' },
    ['Unhealthy', 'Startup probe errored and resulted in unknown state: bad port'],
  ],
  [
    'error after a failure',
    { result: 'failure', output: '', error: 'unexpected EOF' },
    ['Unhealthy', 'Startup probe errored and resulted in failure state: unexpected EOF'],
  ],
] as const)('probeEvent for %s', (_, outcome, recorded) => {
  const event = probeEvent('Startup', outcome);
  expect(event).toEqual(recorded && { type: 'Warning', reason: recorded[0], message: recorded[1] });
});

it('probeEvent keeps the bytes of output that is not UTF-8', () => {
  const outcome = {
    result: 'failure',
    output: '\ufffd',
    outputBytes: Uint8Array.of(0xff),
  } as const;
  expect(probeEvent('Liveness', outcome)).toEqual({
    type: 'Warning',
    reason: 'Unhealthy',
    message: 'Liveness probe failed: \ufffd',
    messageBytes: new Uint8Array([...Buffer.from('Liveness probe failed: '), 0xff]),
  });
});

it.each([
  [OBSOLETE, 0],
  ['another reason', 1],
])('an attempt that is aborted with the reason %s leaves %i events', async (reason, events) => {
  const rig = new Rig([{ result: 'failure', output: 'late' }]);
  await rig.probe({ tcpSocket: { port: 1 } }, {}, AbortSignal.abort(reason));
  expect(rig.events).toHaveLength(events);
});
