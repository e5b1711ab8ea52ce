import { JsonReader, omitUndefined, POD_TEMPLATE_HASH } from '../../api/index.js';
import { parseTime } from '../../clock/rfc3339.js';
import { FAILED_CREATE } from '../../diagnosis/kubelet-message.js';
import { refusalAdvice } from '../../diagnosis/refusal.js';
import { counted } from '../../text/count.js';
import { age } from '../../text/duration.js';
import type { EventOf, ReplicaCounts } from '../../trace/event.js';
import { isPodReady } from '../../trace/summary/condition-view.js';
import { hasCompleted } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { ClusterEvent } from './decode-objects.js';
import { advised, type Reason, unreadyReason } from './rollout-blocker.js';
import { forecastText } from './rollout-forecast.js';

export interface Rollout {
  /** A Deployment, StatefulSet, DaemonSet, ReplicaSet or Job. */
  readonly workload: object;
  readonly kind: string;
  /** True when the cluster no longer has the workload, which is then its last version. */
  readonly isDeleted?: boolean;
  readonly replicaSets: readonly object[];
  /** All slices of the namespace. */
  readonly endpointSlices: readonly object[];
  readonly pods: readonly PodSummary[];
  /** The last event about a pod that could not be created, for kinds whose status does not say so. */
  readonly failedCreate?: ClusterEvent | undefined;
  /** Milliseconds since the epoch, and the same in the summary's seconds. */
  readonly now: number;
  readonly t: number;
}

/** The state of a rollout; `stable` is the part that does not change with time. */
export interface RolloutState {
  readonly event: EventOf<'workload'>;
  readonly stable: string;
}

interface Progress {
  readonly done: boolean;
  readonly failed?: boolean;
  /** `2 of 3 updated` */
  readonly text: string;
  /** Why the controller does not continue. */
  readonly blocked?: string | undefined;
}

export function rolloutState(rollout: Rollout): RolloutState {
  const { kind } = rollout;
  const workload = new JsonReader(rollout.workload);
  const metadata = workload.in('metadata');
  const name = metadata.text('name');
  const { done, failed = false, text, blocked } = lastProgress(rollout, workload);
  const isFinal = done || rollout.isDeleted === true || blocked !== undefined;
  const livePods = rollout.pods.filter((pod) => pod.deletedAt === undefined);
  const newPods = livePods.filter((pod) => isNew(pod, rollout));
  const { timeless, timed } = isFinal
    ? { timeless: blocked?.replaceAll(RANDOM_NAME, '$1'), timed: blocked }
    : (stuckReason(livePods, rollout) ?? unreadyReason(newPods, rollout.t, failed));
  const deadline = done || failed ? undefined : progressDeadline(workload, rollout.now);
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.filter((part) => part !== undefined && part !== '').join('; ');
  const replicas = kind === 'Job' ? undefined : countsOf(rollout, workload);
  const emptyReason = kind === 'DaemonSet' ? NO_NODE : 'spec.replicas is 0';
  const isEmpty = done && blocked === undefined && replicas?.desired === 0;
  const whole = [name, text, ...(isEmpty ? [emptyReason] : [])].join(': ');
  const sentenceOf = (reason: string | undefined): string =>
    reason === undefined ? whole : `${whole}, ${reason}`;
  const minReadySeconds = workload.in('spec').number('minReadySeconds');
  const forecast =
    isFinal || failed || replicas === undefined
      ? undefined
      : forecastText(newPods, { desired: replicas.desired, minReadySeconds, t: rollout.t });
  return {
    event: {
      kind: 'workload',
      workload: `${kind.toLowerCase()}/${name}`,
      namespace: metadata.text('namespace'),
      sentence: join(sentenceOf(timed), forecast, deadline),
      done,
      failed,
      ...omitUndefined({ replicas }),
    },
    stable: join(sentenceOf(timeless), JSON.stringify(replicas)),
  };
}

const NO_NODE = 'no node fits its nodeSelector, affinity and tolerations';

function countsOf(rollout: Rollout, workload: JsonReader): ReplicaCounts {
  const counts = replicasOf(rollout.kind, workload.in('spec'), workload.in('status'));
  return { ...counts, ...omitUndefined({ endpoints: readyEndpoints(rollout) }) };
}

/** Counts the pods that are ready in an EndpointSlice; undefined where none belongs to a Service. */
function readyEndpoints({ endpointSlices, pods }: Rollout): number | undefined {
  const uids = new Set(pods.map(({ object }) => object.metadata.uid));
  const endpoints = endpointSlices
    .flatMap((slice) => new JsonReader(slice).list('endpoints'))
    .map((each) => ({
      uid: each.in('targetRef').text('uid'),
      isReady: each.in('conditions').flag('ready'),
    }))
    .filter(({ uid }) => uids.has(uid));
  if (endpoints.length === 0) return undefined;
  return new Set(endpoints.filter(({ isReady }) => isReady).map(({ uid }) => uid)).size;
}

/** Counts replicas as the columns of `kubectl get` do. */
function replicasOf(kind: string, spec: JsonReader, status: JsonReader): ReplicaCounts {
  if (kind === 'DaemonSet') {
    return {
      desired: status.number('desiredNumberScheduled'),
      current: status.number('currentNumberScheduled'),
      updated: status.number('updatedNumberScheduled'),
      ready: status.number('numberReady'),
      available: status.number('numberAvailable'),
    };
  }
  return {
    desired: spec.number('replicas', 1),
    current: status.number('replicas'),
    ...(kind !== 'ReplicaSet' && { updated: status.number('updatedReplicas') }),
    ready: status.number('readyReplicas'),
    available: status.number('availableReplicas'),
  };
}

/** Returns the progress of a workload; a deleted one has failed, unless it is a complete Job. */
function lastProgress(rollout: Rollout, workload: JsonReader): Progress {
  const { kind, isDeleted = false } = rollout;
  const progress = progressOf(kind, workload);
  if (!isDeleted || (kind === 'Job' && progress.done)) {
    const isOpen = !progress.done && progress.blocked === undefined;
    return isOpen ? { ...progress, blocked: failedCreate(rollout) } : progress;
  }
  return { done: false, failed: true, text: `the ${kind} was deleted` };
}

/** Follows the StatusViewers of `kubectl rollout status` (kubectl/pkg/polymorphichelpers/rollout_status.go). */
function progressOf(kind: string, workload: JsonReader): Progress {
  const [spec, status] = [workload.in('spec'), workload.in('status')];
  if (kind === 'Job') return jobProgress(spec, status);
  if (workload.in('metadata').number('generation') > status.number('observedGeneration')) {
    const blocked = 'waiting for its controller to see the change';
    return { done: false, text: 'changed', blocked };
  }
  if (spec.in('updateStrategy').text('type') === 'OnDelete') {
    return { done: true, text: 'OnDelete', blocked: 'pods are updated when you delete them' };
  }
  switch (kind) {
    case 'StatefulSet':
      return statefulSetProgress(spec, status);
    case 'DaemonSet':
    case 'ReplicaSet':
      return plainProgress(replicasOf(kind, spec, status), createFailure(status));
    default:
      return deploymentProgress(spec, status);
  }
}

function deploymentProgress(spec: JsonReader, status: JsonReader): Progress {
  const wanted = spec.number('replicas', 1);
  const updated = status.number('updatedReplicas');
  const available = status.number('availableReplicas');
  const old = status.number('replicas') - updated;
  const seconds = spec.number('minReadySeconds');
  const isShort = seconds > 0 && status.number('readyReplicas') > available;
  const least = isShort ? `: a pod has to stay ready for ${seconds} s (minReadySeconds)` : '';
  const ready = updated < wanted || available >= updated ? '' : `, ${available} available${least}`;
  const text = `${updated} of ${wanted} updated${ready}`;
  const progressing = conditionOf(status, 'Progressing');
  if (progressing.text('reason') === 'ProgressDeadlineExceeded') {
    const over = `progress deadline of ${spec.number('progressDeadlineSeconds')} s exceeded`;
    const blocked = createFailure(status);
    return { done: false, failed: true, text: `${text}, ${over}`, blocked };
  }
  const done = updated >= wanted && old <= 0 && available >= updated;
  if (done) return { done, text: `complete, ${wanted} of ${wanted} updated and available` };
  if (spec.flag('paused')) return { done, text, blocked: 'paused until kubectl rollout resume' };
  const blocked = createFailure(status);
  if (blocked !== undefined || updated < wanted || old <= 0) return { done, text, blocked };
  const isWaiting = available < updated ? '' : `, waiting for ${counted(old, 'old pod')} to end`;
  return { done, text: `${text}${isWaiting}` };
}

function statefulSetProgress(spec: JsonReader, status: JsonReader): Progress {
  const wanted = spec.number('replicas', 1);
  const [ready, updated] = [status.number('readyReplicas'), status.number('updatedReplicas')];
  const rolling = spec.in('updateStrategy').in('rollingUpdate');
  const toUpdate = wanted - rolling.number('partition');
  const isCurrent = status.text('updateRevision') === status.text('currentRevision');
  const isUpdated = rolling.number('partition') > 0 ? updated >= toUpdate : isCurrent;
  const done = ready >= wanted && isUpdated;
  if (!done) return { done, text: `${updated} of ${toUpdate} updated, ${ready} ready` };
  const text = `complete, ${toUpdate} of ${toUpdate} updated and ready`;
  if (isCurrent || updated >= wanted) return { done, text };
  const blocked = `updateStrategy.rollingUpdate.partition keeps ${wanted - updated} at the earlier template: lower it to update them`;
  return { done, text, blocked };
}

/** Returns the progress of a DaemonSet, or of a ReplicaSet, which counts no updated replicas. */
function plainProgress({ desired, updated, available }: ReplicaCounts, blocked?: string): Progress {
  if (updated === undefined) {
    const text = `${available} of ${desired} available`;
    return available >= desired
      ? { done: true, text: `complete, ${text}` }
      : { done: false, text, blocked };
  }
  const done = updated >= desired && available >= desired;
  const text = done
    ? `complete, ${desired} of ${desired} updated and available`
    : `${updated} of ${desired} updated, ${available} available`;
  return { done, text };
}

/** A Job has no rollout: it is done when it is complete. */
function jobProgress(spec: JsonReader, status: JsonReader): Progress {
  const [succeeded, failures] = [status.number('succeeded'), status.number('failed')];
  // Without completions, one success completes a Job.
  const wanted = spec.number('completions', 1);
  const counts = `${succeeded} of ${wanted} succeeded`;
  if (conditionOf(status, 'Complete').text('status') === 'True') {
    return { done: true, text: `complete, ${counts}` };
  }
  const text = failures === 0 ? counts : `${counts}, ${counted(failures, 'pod')} failed`;
  // A Job that fails ends its pods first.
  for (const type of ['Failed', 'FailureTarget']) {
    const condition = conditionOf(status, type);
    if (condition.text('status') !== 'True') continue;
    const reason = condition.text('reason');
    const isLate = reason === 'DeadlineExceeded';
    const advice = isLate ? ({ do: 'raise', field: 'activeDeadlineSeconds' } as const) : undefined;
    const blocked = advised(`${reason}: ${condition.text('message')}`, advice);
    return { done: false, failed: type === 'Failed', text, blocked };
  }
  const isSuspended = spec.flag('suspend');
  const blocked = isSuspended ? 'suspended: spec.suspend is true' : jobRetry(spec, status);
  return { done: false, text, blocked };
}

/** Describes the controller's retry after a failed pod; undefined where it counts indexes or restarts, or a policy decides. */
function jobRetry(spec: JsonReader, status: JsonReader): string | undefined {
  const [failures, active] = [status.number('failed'), status.number('active')];
  const isOther =
    'podFailurePolicy' in spec.object ||
    'backoffLimitPerIndex' in spec.object ||
    spec.in('template').in('spec').text('restartPolicy') === 'OnFailure';
  // The controller counts a success some seconds after the pod has ended.
  const hasSucceeded = status.in('uncountedTerminatedPods').list('succeeded').length > 0;
  if (failures === 0 || active > 0 || hasSucceeded || isOther) return undefined;
  const limit = spec.number('backoffLimit', 6);
  const left = limit - failures + 1;
  if (left <= 0) return undefined;
  return `another pod is made after a back-off: backoffLimit ${limit} leaves ${left}`;
}

/** Returns the reason why pods cannot be created, such as an exceeded quota. */
function createFailure(status: JsonReader): string | undefined {
  const failure = conditionOf(status, 'ReplicaFailure');
  if (failure.text('status') !== 'True') return undefined;
  return createFailureText(failure.text('message'));
}

/** Returns why pods cannot be created, from the last event, if no pod was created since then and all pods are ready. */
function failedCreate({ failedCreate: event, pods, now, t }: Rollout): string | undefined {
  const { message = '', lastAt = 0 } = event ?? {};
  const isOver = pods.some(({ addedAt }) => now + 1000 * (addedAt - t) > lastAt);
  if (message === '' || isOver || !pods.every(isPodReady)) return undefined;
  return createFailureText(message.replace(FAILED_CREATE, ''));
}

/** The generated name of a pod in an API server's answer, which differs at each try. */
const RANDOM_NAME = /(\bpods "[^"]*-)[a-z\d]{5}(?=")/g;

function createFailureText(message: string): string {
  return advised(`pods cannot be created: ${message}`, refusalAdvice(message));
}

function conditionOf(status: JsonReader, type: string): JsonReader {
  const found = status.list('conditions').find((condition) => condition.text('type') === type);
  return found ?? new JsonReader(undefined);
}

function progressDeadline(workload: JsonReader, now: number): string | undefined {
  const spec = workload.in('spec');
  const seconds = spec.number('progressDeadlineSeconds');
  const progressing = conditionOf(workload.in('status'), 'Progressing');
  const since = parseTime(progressing.text('lastUpdateTime'));
  if (since === undefined || seconds === 0 || spec.flag('paused')) return undefined;
  // The controller ignores the deadline of a Deployment that has been complete.
  if (progressing.text('reason') === 'NewReplicaSetAvailable') return undefined;
  const left = seconds - (now - since) / 1000;
  return left <= 0 ? 'progress deadline now' : `progress deadline in ${age(left)}`;
}

/** Returns a reason for an old pod that is not ready: until it is, a StatefulSet replaces no pod, not even this one (kubernetes/kubernetes#67250). */
function stuckReason(pods: readonly PodSummary[], rollout: Rollout): Reason | undefined {
  const policy = new JsonReader(rollout.workload).in('spec').text('podManagementPolicy');
  if (rollout.kind !== 'StatefulSet' || policy === 'Parallel') return undefined;
  const stuck = pods.find((pod) => !isPodReady(pod) && !isNew(pod, rollout));
  if (stuck === undefined) return undefined;
  const { name } = stuck.object.metadata;
  const text = `waiting for ${name}, which has the earlier template: if it cannot become ready, delete it`;
  return { timeless: text, timed: text };
}

function isNew(
  { object, phase, containers }: PodSummary,
  { kind, workload, replicaSets }: Rollout,
): boolean {
  const { labels = {} } = object.metadata;
  const annotations = new JsonReader(workload).in('metadata').in('annotations');
  switch (kind) {
    case 'Deployment': {
      const revision = annotations.text(REVISION);
      const latest = replicaSets
        .map((set) => new JsonReader(set).in('metadata'))
        .find((metadata) => metadata.in('annotations').text(REVISION) === revision);
      const hash = latest?.in('labels').text(POD_TEMPLATE_HASH) ?? '';
      return hash === '' || labels[POD_TEMPLATE_HASH] === hash;
    }
    case 'Job':
      // A pod that has failed is replaced; neither it nor one that has done its work holds anything up.
      return (
        phase !== 'Failed' &&
        containers.some(({ role, state }) => role !== 'sidecar' && !hasCompleted(state))
      );
    case 'StatefulSet': {
      const revision = new JsonReader(workload).in('status').text('updateRevision');
      return revision === '' || labels['controller-revision-hash'] === revision;
    }
    case 'DaemonSet': {
      const generation = annotations.text('deprecated.daemonset.template.generation');
      return generation === '' || labels['pod-template-generation'] === generation;
    }
    default:
      return true;
  }
}

const REVISION = 'deployment.kubernetes.io/revision';
