import { type Decoded, fieldsOf, type GoType, goType } from '../schema/schema.js';
import type * as v1 from '../schema/types.js';
import { imageTag } from '../values/image-tag.js';
import { isObject } from '../values/objects.js';

type Struct = Readonly<Record<string, unknown>>;

/** The values of absent fields, or a function that returns the completed struct. */
type StructDefaults = Struct | ((value: Struct) => Struct);

/** Checks the defaults of a type; the table has them by the name of the struct. */
function defaultsOf<T>(defaults: Decoded<T> | ((value: Decoded<T>) => Decoded<T>)): StructDefaults {
  return defaults as StructDefaults;
}

const HOUR_SECONDS = 3600;
const MAX_INT32 = 2 ** 31 - 1;
/** The mode of SecretVolumeSourceDefaultMode and of the other kinds of files. */
const FILES = { defaultMode: 0o644 };

export const PROBE_DEFAULTS = {
  initialDelaySeconds: 0,
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
} as const;

/**
 * The defaults of each struct of the API, in any place. Ports the SetDefaults functions of pkg/apis/core/v1,
 * pkg/apis/apps/v1 and pkg/apis/batch/v1 (defaults.go).
 */
const DEFAULTS: Readonly<Record<string, StructDefaults>> = {
  PodSpec: defaultsOf<v1.PodSpec>({
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    containers: [],
  }),
  Container: defaultsOf<v1.Container>(setDefaultsContainer),
  EphemeralContainer: defaultsOf<v1.EphemeralContainer>(setDefaultsContainer),
  ContainerPort: defaultsOf<v1.ContainerPort>({ containerPort: 0, protocol: 'TCP' }),
  EnvVar: defaultsOf<v1.EnvVar>({ name: '' }),
  FileKeySelector: defaultsOf<v1.FileKeySelector>({ optional: false }),
  ObjectFieldSelector: defaultsOf<v1.ObjectFieldSelector>({ apiVersion: 'v1' }),
  Probe: defaultsOf<v1.Probe>(PROBE_DEFAULTS),
  GRPCAction: defaultsOf<v1.GRPCAction>({ port: 0, service: '' }),
  HTTPGetAction: defaultsOf<v1.HTTPGetAction>({ path: '/', port: 0, scheme: 'HTTP' }),
  HTTPHeader: defaultsOf<v1.HTTPHeader>({ name: '', value: '' }),
  SleepAction: defaultsOf<v1.SleepAction>({ seconds: 0 }),
  TCPSocketAction: defaultsOf<v1.TCPSocketAction>({ port: 0 }),
  Volume: defaultsOf<v1.Volume>(({ name = '', ...source }) => ({
    name,
    ...(Object.keys(source).length === 0 ? { emptyDir: {} } : source),
  })),
  ConfigMapVolumeSource: defaultsOf<v1.ConfigMapVolumeSource>(FILES),
  DownwardAPIVolumeSource: defaultsOf<v1.DownwardAPIVolumeSource>(FILES),
  HostPathVolumeSource: defaultsOf<v1.HostPathVolumeSource>({ type: '' }),
  ImageVolumeSource: defaultsOf<v1.ImageVolumeSource>((image) =>
    withDefaults(image, { pullPolicy: defaultPullPolicy(image.reference) }),
  ),
  ProjectedVolumeSource: defaultsOf<v1.ProjectedVolumeSource>(FILES),
  SecretVolumeSource: defaultsOf<v1.SecretVolumeSource>(FILES),
  ServiceAccountTokenProjection: defaultsOf<v1.ServiceAccountTokenProjection>({
    expirationSeconds: HOUR_SECONDS,
  }),

  DaemonSetSpec: defaultsOf<v1.DaemonSetSpec>({ revisionHistoryLimit: 10 }),
  DaemonSetUpdateStrategy: defaultsOf<v1.DaemonSetUpdateStrategy>(
    rolling({ maxUnavailable: 1, maxSurge: 0 }),
  ),
  DeploymentSpec: defaultsOf<v1.DeploymentSpec>({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  }),
  DeploymentStrategy: defaultsOf<v1.DeploymentStrategy>(
    rolling({ maxUnavailable: '25%', maxSurge: '25%' }),
  ),
  ReplicaSetSpec: defaultsOf<v1.ReplicaSetSpec>({ replicas: 1 }),
  ReplicationController: defaultsOf<v1.ReplicationController>((object) =>
    labelsFromTemplate(object, object.spec?.template),
  ),
  ReplicationControllerSpec: defaultsOf<v1.ReplicationControllerSpec>(({ selector, ...spec }) => {
    const hasOwn = Object.keys(selector ?? {}).length > 0;
    const labels = spec.template?.metadata?.labels ?? selector;
    return withDefaults({ ...spec, selector: hasOwn ? selector : labels }, { replicas: 1 });
  }),
  StatefulSetSpec: defaultsOf<v1.StatefulSetSpec>({
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: 10,
  }),
  StatefulSetUpdateStrategy: defaultsOf<v1.StatefulSetUpdateStrategy>(
    ({ type, rollingUpdate: written }) => {
      const rollingUpdate = written ?? (type === undefined ? {} : undefined);
      if (rollingUpdate === undefined || (type ?? 'RollingUpdate') !== 'RollingUpdate') {
        return { type, rollingUpdate };
      }
      return { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...rollingUpdate } };
    },
  ),

  CronJobSpec: defaultsOf<v1.CronJobSpec>({ concurrencyPolicy: 'Allow' }),
  /** The job template of a CronJob does not get these defaults. */
  Job: defaultsOf<v1.Job>(({ spec = {}, ...job }) => ({
    ...labelsFromTemplate(job, spec.template),
    spec: setDefaultsJobSpec(spec),
  })),
  PodFailurePolicyOnPodConditionsPattern: defaultsOf<v1.PodFailurePolicyOnPodConditionsPattern>({
    status: 'True',
  }),
};

/** Sets the defaults of a value and of everything in it. */
export function setDefaults<T extends object>(name: string, value: T): T {
  // The tables that are followed here are those that the types are generated from.
  return defaulted(goType(name), value) as T;
}

function defaulted(type: GoType, value: unknown): unknown {
  if (type.kind === 'struct') return defaultedStruct(type.struct, isObject(value) ? value : {});
  if (value === undefined) return undefined;
  if (type.kind === 'pointer') return defaulted(type.element, value);
  if (type.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => defaulted(type.element, item));
  }
  return value;
}

function defaultedStruct(struct: string, value: Struct): Struct {
  const { [struct]: defaults } = DEFAULTS;
  const set = typeof defaults === 'function' ? defaults(value) : withDefaults(value, defaults);
  const changed = [...fieldsOf(struct)].flatMap(([field, { type }]) => {
    const isThere = type.kind === 'struct' || Object.hasOwn(set, field);
    return isThere && hasDefaults(type) ? [[field, defaulted(type, set[field])] as const] : [];
  });
  return { ...set, ...Object.fromEntries(changed) };
}

function withDefaults<T extends object>(value: T, defaults: object = {}): T {
  const missing = Object.entries(defaults).filter(
    ([field]) => value[field as keyof T] === undefined,
  );
  return { ...value, ...Object.fromEntries(missing) };
}

const structsWithDefaults = new Map<string, boolean>();

/** Reports whether a value of the type may change here. */
function hasDefaults(type: GoType): boolean {
  if (type.kind === 'scalar') return false;
  if (type.kind !== 'struct') return hasDefaults(type.element);
  const known = structsWithDefaults.get(type.struct);
  if (known !== undefined) return known;
  const fields = [...fieldsOf(type.struct).values()];
  const has =
    DEFAULTS[type.struct] !== undefined || fields.some((field) => hasDefaults(field.type));
  structsWithDefaults.set(type.struct, has);
  return has;
}

function setDefaultsContainer<T extends Decoded<v1.EphemeralContainer>>(container: T): T {
  return withDefaults(container, {
    name: '',
    image: '',
    imagePullPolicy: defaultPullPolicy(container.image),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
}

/** Returns Always for the tag `latest` or no tag, and IfNotPresent otherwise. */
function defaultPullPolicy(image = ''): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

type Strategy = Decoded<v1.DeploymentStrategy>;

/** Returns the defaults of a rolling update of a Deployment or a DaemonSet. */
function rolling(update: NonNullable<Strategy['rollingUpdate']>): (strategy: Strategy) => Strategy {
  return ({ type = 'RollingUpdate', rollingUpdate }) => ({
    type,
    rollingUpdate: type === 'RollingUpdate' ? { ...update, ...rollingUpdate } : rollingUpdate,
  });
}

function labelsFromTemplate<T extends { readonly metadata?: Decoded<v1.ObjectMeta> | undefined }>(
  object: T,
  template: Decoded<v1.PodTemplateSpec> | undefined,
): T {
  const labels = template?.metadata?.labels;
  const hasOwn = Object.keys(object.metadata?.labels ?? {}).length > 0;
  if (hasOwn || labels === undefined) return object;
  return { ...object, metadata: { ...object.metadata, labels } };
}

function setDefaultsJobSpec(spec: Decoded<v1.JobSpec>): Decoded<v1.JobSpec> {
  const neither = spec.completions === undefined && spec.parallelism === undefined;
  return {
    ...(neither && { completions: 1 }),
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
    ...spec,
  };
}

/**
 * Sets the labels and the selector that distinguish a job's pods from those of other jobs. Ports generateSelector
 * (pkg/registry/batch/job/strategy.go).
 */
export function generateSelector(object: Decoded<v1.Job>): Decoded<v1.Job> {
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
    // In Go, labels that came from the template are the same map as the template's.
    ...(shared && { metadata: { ...metadata, labels } }),
    spec: { ...spec, selector: { ...spec.selector, matchLabels }, template },
  };
}
