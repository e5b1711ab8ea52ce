import type { ApiServer } from './api-server.js';
import { type DeploymentClient, NO_REPLICAS } from './controllers/new-replica-set.js';
import type {
  DaemonSet,
  PodDisruptionBudget,
  ReplicaSet,
  StatefulSet,
  Workload,
} from './controllers/objects.js';
import type { PodClient } from './controllers/revisions.js';

/** Returns the writes of the Deployment controller. */
export function deploymentClient(
  api: ApiServer,
  enqueueAfter: DeploymentClient['enqueueAfter'],
  event: DeploymentClient['event'],
): DeploymentClient {
  return {
    createReplicaSet(draft) {
      const { name, namespace } = draft.metadata;
      if (api.store.named('ReplicaSet', namespace, name) !== undefined) return undefined;
      const created: ReplicaSet = api.create({ ...draft, status: NO_REPLICAS });
      return created;
    },
    updateReplicaSet: (rs) => api.update(rs),
    deleteReplicaSet(rs) {
      const pods = api.store.ownedBy(rs.metadata.uid, 'Pod');
      api.delete(rs);
      for (const pod of pods) api.deletePod(pod); // the garbage collector
    },
    updateStatus: (deployment) => api.updateStatus(deployment),
    enqueueAfter,
    event,
  };
}

/** Returns the writes of the StatefulSet and the DaemonSet controllers. */
export function podClient<Owner extends StatefulSet | DaemonSet>(
  api: ApiServer,
  enqueueAfter: (delay: number) => void,
): PodClient<Owner> {
  return {
    createRevision({ kind, metadata }, name, template) {
      const { namespace, uid, labels } = metadata;
      const owner = { kind, name: metadata.name, uid };
      return api.create({
        kind: 'ControllerRevision',
        metadata: { name, namespace, labels, annotations: {}, owner },
        template,
      });
    },
    createPod: (owner, template, place) => void api.createPod({ owner, template, ...place }),
    deletePod: (pod) => api.deletePod(pod),
    updateStatus: (owner) => api.updateStatus(owner),
    enqueueAfter: (_owner, delay) => enqueueAfter(delay),
  };
}

type Controlled = Workload | PodDisruptionBudget;

/** Statuses of objects that no controller has seen yet. */
export const NO_STATUS: {
  readonly [K in Controlled['kind']]: Extract<Controlled, { readonly kind: K }>['status'];
} = {
  PodDisruptionBudget: {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    disruptionsAllowed: 0,
  },
  Deployment: {
    observedGeneration: 0,
    replicas: 0,
    updatedReplicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    unavailableReplicas: 0,
    conditions: [],
  },
  StatefulSet: {
    observedGeneration: 0,
    replicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    currentReplicas: 0,
    updatedReplicas: 0,
    currentRevision: '',
    updateRevision: '',
  },
  DaemonSet: {
    observedGeneration: 0,
    desiredNumberScheduled: 0,
    currentNumberScheduled: 0,
    updatedNumberScheduled: 0,
    numberReady: 0,
    numberAvailable: 0,
    numberUnavailable: 0,
  },
};
