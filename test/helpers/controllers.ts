import type { PodStatus } from '../../src/api/index.js';
import type { ApiServer } from '../../src/rollout/api-server.js';
import type { DeploymentSync } from '../../src/rollout/controllers/new-replica-set.js';
import {
  type ApiPod,
  type Deployment,
  type DeploymentSpec,
  type DeploymentStatus,
  type Meta,
  NO_STATUS,
  type ReplicaSet,
  type Strings,
} from '../../src/rollout/controllers/objects.js';
import { buildPod } from './builders.js';
import { buildDeployment } from './rollout-rig.js';

const HOUR = 3_600_000;

function buildMeta(name: string, more: Partial<Meta> = {}): Meta {
  const labels = { app: 'web' };
  const common = { namespace: 'default', uid: name, annotations: {}, generation: 1 };
  return { ...common, name, labels, creationTimestamp: HOUR, ...more };
}

/** Returns a pod of the API server; without a node it is not scheduled. */
export function buildApiPod(
  name: string,
  { status, nodeName, ...meta }: Partial<Meta> & { status?: PodStatus; nodeName?: string } = {},
): ApiPod {
  const pod = buildPod({
    spec: nodeName === undefined ? {} : { nodeName },
    ...(status && { status }),
  });
  return { ...pod, kind: 'Pod', metadata: buildMeta(name, meta) };
}

/** Returns the status of a running pod that has been ready since then, or is not ready. */
export function running(readySince?: number): PodStatus {
  const ready =
    readySince === undefined
      ? ({ type: 'Ready', status: 'False' } as const)
      : ({ type: 'Ready', status: 'True', lastTransitionTime: readySince } as const);
  return { phase: 'Running', podIP: '10.0.0.1', conditions: [ready] };
}

/** Returns a stored Deployment of ten replicas without surge. */
export function storedDeployment(
  spec: Partial<DeploymentSpec> = {},
  status: Partial<DeploymentStatus> = {},
): Deployment {
  return {
    kind: 'Deployment',
    metadata: buildMeta('web'),
    spec: { ...buildDeployment({ replicas: 10, strategy: rolling(0, 0) }).spec, ...spec },
    status: {
      ...NO_STATUS.Deployment,
      observedGeneration: 1,
      ...status,
    },
  };
}

export function rolling(
  maxSurge: number | string,
  maxUnavailable: number | string,
): DeploymentSpec['strategy'] {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

/** Returns the ReplicaSet of a version; `new` has the template of the Deployment. All its replicas are available. */
export function storedReplicaSet(
  version: string,
  replicas: number,
  more: {
    readonly available?: number;
    readonly annotations?: Strings;
    readonly created?: number;
    readonly minReadySeconds?: number;
  } = {},
): ReplicaSet {
  const { available = replicas, annotations = {}, created = HOUR, minReadySeconds = 0 } = more;
  const { template, selector } = storedDeployment().spec;
  const labels = version === 'new' ? template.metadata.labels : { app: 'web', version };
  return {
    kind: 'ReplicaSet',
    metadata: buildMeta(version, { annotations, creationTimestamp: created }),
    spec: { replicas, minReadySeconds, selector, template: { ...template, metadata: { labels } } },
    status: {
      replicas,
      fullyLabeledReplicas: replicas,
      readyReplicas: available,
      availableReplicas: available,
      observedGeneration: 1,
    },
  };
}

export interface FakeSync extends DeploymentSync {
  /** Sizes that were stored: `old 9`. */
  readonly sizes: string[];
  /** Milliseconds after which it is synced again. */
  readonly delays: number[];
}

/** Returns a sync over these objects, with an API server that keeps what it is told. */
export function fakeSync(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  more: { readonly pods?: readonly ApiPod[]; readonly now?: number } = {},
): FakeSync {
  const sizes: string[] = [];
  const delays: number[] = [];
  const known = new Map(replicaSets.map((rs) => [rs.metadata.name, rs.spec.replicas]));
  const keep = (rs: Omit<ReplicaSet, 'status'>): void => {
    const { name } = rs.metadata;
    const { replicas } = rs.spec;
    if (known.get(name) !== replicas) sizes.push(`${name} ${replicas}`);
    known.set(name, replicas);
  };
  const api = {
    store: { named: () => undefined },
    create(rs: ReplicaSet) {
      keep({ ...rs, metadata: { ...rs.metadata, name: 'created' } });
      return rs;
    },
    update(rs: ReplicaSet) {
      keep(rs);
      return rs;
    },
    remove: () => undefined,
    updateStatus: () => undefined,
  };
  const sync = { deployment, replicaSets, pods: [], now: HOUR, ...more, sizes, delays };
  return {
    ...sync,
    api: api as unknown as ApiServer,
    enqueueAfter: (_, delay) => void delays.push(delay),
    event: () => undefined,
  };
}
