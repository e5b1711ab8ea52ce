/** A kind that is a pod or makes pods, and where its pod template is; a Pod is its own. */
export interface PodKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of what has the pod's metadata and spec. */
  readonly templatePath: string;
  /** The versions that clusters once served. */
  readonly formerly?: readonly string[];
}

export const POD_KINDS: readonly PodKind[] = [
  { apiVersion: 'v1', kind: 'Pod', templatePath: '' },
  { apiVersion: 'v1', kind: 'PodTemplate', templatePath: 'template' },
  { apiVersion: 'v1', kind: 'ReplicationController', templatePath: 'spec.template' },
  ...['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].map((kind) => ({
    apiVersion: 'apps/v1',
    kind,
    templatePath: 'spec.template',
    formerly: ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'],
  })),
  { apiVersion: 'batch/v1', kind: 'Job', templatePath: 'spec.template' },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    templatePath: 'spec.jobTemplate.spec.template',
    formerly: ['batch/v2alpha1', 'batch/v1beta1'],
  },
];

/** The pod kind of that name, whatever its version. */
export function podKind(kind: string): PodKind | undefined {
  return POD_KINDS.find((each) => each.kind === kind);
}
