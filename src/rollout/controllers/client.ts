import type { ApiServer } from '../api-server.js';
import {
  type ApiPod,
  type ControllerRevision,
  type DaemonSet,
  type Deployment,
  NO_STATUS,
  type PodTemplate,
  type ReplicaSet,
  type StatefulSet,
  type Workload,
} from './objects.js';
import { findMinNextPodAvailabilityCheck } from './pod-util.js';

type PodOwner = ReplicaSet | StatefulSet | DaemonSet;
type Controlled = Workload | ReplicaSet;

export type Client = ReturnType<typeof clientOf>;

/** Returns the writes of controllers. */
export function clientOf(
  api: ApiServer,
  enqueueAfter: (uid: string, delay: number) => void,
  event: (deployment: Deployment, reason: string, message: string) => void,
) {
  return {
    /** Returns the stored object; undefined when the name is taken. */
    createReplicaSet(draft: Omit<ReplicaSet, 'status'>): ReplicaSet | undefined {
      const { name, namespace } = draft.metadata;
      if (api.store.named('ReplicaSet', namespace, name) !== undefined) return undefined;
      return api.create({ ...draft, status: NO_STATUS.ReplicaSet });
    },
    updateReplicaSet: (rs: ReplicaSet): ReplicaSet => api.update(rs),
    deleteReplicaSet(rs: ReplicaSet): void {
      const pods = api.store.ownedBy(rs.metadata.uid, 'Pod');
      api.remove(rs);
      for (const pod of pods) api.deletePod(pod); // the garbage collector
    },
    createRevision(
      { kind, metadata: { name: ownerName, namespace, uid, labels } }: StatefulSet | DaemonSet,
      name: string,
      template: PodTemplate,
    ): ControllerRevision {
      const owner = { kind, name: ownerName, uid };
      const metadata = { name, namespace, labels, annotations: {}, owner };
      return api.create({ kind: 'ControllerRevision', metadata, template });
    },
    createPod(
      owner: PodOwner,
      template: PodTemplate,
      place?: { readonly name?: string; readonly nodeName?: string },
    ): void {
      api.createPod({ owner, template, ...place });
    },
    deletePod: (pod: ApiPod): void => api.deletePod(pod),
    updateStatus: (object: Controlled): void => api.updateStatus(object),
    /** Syncs the object again after these milliseconds. */
    enqueueAfter: ({ metadata }: Controlled, delay: number): void =>
      enqueueAfter(metadata.uid, delay),
    event,
  };
}

/** Stores the status at the end of a sync, and syncs again when the next pod becomes available. */
export function endSync<Owner extends PodOwner>(
  { client, now }: { readonly client: StatusClient; readonly now: number },
  owner: Owner,
  status: Owner['status'],
  waiting: number,
  pods: readonly ApiPod[] = [],
): void {
  const { minReadySeconds } = owner.spec;
  if (JSON.stringify(status) !== JSON.stringify(owner.status)) {
    const changed: Owner = { ...owner, status };
    client.updateStatus(changed);
  }
  if (minReadySeconds === 0 || waiting === 0) return;
  const next = findMinNextPodAvailabilityCheck(pods, minReadySeconds, now);
  client.enqueueAfter(owner, next ?? minReadySeconds * 1000);
}

type StatusClient = Pick<Client, 'updateStatus' | 'enqueueAfter'>;
