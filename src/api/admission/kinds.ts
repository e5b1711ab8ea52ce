import type { Admit } from './admission.js';
import {
  admitDaemonSet,
  admitDeployment,
  admitReplicaSet,
  admitStatefulSet,
} from './apps-kinds.js';
import { admitCronJob, admitJob } from './batch-kinds.js';
import { admitPod, admitPodTemplate, admitReplicationController } from './core-kinds.js';

/** A kind that is a pod or makes pods. */
export interface PodKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of what has the pod's metadata and spec; a Pod is that itself. */
  readonly templatePath: string;
  readonly admit: Admit;
}

const workload = (kind: string, admit: Admit): PodKind => ({
  apiVersion: 'apps/v1',
  kind,
  templatePath: 'spec.template',
  admit,
});

const POD_KINDS: readonly PodKind[] = [
  { apiVersion: 'v1', kind: 'Pod', templatePath: '', admit: admitPod },
  { apiVersion: 'v1', kind: 'PodTemplate', templatePath: 'template', admit: admitPodTemplate },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    templatePath: 'spec.template',
    admit: admitReplicationController,
  },
  workload('Deployment', admitDeployment),
  workload('ReplicaSet', admitReplicaSet),
  workload('DaemonSet', admitDaemonSet),
  workload('StatefulSet', admitStatefulSet),
  { apiVersion: 'batch/v1', kind: 'Job', templatePath: 'spec.template', admit: admitJob },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    templatePath: 'spec.jobTemplate.spec.template',
    admit: admitCronJob,
  },
];

/** The pod kind of that name, whatever its version. */
export function podKind(kind: string): PodKind | undefined {
  return POD_KINDS.find((each) => each.kind === kind);
}
