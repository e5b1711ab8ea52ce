import { describe, expect, it } from 'vitest';

import type { Container } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Backoff } from '../../../src/kubelet/containers/backoff.js';
import { hashContainer } from '../../../src/kubelet/containers/container-hash.js';
import { ContainerKiller } from '../../../src/kubelet/containers/container-killer.js';
import { ContainerStarter } from '../../../src/kubelet/containers/container-starter.js';
import { HookRunner } from '../../../src/kubelet/containers/hook-runner.js';
import { ImageManager } from '../../../src/kubelet/containers/image-manager.js';
import { type RuntimeContainerStatus, RuntimeError } from '../../../src/kubelet/ports.js';
import { DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
import type { StartError } from '../../../src/kubelet/sync-result.js';
import type { Event } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
} from '../../helpers/builders.js';
import { fakeRecorder } from '../../helpers/fake-recorder.js';
import { FakeImages, FakeRuntime } from '../../helpers/fake-runtime.js';
import { fakeTransports } from '../../helpers/fake-transports.js';

function createRig({ withImages = false } = {}) {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  const { recorder, recorded } = fakeRecorder();
  const { transports } = fakeTransports();
  const events: Event[] = [];
  const emit = (event: Event): void => void events.push(event);
  const hooks = new HookRunner({
    clock,
    runtime,
    transports,
    recorder,
    emit,
    kubelet: { version: '1.36' },
  });
  const killer = new ContainerKiller(clock, runtime, recorder, hooks);
  const backOff = new Backoff(clock, 10_000, 300_000);
  const fakeImages = new FakeImages(clock);
  const images = withImages
    ? new ImageManager(clock, fakeImages, recorder, DEFAULT_BEHAVIOR)
    : undefined;
  const starter = new ContainerStarter({
    clock,
    runtime,
    recorder,
    backOff,
    images,
    hooks,
    killer,
    behavior: DEFAULT_BEHAVIOR,
    emit,
  });
  const start = (
    container: Partial<Container> = {},
    containerStatuses: readonly RuntimeContainerStatus[] = [],
  ): Promise<StartError | undefined> => {
    const built = buildContainer(container);
    const pod = buildPod({ spec: { containers: [built], terminationGracePeriodSeconds: 30 } });
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    return starter.start({
      pod,
      container: built,
      podStatus,
      sandboxID: 'sandbox-1',
      podIPs: ['10.0.0.1'],
    });
  };
  return { clock, runtime, fakeImages, recorded, events, start };
}

const CREATED = 'app Normal Created: Container created';
const STARTED = 'app Normal Started: Container started';

it('creates and starts the container', async () => {
  const { runtime, recorded, start } = createRig();
  expect(await start()).toBeUndefined();
  expect(runtime.calls).toEqual(['0 create app', '0 start app-1']);
  expect(recorded).toEqual([CREATED, STARTED]);
  expect(runtime.container('app-1')).toMatchObject({
    state: 'running',
    sandboxID: 'sandbox-1',
    restartCount: 0,
    hash: hashContainer(buildContainer()),
    imageRef: 'app:1',
  });
});

it('increases the restart count of the previous container', async () => {
  const { runtime, start } = createRig();
  await start({}, [buildRuntimeContainer({ id: 'app-0', state: 'created', restartCount: 4 })]);
  expect(runtime.container('app-1').restartCount).toBe(5);
});

describe('the image of a container', () => {
  it('is pulled, and the container is created from it', async () => {
    const { runtime, recorded, start } = createRig({ withImages: true });
    await start({ imagePullPolicy: 'Always' });
    expect(runtime.container('app-1').imageRef).toBe('app:1@ref');
    expect(recorded[0]).toBe('app Normal Pulling: Pulling image "app:1"');
  });

  it('fails the start with ErrImagePull when it cannot be pulled', async () => {
    const { runtime, fakeImages, recorded, start } = createRig({ withImages: true });
    fakeImages.failure = new RuntimeError('not found');
    expect(await start({ imagePullPolicy: 'Always' })).toEqual({
      reason: 'ErrImagePull',
      message: 'not found',
    });
    expect(recorded.at(-1)).toBe('app Warning Failed: Error: ErrImagePull');
    expect(runtime.calls).toEqual([]);
  });
});

describe('a start that fails', () => {
  it.each<[string, RuntimeError, StartError, string[]]>([
    [
      'create',
      new RuntimeError('no space'),
      { reason: 'CreateContainerError', message: 'no space' },
      ['app Warning Failed: Error: no space'],
    ],
    [
      'create',
      new RuntimeError('secret "x" not found', 'configuration'),
      { reason: 'CreateContainerConfigError', message: 'secret "x" not found' },
      ['app Warning Failed: Error: secret "x" not found'],
    ],
    [
      'start',
      new RuntimeError('failed to start app-1: no such file'),
      { reason: 'RunContainerError', message: 'failed to start app-1: no such file' },
      // Events name the container, so that they count up.
      [CREATED, 'app Warning Failed: Error: failed to start app: no such file'],
    ],
  ])('in the %s call: %s', async (call, error, expected, events) => {
    const { runtime, recorded, start } = createRig();
    runtime.failures.set(call, error);
    expect(await start()).toEqual(expected);
    expect(recorded).toEqual(events);
  });

  it('is rethrown when the error is a bug', async () => {
    const { runtime, start } = createRig();
    runtime.failures.set('create', new TypeError('bug'));
    await expect(start()).rejects.toThrow('bug');
  });
});

describe('a postStart hook', () => {
  const lifecycle = { postStart: { exec: { command: ['warm'] } } };
  const failed = {
    kind: 'exited',
    exitCode: 1,
    stdout: new Uint8Array(),
    stderr: new Uint8Array(),
  } as const;

  it('runs after the container has started', async () => {
    const { runtime, start } = createRig();
    expect(await start({ lifecycle })).toBeUndefined();
    expect(runtime.calls).toEqual(['0 create app', '0 start app-1', '0 exec app-1 warm 0']);
  });

  it('kills the container when it fails', async () => {
    const { runtime, recorded, start } = createRig();
    runtime.commands.set('warm', failed);
    expect(await start({ lifecycle })).toEqual({
      reason: 'PostStartHookError',
      message: `Exec lifecycle hook ([warm]) for Container "app" in Pod "web_default(uid-1)" failed - error: command 'warm' exited with 1: , message: ""`,
    });
    expect(runtime.calls.at(-1)).toBe('0 stop app-1 30');
    expect(recorded).toEqual([
      CREATED,
      STARTED,
      'app Warning FailedPostStartHook: PostStartHook failed',
      'app Normal Killing: FailedPostStartHook',
    ]);
  });

  it('is reported as the error even when the container cannot be killed', async () => {
    const { runtime, start } = createRig();
    runtime.commands.set('warm', failed);
    runtime.failures.set('stop', new RuntimeError('busy'));
    expect(await start({ lifecycle })).toMatchObject({ reason: 'PostStartHookError' });
  });
});

describe('back-off', () => {
  const ended = (finishedAt: number) => buildExited(1, { id: 'app-0', finishedAt });

  it('allows the first restart, and delays the next one by 10 s from the exit', async () => {
    const { clock, recorded, events, start } = createRig();
    expect(await start({}, [ended(0)])).toBeUndefined();
    await clock.advance(4_000);
    expect(await start({}, [ended(3_000)])).toEqual({
      reason: 'CrashLoopBackOff',
      message: 'back-off 10s restarting failed container=app pod=web_default(uid-1)',
      backoffUntil: 13_000,
    });
    expect(recorded.at(-1)).toBe(
      'app Warning BackOff: Back-off restarting failed container app in pod web_default(uid-1)',
    );
    expect(events.at(-1)).toEqual({
      kind: 'backOff',
      pod: 'default/web',
      container: 'app',
      delay: 10_000,
      until: 13_000,
    });
    await clock.advance(8_999);
    expect(await start({}, [ended(3_000)])).toMatchObject({ reason: 'CrashLoopBackOff' });
    await clock.advance(1);
    expect(await start({}, [ended(3_000)])).toBeUndefined();
  });

  it('prints minutes as minutes', async () => {
    const { clock, start } = createRig();
    for (let i = 0; i < 6; i++) {
      await clock.advance(300_000);
      await start({}, [ended(clock.now() - 300_000)]);
    }
    expect(await start({}, [ended(clock.now())])).toMatchObject({
      message: 'back-off 5m0s restarting failed container=app pod=web_default(uid-1)',
    });
  });

  it.each<[string, Partial<Container>]>([
    ['image', { image: 'app:2' }],
    ['name', { name: 'other' }],
    ['resources', { resources: { requests: { cpu: '1' } } }],
  ])('is reset when the %s changes', async (_, changed) => {
    const { start } = createRig();
    await start({}, [ended(0)]);
    expect(await start(changed, [buildExited(1, { name: changed.name ?? 'app' })])).toBeUndefined();
  });

  it('ignores a container that has not exited', async () => {
    const { start } = createRig();
    await start({}, [ended(0)]);
    expect(await start({}, [buildRuntimeContainer({ state: 'created' })])).toBeUndefined();
    expect(await start({}, [buildRuntimeContainer({ state: 'created' }), ended(0)])).toMatchObject({
      reason: 'CrashLoopBackOff',
    });
  });
});
