import { describe, expect, it } from 'vitest';

import { diagnosePod } from '../../../src/diagnosis/diagnosis.js';
import { diagnosisText, outlookText } from '../../../src/diagnosis/words.js';
import { readStream, watchStream } from '../../helpers/cluster-stream.js';

/** Recorded from a cluster of v1.36.3, whose pods had been created three seconds before. */
const FAULTS = readStream('faults');
/** Its container ends 2 s after the deletion, and 1 s before the kubelet deletes it again. */
const FINALIZER = readStream('finalizer');

function diagnosesOf(name: string, from: number, stream = FAULTS) {
  const now = from + 8;
  const { summary } = watchStream(stream, from, now);
  const pods = summary.pods.filter(({ key }) => key === `f/${name}`);
  return pods.flatMap((pod) => diagnosePod(pod, now));
}

describe('what keeps a pod from its containers, in a cluster', () => {
  it.each([
    [
      'a hostPort that another pod has',
      'host2',
      "no node takes it: 1 node(s) didn't have free ports for the requested pod ports. Set a hostPort that a node has free, or none; an update whose old pod has it needs maxSurge: 0 or Recreate",
    ],
    [
      'a label that no node has',
      'nodesel',
      "no node takes it: 1 node(s) didn't match Pod's node affinity/selector. Correct nodeSelector and affinity, or label a node",
    ],
    [
      'a request that no node can meet',
      'toobig',
      'no node takes it: 1 Insufficient memory. Lower resources.requests',
    ],
    [
      'a claim that is not there',
      'nopvc',
      'no node takes it: persistentvolumeclaim "absent-claim" not found. Add the PersistentVolumeClaim absent-claim to the manifests, or correct claimName',
    ],
    [
      'a scheduling gate',
      'sched-gate',
      'its scheduling gates are not removed: example.com/wait. Let the controller that example.com/wait belongs to remove it, or take it out of schedulingGates',
    ],
    [
      'a key that a mounted ConfigMap does not have',
      'cmkey',
      'the volume conf cannot be mounted: configmap references non-existent config key: app.yaml. Add the key app.yaml, or correct the key in volumes',
    ],
  ])('%s is named with what helps', (_, name, text) => {
    expect(diagnosesOf(name, 0).map(diagnosisText)).toEqual([`the pod waits: ${text}`]);
  });
});

describe('a pod that its kubelet has ended', () => {
  it('has the reason of the pod, and not the exit code of its container', () => {
    expect(diagnosesOf('deadline', 40).map(diagnosisText)).toEqual([
      'the pod failed: Pod was active on the node longer than the specified deadline. Raise activeDeadlineSeconds if it needs longer',
    ]);
  });

  it.each([30, 40, 50])(
    'is held by a finalizer, and has not crashed, %i s after its start',
    (from) => {
      expect(diagnosesOf('finalizer', from + 10, FINALIZER).map(diagnosisText)).toEqual([
        'the pod waits: it is deleted and its containers have ended, but it still has the finalizer example.com/hold. Let the controller that example.com/hold belongs to remove it, or take it out of metadata.finalizers',
      ]);
    },
  );

  it('waits 5 s for the controller of a finalizer', () => {
    // Its program has ignored TERM.
    const kinds = diagnosesOf('finalizer', 37, FINALIZER).map(({ fault }) => fault.kind);
    expect(kinds).toEqual(['slowStop']);
  });
});

describe('a watch that begins in a back-off', () => {
  it.each([
    ['poststart', 25, 'CrashLoopBackOff of 40 s; starts again in 30 – 51 s'],
    ['poststart', 60, 'the kubelet starts it again after a back-off of 40 s, within 16 s'],
    ['poststart', 100, 'CrashLoopBackOff of 80 s; starts again in 47 – 59 s'],
    ['runerror', 60, 'CrashLoopBackOff of 40 s; starts again in 3.6 – 25 s'],
    ['runerror', 170, 'CrashLoopBackOff of 2m40s; starts again in 2m18s – 2m41s'],
  ])('says of %s after %i s: %s', (name, from, text) => {
    const [diagnosis] = diagnosesOf(name, from);
    expect(diagnosis?.next && outlookText(diagnosis.next)).toBe(text);
  });

  it('names the hook whose failure the kubelet no longer explains', () => {
    const [diagnosis] = diagnosesOf('poststart', 300);
    expect(diagnosis && diagnosisText(diagnosis)).toContain(
      'app killed 6 ×: its postStart hook failed, so the kubelet killed it → CrashLoopBackOff of 2m40s',
    );
  });
});

describe('a container that runs out of memory', () => {
  const OOM = readStream('oom');
  it.each([
    ['has ended', 17.65],
    ['waits', 30],
    ['runs again', 38.7],
    ['has ended again', 39.5],
  ])('has that cause while it %s', (_, now) => {
    for (const from of [0, now - 0.1]) {
      const { summary } = watchStream(OOM, from, now);
      const [diagnosis] = summary.pods.flatMap((pod) => diagnosePod(pod, now));
      expect(diagnosis?.fault).toEqual({ kind: 'outOfMemory', by: 'limit' });
    }
  });
});

it('a failed start of a cluster has the time that its status names', () => {
  const { lines } = watchStream(FAULTS, 60, 60);
  const failed = lines.find((line) => line.kind === 'startFailed');
  expect(failed).toMatchObject({ t: 60, pod: 'f/runerror', run: 3 });
  expect(failed && 'at' in failed && failed.at).toBeLessThan(50);
});
