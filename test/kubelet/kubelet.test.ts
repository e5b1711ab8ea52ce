import { describe, expect, it } from 'vitest';

import type { Pod, PodStatus } from '../../src/api/index.js';
import { RuntimeError, type StatusSink } from '../../src/kubelet/ports.js';
import type { Event } from '../../src/trace/event.js';
import {
  buildContainer,
  buildPod,
  buildProbe,
  buildStaticPod,
  condition,
  type PodOverrides,
} from '../helpers/builders.js';
import { createKubeletRig } from '../helpers/kubelet-rig.js';

type Rig = ReturnType<typeof createKubeletRig>;

const podOf = (overrides: PodOverrides = {}, build = buildStaticPod): Pod =>
  build({ ...overrides, spec: { terminationGracePeriodSeconds: 30, ...overrides.spec } });
const apiPod = (overrides: PodOverrides = {}): Pod => podOf(overrides, buildPod);
const check = buildProbe({ periodSeconds: 5, failureThreshold: 1 });

/** The time and reason of each recorded event, without those of images. */
const recorded = ({ events }: Rig): string[] =>
  events.flatMap(({ t, event }) =>
    event.kind === 'event' && event.reason !== 'Pulled' ? `${t} ${event.reason}` : [],
  );
const statusesOf = ({ events }: Rig): (Event & { kind: 'status' })[] =>
  events.flatMap(({ event }) => (event.kind === 'status' ? event : []));
const statusOf = ({ kubelet }: Rig): PodStatus | undefined =>
  kubelet.statusManager.getPodStatus('uid-1');

/** A sink that keeps the statuses it gets, and rejects them while `state.fails` is set. */
function fakeSink() {
  const patched: PodStatus[] = [];
  const deleted: string[] = [];
  const state = { fails: false };
  const sink: StatusSink = {
    patchPodStatus: (_, status) => {
      if (state.fails) return Promise.reject(new Error('down'));
      patched.push(status);
      return Promise.resolve();
    },
    deletePod: ({ metadata }) => Promise.resolve(void deleted.push(metadata.name)),
  };
  return { sink, patched, deleted, state };
}

describe('a pod that is added', () => {
  it('is created, started and reported as Running', async () => {
    const rig = createKubeletRig();
    rig.kubelet.update('ADD', podOf());
    await rig.advance(2);
    expect(recorded(rig)).toEqual(['0 Pulling', '0 Created', '0.003 Started']);
    expect(statusesOf(rig).map(({ phase }) => phase)).toEqual(['Pending', 'Pending', 'Running']);
    expect(statusOf(rig)).toMatchObject({
      phase: 'Running',
      podIP: '192.168.192.168',
      hostIP: '192.0.2.1',
      containerStatuses: [{ ready: true, started: true, containerID: 'simulated://app-1' }],
    });
  });

  it('is restarted when its container exits, with a growing back-off', async () => {
    const rig = createKubeletRig({ containers: { app: [{ exitAfter: 4_000, exitCode: 1 }] } });
    rig.kubelet.update('ADD', podOf());
    await rig.advance(60);
    const times = rig.runs().map(parseFloat);
    const waits = [1, 3, 5].map((n) => Math.floor((times[n + 1] ?? 0) - (times[n] ?? 0)));
    expect(waits[0]).toBe(1);
    expect(waits[1]).toBeOneOf([10, 11, 12, 13, 14, 15]);
    expect(waits[2]).toBeGreaterThanOrEqual(20);
  });

  it.each<['Never' | 'OnFailure', number, string, number]>([
    ['Never', 0, 'Succeeded', 1],
    ['Never', 1, 'Failed', 1],
    ['OnFailure', 0, 'Succeeded', 1],
    ['OnFailure', 1, 'Running', 2],
  ])(
    'with %s whose container exits with %i is %s',
    async (restartPolicy, exitCode, phase, runs) => {
      const rig = createKubeletRig({ containers: { app: [{ exitAfter: 4_000, exitCode }, {}] } });
      rig.kubelet.update('ADD', podOf({ spec: { restartPolicy } }));
      await rig.advance(20);
      expect(statusOf(rig)?.phase).toBe(phase);
      expect(rig.runs().filter((text) => text.includes('start'))).toHaveLength(runs);
    },
  );

  it('is terminated after its activeDeadlineSeconds', async () => {
    const rig = createKubeletRig();
    rig.kubelet.update('ADD', podOf({ spec: { activeDeadlineSeconds: 5 } }));
    await rig.advance(10);
    expect(statusOf(rig)).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      containerStatuses: [{ state: { terminated: { exitCode: 143 } } }],
    });
    expect(recorded(rig)).toContain('5 DeadlineExceeded');
    expect(rig.runs().slice(1)).toEqual(['6 stop app 30', '6.011 exit app 143']);
  });
});

describe('a pod with probes', () => {
  it('has its container restarted when the liveness probe fails', async () => {
    const exec = { check: [{ until: 7_000 }, { exit: 1 }] };
    const rig = createKubeletRig({ containers: { app: [{ exec }, {}] } });
    const containers = [buildContainer({ livenessProbe: check })];
    rig.kubelet.update('ADD', podOf({ spec: { containers } }));
    await rig.advance(30);
    expect(rig.runs().map((text) => text.replace(/^(\d+)\S*/, '$1'))).toEqual([
      '0 start app',
      '10 stop app 30',
      '10 exit app 143',
      '10 start app',
    ]);
  });

  it('becomes not ready while the readiness probe fails', async () => {
    const exec = { check: [{ until: 7_000 }, { until: 12_000, exit: 1 }, {}] };
    const rig = createKubeletRig({ containers: { app: [{ exec }] } });
    const containers = [buildContainer({ readinessProbe: check })];
    rig.kubelet.update('ADD', podOf({ spec: { containers } }));
    await rig.advance(30);
    const ready = statusesOf(rig).map(({ conditions }) => conditions['Ready']?.split(' ')[0]);
    expect(ready.filter((value, n) => value !== ready[n - 1])).toEqual([
      'False',
      'True',
      'False',
      'True',
    ]);
  });

  it('is first probed after one period, or earlier if the kubelet has just started', async () => {
    const first = async (age: number): Promise<number | undefined> => {
      const rig = createKubeletRig({ age });
      const containers = [
        buildContainer({ livenessProbe: buildProbe({ ...check, periodSeconds: 100 }) }),
      ];
      rig.kubelet.update('ADD', podOf({ spec: { containers } }));
      await rig.advance(200);
      return rig.events.find(({ event }) => event.kind === 'attempt')?.t;
    };
    expect(await first(3_600_000)).toBe(100);
    expect(await first(0)).toBeLessThan(100);
  });
});

describe('a pod that is updated', () => {
  it('restarts the container that changed', async () => {
    const rig = createKubeletRig();
    rig.kubelet.update('ADD', podOf());
    await rig.advance(5);
    const containers = [buildContainer({ image: 'app:2' })];
    rig.kubelet.update('UPDATE', podOf({ spec: { containers } }));
    await rig.advance(1);
    expect(recorded(rig)).toContain('5 Killing');
    expect(recorded(rig).slice(-3)).toEqual(['5.011 Pulling', '5.011 Created', '5.014 Started']);
  });

  it('keeps its reported status, and merges conditions that others wrote', async () => {
    const { sink, patched } = fakeSink();
    const rig = createKubeletRig({ sink });
    const spec = { readinessGates: [{ conditionType: 'example.com/up' }] };
    rig.kubelet.update('ADD', apiPod({ spec }));
    await rig.advance(5);
    expect(conditionIn(patched, 'Ready')).toMatchObject({ status: 'False' });
    const conditions = [condition('example.com/up', 'True'), condition('Ready', 'Unknown')];
    rig.kubelet.update('UPDATE', apiPod({ spec, status: { phase: 'Pending', conditions } }));
    await rig.advance(1);
    expect(conditionIn(patched, 'Ready')).toMatchObject({
      status: 'True',
      lastTransitionTime: 5_000,
    });
    expect(conditionIn(patched, 'example.com/up')).toMatchObject({ status: 'True' });
    expect(patched.at(-1)?.phase).toBe('Running');
  });
});

const conditionIn = (statuses: readonly PodStatus[], type: string) =>
  statuses.at(-1)?.conditions?.find((c) => c.type === type);

describe('a pod from the API', () => {
  it('terminates when it is marked for deletion, has its last status sent, and is then deleted', async () => {
    const { sink, patched, deleted } = fakeSink();
    const rig = createKubeletRig({ sink });
    rig.kubelet.update('ADD', apiPod());
    await rig.advance(5);
    const metadata = { deletionTimestamp: 5_000, deletionGracePeriodSeconds: 3 };
    rig.kubelet.update('UPDATE', apiPod({ metadata }));
    await rig.advance(1);
    expect(rig.runs().slice(1)).toEqual(['5 stop app 3', '5.011 exit app 143']);
    expect(patched.at(-1)).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 143 } } }],
    });
    expect(deleted).toEqual(['web']);
    await rig.advance(4);
    expect(statusOf(rig)).toBeUndefined();
  });

  it('is deleted only when its last status could be sent', async () => {
    const { sink, patched, deleted, state } = fakeSink();
    const rig = createKubeletRig({ sink });
    rig.kubelet.update('ADD', apiPod());
    await rig.advance(5);
    state.fails = true;
    const metadata = { deletionTimestamp: 5_000, deletionGracePeriodSeconds: 3 };
    rig.kubelet.update('UPDATE', apiPod({ metadata }));
    await rig.advance(2);
    expect([patched.at(-1)?.phase, deleted]).toEqual(['Running', []]);
    state.fails = false;
    await rig.advance(2);
    expect(deleted).toEqual([]);
    await rig.advance(2);
    expect([patched.at(-1)?.phase, deleted]).toEqual(['Failed', ['web']]);
  });

  it('has its status sent by flushStatuses after earlier failures', async () => {
    const { sink, patched, state } = fakeSink();
    const rig = createKubeletRig({ sink });
    state.fails = true;
    rig.kubelet.update('ADD', apiPod());
    await rig.advance(2);
    state.fails = false;
    await rig.kubelet.flushStatuses();
    expect(patched.map(({ phase }) => phase)).toEqual(['Running']);
  });

  it('does not block flushStatuses without a status sink', async () => {
    const rig = createKubeletRig();
    await expect(rig.kubelet.flushStatuses()).resolves.toBeUndefined();
  });
});

describe('a static pod', () => {
  it('terminates within its grace period when it is removed, and its status is dropped', async () => {
    const rig = createKubeletRig({ containers: { app: [{ stopTakes: 60_000 }] } });
    rig.kubelet.update('ADD', podOf());
    await rig.advance(5);
    const before = statusesOf(rig).length;
    rig.kubelet.update('REMOVE', podOf());
    await rig.advance(40);
    expect(statusesOf(rig)).toHaveLength(before);
    expect(rig.runs().slice(1)).toEqual(['5 stop app 30', '35 exit app 137']);
    expect(statusOf(rig)).toBeUndefined();
  });

  it('is started again after its termination when it is added again meanwhile', async () => {
    const rig = createKubeletRig({ containers: { app: [{ stopTakes: 10_000 }] } });
    rig.kubelet.update('ADD', podOf());
    await rig.advance(5);
    rig.kubelet.update('REMOVE', podOf());
    await rig.advance(1);
    rig.kubelet.update('ADD', podOf());
    await rig.advance(20);
    expect(rig.runs().slice(1)).toEqual([
      '5 stop app 30',
      '15 exit app 143',
      expect.stringMatching(/^16\.\d+ start app$/),
    ]);
  });

  it('is started after the termination when it is added with another UID meanwhile', async () => {
    const rig = createKubeletRig({ containers: { app: [{ stopTakes: 10_000 }] } });
    rig.kubelet.update('ADD', podOf());
    await rig.advance(5);
    rig.kubelet.update('REMOVE', podOf());
    const metadata = { ...podOf().metadata, uid: 'uid-2' };
    rig.kubelet.update('ADD', podOf({ metadata }));
    await rig.advance(30);
    const [, , exit, start] = rig.runs();
    expect(exit).toBe('15 exit app 143');
    const wait = parseFloat(start ?? '');
    expect(wait).toBeGreaterThan(15);
    expect(wait).toBeLessThan(31);
  });
});

describe('a runtime that does not answer', () => {
  /** A runtime whose status fails before `up`. */
  function createDown(up: number) {
    return createKubeletRig({
      wrap: (runtime, clock) => {
        const status = runtime.status.bind(runtime);
        runtime.status = () =>
          clock.now() < up ? Promise.reject(new RuntimeError('no daemon')) : status();
        return runtime;
      },
    });
  }

  it.each([
    ['at once when it answers', 0, 0],
    ['after the next runtime check and the current back-off', 4_000, 6.3],
    ['after a back-off of at most five seconds', 20_000, 21.3],
  ])('delays pods: they start %s', async (_, up, begin) => {
    const rig = createDown(up);
    rig.kubelet.update('ADD', podOf());
    await rig.advance(40);
    expect(rig.runs()).toEqual([`${begin + 0.003} start app`]);
  });

  it('is reported once, and again when it recovers', async () => {
    const rig = createDown(12_000);
    await rig.advance(40);
    expect(rig.events).toEqual([
      { t: 0, event: { kind: 'runtime', up: false, error: 'no daemon' } },
      { t: 15, event: { kind: 'runtime', up: true } },
    ]);
  });
});

describe('garbage collection', () => {
  it.each([true, false])(
    'removes containers only when collectsGarbage is %s',
    async (collectsGarbage) => {
      const removed: string[] = [];
      const rig = createKubeletRig({
        collectsGarbage,
        containers: { app: [{ startError: 'no' }] },
        wrap: (runtime) => {
          const remove = runtime.removeContainer.bind(runtime);
          runtime.removeContainer = (id) => {
            removed.push(id);
            return remove(id);
          };
          return runtime;
        },
      });
      rig.kubelet.update('ADD', podOf());
      await rig.advance(61);
      expect(removed.length > 0).toBe(collectsGarbage);
    },
  );
});

describe('a stopped kubelet', () => {
  it('does nothing more', async () => {
    const rig = createKubeletRig({ containers: { app: [{ exitAfter: 20_000 }] } });
    const containers = [buildContainer({ livenessProbe: check })];
    rig.kubelet.update('ADD', podOf({ spec: { containers } }));
    await rig.advance(12);
    rig.kubelet.stop();
    rig.events.length = 0;
    rig.kubelet.update('REMOVE', podOf());
    await rig.advance(100);
    expect(rig.events.map(({ event }) => event.kind)).toEqual(['exited']);
  });
});
