import { describe, expect, it } from 'vitest';

import type { DeploymentSpec } from '../../src/rollout/controllers/objects.js';
import { buildContainer } from '../helpers/builders.js';
import { buildDeployment, rollBack, type RolloutRig, rolloutRig } from '../helpers/rollout-rig.js';

/** Replicas of each ReplicaSet: wanted, and ready. */
function sizes({ plane }: RolloutRig): string[] {
  return plane
    .snapshot()
    .replicaSets.map(({ spec, status }) => `${spec.replicas}/${status.readyReplicas}`);
}

const progressing = (rig: RolloutRig) =>
  rig.deployment().status.conditions.find(({ type }) => type === 'Progressing');

const web = (image: string, spec: Partial<DeploymentSpec> = {}) =>
  buildDeployment(spec, buildContainer({ image }));

describe('ControlPlane with a Deployment', () => {
  it('creates a ReplicaSet and its pods on the nodes in turn', async () => {
    const rig = rolloutRig({}, ['node-1', 'node-2']);
    rig.plane.apply(web('app:1'));
    await rig.advance(2);
    expect(sizes(rig)).toEqual(['4/4']);
    expect(rig.plane.snapshot().pods.map(({ spec }) => spec.nodeName)).toEqual([
      'node-1',
      'node-2',
      'node-1',
      'node-2',
    ]);
    expect(progressing(rig)?.reason).toBe('NewReplicaSetAvailable');
  });

  it('replaces pods within maxSurge and maxUnavailable', async () => {
    const rig = rolloutRig({ 'app:2': { readyAfter: 10 } });
    rig.plane.apply(web('app:1'));
    await rig.advance(5);
    rig.plane.apply(web('app:2'));
    await rig.advance(1);
    expect(sizes(rig)).toEqual(['3/3', '2/0']);
    await rig.advance(10);
    expect(sizes(rig)).toEqual(['1/1', '4/2']);
    await rig.advance(20);
    expect(sizes(rig)).toEqual(['0/0', '4/4']);
    expect(rig.deployment().metadata.annotations['deployment.kubernetes.io/revision']).toBe('2');
  });

  it('with Recreate, waits for old pods to be gone', async () => {
    const rig = rolloutRig({ 'app:1': { readyAfter: 1, deleteTakes: 20 } });
    const strategy = { type: 'Recreate' } as const;
    rig.plane.apply(web('app:1', { strategy }));
    await rig.advance(5);
    rig.plane.apply(web('app:2', { strategy }));
    await rig.advance(19);
    expect(sizes(rig)).toEqual(['0/0']);
    await rig.advance(3);
    expect(sizes(rig)).toEqual(['0/0', '4/4']);
  });

  it('counts a pod as available minReadySeconds after it is ready', async () => {
    const rig = rolloutRig();
    rig.plane.apply(web('app:1', { minReadySeconds: 30 }));
    await rig.advance(30);
    expect(rig.deployment().status.availableReplicas).toBe(0);
    await rig.advance(1);
    expect(rig.deployment().status.availableReplicas).toBe(4);
  });

  it('reports the deadline a second after it, when no pod gets ready', async () => {
    const rig = rolloutRig({ 'app:2': {} });
    rig.plane.apply(web('app:1', { progressDeadlineSeconds: 60 }));
    await rig.advance(5);
    rig.plane.apply(web('app:2', { progressDeadlineSeconds: 60 }));
    await rig.advance(60);
    expect(progressing(rig)?.status).toBe('True');
    await rig.advance(2);
    expect(progressing(rig)).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
  });

  it('never reaches the deadline while readiness flaps', async () => {
    const rig = rolloutRig({ 'app:2': { readyAfter: 10, flapsEvery: 20 } });
    const spec = { progressDeadlineSeconds: 60, minReadySeconds: 30 };
    rig.plane.apply(web('app:1', spec));
    await rig.advance(60);
    rig.plane.apply(web('app:2', spec));
    await rig.advance(3600);
    expect(sizes(rig)[0]).toBe('3/3');
    expect(progressing(rig)).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' });
  });

  it('scales all ReplicaSets in proportion during a rollout', async () => {
    const rig = rolloutRig({ 'app:2': {} });
    rig.plane.apply(web('app:1', { replicas: 10 }));
    await rig.advance(5);
    rig.plane.apply(web('app:2', { replicas: 10 }));
    await rig.advance(5);
    expect(sizes(rig)).toEqual(['8/8', '5/0']);
    rig.plane.apply(web('app:2', { replicas: 20 }));
    await rig.advance(5);
    expect(sizes(rig)).toEqual(['15/15', '10/0']);
  });

  it('rolls back to the revision before, as a new revision', async () => {
    const rig = rolloutRig({ 'app:2': {} });
    rig.plane.apply(web('app:1'));
    await rig.advance(5);
    rig.plane.apply(web('app:2'));
    await rig.advance(5);
    rollBack(rig.plane, rig.deployment());
    await rig.advance(5);
    expect(sizes(rig)).toEqual(['4/4', '0/0']);
    expect(rig.deployment().metadata.annotations['deployment.kubernetes.io/revision']).toBe('3');
  });

  it('does not roll out while it is paused', async () => {
    const rig = rolloutRig();
    rig.plane.apply(web('app:1'));
    await rig.advance(5);
    rig.plane.apply(web('app:2', { paused: true }));
    await rig.advance(5);
    expect(sizes(rig)).toEqual(['4/4']);
    expect(progressing(rig)?.reason).toBe('DeploymentPaused');
    rig.plane.apply(web('app:2'));
    await rig.advance(10);
    expect(sizes(rig)).toEqual(['0/0', '4/4']);
  });

  it('publishes endpoints as pods get ready and terminate', async () => {
    const rig = rolloutRig();
    rig.plane.apply({
      kind: 'Service',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { app: 'web' } },
    });
    rig.plane.apply(web('app:1'));
    const states = () =>
      rig.plane
        .snapshot()
        .endpoints.flatMap(({ endpoints }) => endpoints)
        .map(({ ready, serving, terminating }) =>
          [ready, serving, terminating].map(Number).join(''),
        );
    await rig.advance(0.5);
    expect(states()).toEqual([]);
    await rig.advance(1);
    expect(states()).toEqual(['110', '110', '110', '110']);
    rig.plane.apply(web('app:1', { replicas: 3 }));
    await rig.advance(1);
    expect(states().sort()).toEqual(['011', '110', '110', '110']);
    await rig.advance(2);
    expect(states()).toEqual(['110', '110', '110']);
  });
});
