import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import type { ContainerConfig } from '../../src/kubelet/ports.js';
import { type Faults, NO_FAULTS } from '../../src/sim/faults.js';
import { ScriptedContainer } from '../../src/sim/scripted-container.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { buildRun, type RunOverrides } from '../helpers/kubelet-rig.js';

const config: ContainerConfig = {
  pod: buildPod(),
  container: buildContainer({ image: 'app:7' }),
  sandboxID: 'sandbox-1',
  restartCount: 2,
  hash: 'abc',
  imageRef: 'ref',
  podIPs: [],
};

/** A container that was created at 1 s, and started if there is a script. */
function createRig(script?: RunOverrides, faults?: Faults) {
  const clock = new VirtualClock(1, 1_000);
  const exits: string[] = [];
  const container = new ScriptedContainer(
    'app-1',
    config,
    clock,
    () => clock.random(),
    ({ exitCode }) => exits.push(`${clock.now()} ${exitCode}`),
    faults && (() => faults),
  );
  if (script !== undefined) container.start(buildRun(script));
  /** Waits for work; returns its value and the time at which it was done. */
  const when = async <Value>(work: PromiseLike<Value>): Promise<{ at: number; value: Value }> => {
    const settled = work.then((value) => ({ at: clock.now(), value }));
    await clock.advance(100_000);
    return settled;
  };
  return { clock, container, exits, when };
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('a container', () => {
  it('that is created has the status of its config', () => {
    expect(createRig().container.status()).toEqual({
      id: 'app-1',
      name: 'app',
      state: 'created',
      sandboxID: 'sandbox-1',
      image: 'app:7',
      imageRef: 'ref',
      hash: 'abc',
      restartCount: 2,
      exitCode: 0,
      reason: '',
      message: '',
    });
  });

  it('that is started runs forever', async () => {
    const { clock, container, exits } = createRig({});
    await clock.advance(1e9);
    expect(container.status()).toMatchObject({ state: 'running', startedAt: 1_000, reason: '' });
    expect([container.state, exits]).toEqual(['running', []]);
  });

  it.each([
    [0, 'Completed'],
    [3, 'Error'],
  ])('that exits by itself with %i has its times and reason', async (exitCode, reason) => {
    const { clock, container, exits } = createRig({ exitAfter: 500, exitCode });
    await clock.advance(499);
    expect(container.state).toBe('running');
    await clock.advance(1);
    expect(container.status()).toMatchObject({
      state: 'exited',
      startedAt: 1_000,
      finishedAt: 1_500,
      exitCode,
      reason,
    });
    expect(exits).toEqual([`1500 ${exitCode}`]);
  });
});

describe('a stop', () => {
  it.each<[string, RunOverrides, number, number, string]>([
    ['exits soon with code 143 by default', {}, 30, 1_011, '1011 143'],
    [
      'exits after stopTakes with its own exit code',
      { stopTakes: 4_000, stopExitCode: 0 },
      30,
      5_000,
      '5000 0',
    ],
    [
      'exits in time when it takes the whole grace period',
      { stopTakes: 2_000 },
      2,
      3_000,
      '3000 143',
    ],
    ['kills the container after the grace period', { stopTakes: 2_001 }, 2, 3_000, '3000 137'],
    ['kills the container at once with a grace period of 0', {}, 0, 1_000, '1000 137'],
    [
      'ends early when the container exits by itself',
      { exitAfter: 5, exitCode: 9 },
      30,
      1_005,
      '1005 9',
    ],
  ])('%s', async (_, script, grace, at, exit) => {
    const { container, exits, when } = createRig(script);
    expect((await when(container.stop(grace))).at).toBe(at);
    expect(exits).toEqual([exit]);
  });

  it.each<[string, RunOverrides | undefined]>([
    ['that never started', undefined],
    ['that has exited', { exitAfter: 0 }],
  ])('of a container %s returns at once', async (_, script) => {
    const { clock, container, exits, when } = createRig(script);
    await clock.advance(10);
    const before = exits.length;
    expect((await when(container.stop(30))).at).toBe(1_010);
    expect(exits).toHaveLength(before);
  });
});

describe('a command', () => {
  it('without a script exits with 0 after 7 ms', async () => {
    const { container, when } = createRig({});
    const { at, value } = await when(container.exec('check', 1));
    expect([at, value]).toMatchObject([1_007, { kind: 'exited', exitCode: 0 }]);
  });

  it('exits as scripted, with its output', async () => {
    const answer = { takes: 300, exit: 2, stdout: 'out', stderr: 'err' };
    const { container, when } = createRig({ exec: { 'check it': [answer] } });
    const { at, value } = await when(container.exec('check it', 1));
    expect([at, value]).toMatchObject([1_300, { kind: 'exited', exitCode: 2 }]);
    expect(value.kind === 'exited' && [text(value.stdout), text(value.stderr)]).toEqual([
      'out',
      'err',
    ]);
  });

  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [199, 2],
    [200, 2],
    [5_000, 2],
  ])('is answered by the age of the container: %i ms', async (age, exitCode) => {
    const answers = [
      { until: 100, exit: 1 },
      { until: 200, exit: 2 },
    ];
    const { clock, container, when } = createRig({ exec: { check: answers } });
    await clock.advance(age);
    expect((await when(container.exec('check', 1))).value).toMatchObject({ exitCode });
  });

  it('uses the first answer without an end, not later ones', async () => {
    const answers = [{ until: 100, exit: 1 }, { exit: 2 }, { exit: 3 }];
    const { clock, container, when } = createRig({ exec: { check: answers } });
    await clock.advance(100);
    expect((await when(container.exec('check', 1))).value).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['that exceeds the timeout is stopped', 1_001, 1, 2_000, 'timedOut'],
    ['that takes as long as the timeout is not stopped', 1_000, 1, 2_000, 'exited'],
    ['without a timeout takes as long as scripted', 50_000, 0, 51_000, 'exited'],
  ])('%s', async (_, takes, timeout, at, kind) => {
    const { container, when } = createRig({ exec: { check: [{ takes }] } });
    expect(await when(container.exec('check', timeout))).toMatchObject({ at, value: { kind } });
  });

  it('with an error returns it after its time', async () => {
    const { container, when } = createRig({ exec: { check: [{ takes: 20, error: 'no' }] } });
    expect(await when(container.exec('check', 1))).toEqual({
      at: 1_020,
      value: { kind: 'error', message: 'no' },
    });
  });

  it('is killed when its container exits', async () => {
    const exec = { check: [{ takes: 5_000, exit: 1 }] };
    const { container, when } = createRig({ exec, exitAfter: 300 });
    expect(await when(container.exec('check', 10))).toMatchObject({
      at: 1_300,
      value: { kind: 'exited', exitCode: 137 },
    });
  });

  it('in a container that has exited is killed at once', async () => {
    const { clock, container, when } = createRig({ exitAfter: 0 });
    await clock.advance(10);
    expect(await when(container.exec('check', 1))).toMatchObject({
      at: 1_010,
      value: { kind: 'exited', exitCode: 137 },
    });
  });
});

describe('a container in faults', () => {
  const READY = 'http :8080/ready';

  async function ask(rig: ReturnType<typeof createRig>, at: number, endpoint = READY) {
    await rig.clock.runUntil(at);
    const asked = rig.container.request(endpoint, 1).then((end) => ({ end, at: rig.clock.now() }));
    await rig.clock.advance(500);
    return asked;
  }

  it('answers that it is not ready while something that it needs is down', async () => {
    const rig = createRig(
      {},
      {
        ...NO_FAULTS,
        outages: [{ name: 'db', window: { from: 31_000, to: 61_000 } }],
        dependencies: [{ on: 'db', target: { kind: 'http', endpoint: '/ready' } }],
      },
    );
    expect(await ask(rig, 30_000)).toMatchObject({ end: { response: { kind: 'ok' } } });
    expect(await ask(rig, 31_000)).toMatchObject({ end: { response: { kind: 'notReady' } } });
    expect(await ask(rig, 32_000, 'http :8080/')).toMatchObject({
      end: { response: { kind: 'ok' } },
    });
    expect(await ask(rig, 61_000)).toMatchObject({ end: { response: { kind: 'ok' } } });
  });

  it('starts and answers later without the CPU that it needs', async () => {
    const behaviors = { [READY]: { closedUntil: { from: 5_000, to: 5_000 } } };
    const starved = [{ amount: 0.01, window: { from: 2_000, to: 12_000 } }];
    const rig = createRig({ behaviors }, { ...NO_FAULTS, starved });
    expect(await ask(rig, 11_000)).toMatchObject({ end: { response: { kind: 'closed' } } });
    expect(await ask(rig, 15_800)).toMatchObject({ end: { response: { kind: 'closed' } } });
    expect(await ask(rig, 16_400)).toMatchObject({ end: { response: { kind: 'ok' } } });
    const other = createRig({}, { ...NO_FAULTS, starved });
    expect(await ask(other, 3_000)).toMatchObject({ at: 3_200 });
    expect(await ask(other, 12_000)).toMatchObject({ at: 12_002 });
  });

  it('whose command was canceled does nothing at the time of its end', async () => {
    const { clock, container } = createRig({ exec: { check: [{ takes: 5_000 }] } });
    const canceling = new AbortController();
    const order: string[] = [];
    const at = (name: string) => clock.setTimeout(() => clock.go(() => order.push(name)), 2_000);
    at('first');
    at('second');
    void container.exec('check', 2, canceling.signal);
    canceling.abort();
    await clock.advance(2_000);
    // The latest goroutine goes first; one for the command would go before both.
    expect(order).toEqual(['second', 'first']);
  });
});
