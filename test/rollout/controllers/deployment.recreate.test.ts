import { expect, it } from 'vitest';

import { rolloutRecreate } from '../../../src/rollout/controllers/deployment.js';
import {
  buildApiPod,
  fakeSync,
  storedDeployment,
  storedReplicaSet,
} from '../../helpers/controllers.js';

const owner = { kind: 'ReplicaSet', name: 'old', uid: 'old' };
const pod = (phase: 'Running' | 'Failed' | 'Succeeded' | 'Unknown', more = {}) =>
  buildApiPod(phase, { owner, status: { phase }, ...more });

/** Rows of pkg/controller/deployment/recreate_test.go. */
it.each([
  ['scales old ReplicaSets down first', 3, 3, [], ['old 0']],
  ['waits while the old ReplicaSet counts pods', 0, 1, [], []],
  ['waits for an old pod that runs', 0, 0, [pod('Running')], []],
  ['waits for an old pod that terminates', 0, 0, [pod('Running', { deletionTimestamp: 1 })], []],
  ['waits for an old pod in an unknown phase', 0, 0, [pod('Unknown')], []],
  [
    'does not wait for old pods that have ended',
    0,
    0,
    [pod('Failed'), pod('Succeeded')],
    ['created 10'],
  ],
  ['creates the new ReplicaSet when no pod is left', 0, 0, [], ['created 10']],
])('Recreate %s', (_, replicas, counted, pods, sizes) => {
  const old = storedReplicaSet('old', replicas);
  const sets = [{ ...old, status: { ...old.status, replicas: counted } }];
  const sync = fakeSync(storedDeployment({ strategy: { type: 'Recreate' } }), sets, { pods });
  rolloutRecreate(sync);
  expect(sync.sizes).toEqual(sizes);
});
