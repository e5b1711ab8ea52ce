import type { Decoded } from '../schema/decoded.js';
import { setDefaultsPodSpec } from './pod.js';

type Template = Decoded<'PodTemplateSpec'>;

/** The defaults of what stands in a pod template, which are fewer than a pod's. */
export function setDefaultsTemplate(template: Template | undefined): Template {
  return { ...template, spec: setDefaultsPodSpec(template?.spec ?? {}) };
}

/** Ports SetDefaults_Deployment (pkg/apis/apps/v1/defaults.go). */
export function setDefaultsDeployment(object: Decoded<'Deployment'>): Decoded<'Deployment'> {
  const { spec = {} } = object;
  const { type = 'RollingUpdate', rollingUpdate } = spec.strategy ?? {};
  const isRolling = type === 'RollingUpdate';
  const strategy = {
    ...spec.strategy,
    type,
    ...(isRolling && {
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', ...rollingUpdate },
    }),
  };
  return {
    ...object,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      template: setDefaultsTemplate(spec.template),
      strategy,
      revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
      progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
    },
  };
}

/** Ports SetDefaults_DaemonSet (pkg/apis/apps/v1/defaults.go). */
export function setDefaultsDaemonSet(object: Decoded<'DaemonSet'>): Decoded<'DaemonSet'> {
  const { spec = {} } = object;
  const { type = 'RollingUpdate', rollingUpdate } = spec.updateStrategy ?? {};
  const isRolling = type === 'RollingUpdate';
  const updateStrategy = {
    ...spec.updateStrategy,
    type,
    ...(isRolling && { rollingUpdate: { maxUnavailable: 1, maxSurge: 0, ...rollingUpdate } }),
  };
  return {
    ...object,
    spec: {
      ...spec,
      template: setDefaultsTemplate(spec.template),
      updateStrategy,
      revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    },
  };
}

/** Ports SetDefaults_StatefulSet (pkg/apis/apps/v1/defaults.go). */
export function setDefaultsStatefulSet(object: Decoded<'StatefulSet'>): Decoded<'StatefulSet'> {
  const { spec = {} } = object;
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  const update = rollingUpdate ?? (type === undefined ? {} : undefined);
  const isRolling = (type ?? 'RollingUpdate') === 'RollingUpdate';
  return {
    ...object,
    spec: {
      ...spec,
      podManagementPolicy: spec.podManagementPolicy ?? 'OrderedReady',
      replicas: spec.replicas ?? 1,
      template: setDefaultsTemplate(spec.template),
      updateStrategy: {
        ...spec.updateStrategy,
        type: type ?? 'RollingUpdate',
        // The gate of maxUnavailable is off, so it is dropped without a word.
        ...(isRolling && update && { rollingUpdate: { partition: update.partition ?? 0 } }),
      },
      revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    },
  };
}

/** Ports SetDefaults_ReplicaSet (pkg/apis/apps/v1/defaults.go). */
export function setDefaultsReplicaSet(object: Decoded<'ReplicaSet'>): Decoded<'ReplicaSet'> {
  const { spec = {} } = object;
  const template = setDefaultsTemplate(spec.template);
  return { ...object, spec: { ...spec, replicas: spec.replicas ?? 1, template } };
}

/** Ports SetDefaults_ReplicationController (pkg/apis/core/v1/defaults.go). */
export function setDefaultsReplicationController(
  object: Decoded<'ReplicationController'>,
): Decoded<'ReplicationController'> {
  const { spec = {} } = object;
  const labels = spec.template?.metadata?.labels;
  const hasSelector = Object.keys(spec.selector ?? {}).length > 0;
  const selector = hasSelector ? spec.selector : labels;
  return {
    ...labelsFromTemplate(object, spec.template),
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      ...(selector && { selector }),
      ...(spec.template && { template: setDefaultsTemplate(spec.template) }),
    },
  };
}

/** The parts of SetDefaults_Job (pkg/apis/batch/v1/defaults.go) that validation looks at. */
export function setDefaultsJob(object: Decoded<'Job'>): Decoded<'Job'> {
  const spec = setDefaultsJobSpec(object.spec ?? {});
  return { ...labelsFromTemplate(object, spec.template), spec };
}

/** An object without labels of its own has those of its template. */
function labelsFromTemplate<T extends { readonly metadata?: Decoded<'ObjectMeta'> | undefined }>(
  object: T,
  template: Template | undefined,
): T {
  const labels = template?.metadata?.labels;
  const hasOwn = Object.keys(object.metadata?.labels ?? {}).length > 0;
  if (hasOwn || labels === undefined) return object;
  return { ...object, metadata: { ...object.metadata, labels } };
}

function setDefaultsJobSpec(spec: Decoded<'JobSpec'>): Decoded<'JobSpec'> {
  const neither = spec.completions === undefined && spec.parallelism === undefined;
  const replacement = spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  return {
    ...spec,
    ...(neither && { completions: 1 }),
    parallelism: spec.parallelism ?? 1,
    backoffLimit: spec.backoffLimit ?? (spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1),
    completionMode: spec.completionMode ?? 'NonIndexed',
    suspend: spec.suspend ?? false,
    podReplacementPolicy: spec.podReplacementPolicy ?? replacement,
    manualSelector: spec.manualSelector ?? false,
    ...setDefaultsPodFailurePolicy(spec.podFailurePolicy),
    template: setDefaultsTemplate(spec.template),
  };
}

/** Ports SetDefaults_PodFailurePolicyOnPodConditionsPattern (pkg/apis/batch/v1/defaults.go) for each of a policy. */
function setDefaultsPodFailurePolicy(
  policy: Decoded<'PodFailurePolicy'> | undefined,
): Pick<Decoded<'JobSpec'>, 'podFailurePolicy'> {
  if (policy?.rules === undefined) return {};
  const rules = policy.rules.map(({ onPodConditions, ...rule }) => ({
    ...rule,
    ...(onPodConditions && {
      onPodConditions: onPodConditions.map(({ type, status }) => ({
        type,
        status: status === undefined || status === '' ? 'True' : status,
      })),
    }),
  }));
  return { podFailurePolicy: { ...policy, rules } };
}

/**
 * The labels and the selector that tell a job's pods from another's. Ports generateSelector
 * (pkg/registry/batch/job/strategy.go).
 */
export function generateSelector(object: Decoded<'Job'>): Decoded<'Job'> {
  const { metadata = {}, spec = {} } = object;
  if (spec.manualSelector === true) return object;
  const shared =
    metadata.labels !== undefined && metadata.labels === spec.template?.metadata?.labels;
  const { name = '', uid = '' } = metadata;
  const labels = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    ...spec.template?.metadata?.labels,
  };
  const matchLabels = {
    'batch.kubernetes.io/controller-uid': uid,
    ...spec.selector?.matchLabels,
  };
  const template = { ...spec.template, metadata: { ...spec.template?.metadata, labels } };
  return {
    ...object,
    // The job's own labels are the same map in Go when they came from the template.
    ...(shared && { metadata: { ...metadata, labels } }),
    spec: { ...spec, selector: { ...spec.selector, matchLabels }, template },
  };
}

/** Ports SetDefaults_CronJob (pkg/apis/batch/v1/defaults.go); a job template gets no job's defaults. */
export function setDefaultsCronJob(object: Decoded<'CronJob'>): Decoded<'CronJob'> {
  const { spec = {} } = object;
  const job = spec.jobTemplate?.spec ?? {};
  const jobTemplate = {
    ...spec.jobTemplate,
    spec: {
      ...job,
      ...setDefaultsPodFailurePolicy(job.podFailurePolicy),
      template: setDefaultsTemplate(job.template),
    },
  };
  return {
    ...object,
    spec: { ...spec, concurrencyPolicy: spec.concurrencyPolicy ?? 'Allow', jobTemplate },
  };
}
