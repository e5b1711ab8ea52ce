import type { JsonNode } from '../../go/json-node.js';
import { decode } from '../decode/decode.js';
import { generateSelector, setDefaults } from '../defaults/defaults.js';
import { applyLabelKeys, setDefaultsPod, setDefaultsPodSpec } from '../defaults/pod.js';
import {
  APP_ARMOR_KEY_PREFIX,
  appArmorFieldForAnnotation,
  isSameProfile,
} from '../helpers/profile-annotations.js';
import type { Decoded, TypeName } from '../schema/decoded.js';
import { collectErrors, type FieldPath } from '../validation/common/field-error.js';
import { validateAppArmorProfile } from '../validation/containers/security-context.js';
import { validatePodCreate } from '../validation/pod/pod.js';
import { validateCronJob } from '../validation/workloads/cron-job.js';
import { validateJob } from '../validation/workloads/job.js';
import { validateStatefulSet } from '../validation/workloads/stateful-set.js';
import {
  validateDaemonSet,
  validateDeployment,
  validatePodTemplate,
  validateReplicaSet,
  validateReplicationController,
} from '../validation/workloads/workloads.js';
import {
  warningsForJob,
  warningsForPod,
  warningsForPodTemplate,
  warningsForStatefulSet,
  warningsForWorkload,
} from '../warnings/pod-warnings.js';
import type { ApiWarning } from '../warnings/warning.js';
import { type Admission, type AdmitOptions, conclude, fillMeta } from './admission.js';

/** A kind that is a pod or makes pods. */
export interface PodKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the pod's metadata and spec; empty for a Pod. */
  readonly templatePath: string;
  /** Decodes, defaults and validates an object. */
  readonly admit: (node: JsonNode, options: AdmitOptions) => Admission;
}

type Template = Decoded<'PodTemplateSpec'>;

/** The parts of all workloads; only some have replicas, and a StatefulSet alone the rest. */
type Workload = Pick<Decoded<'StatefulSet'>, 'metadata' | 'spec'>;

type Fields = Readonly<Record<string, unknown>>;

interface WorkloadSteps<T> {
  readonly validate: (object: T, at: FieldPath) => void;
  /** Completes an object with defaults. */
  readonly complete?: (object: T) => T;
  readonly warn?: (object: T, name: string) => readonly ApiWarning[];
}

function workload<Name extends TypeName>(
  apiVersion: string,
  kind: Name,
  templatePath: string,
  { validate, complete = (object) => object, warn }: WorkloadSteps<Decoded<Name>>,
): PodKind {
  const templateOf = (object: unknown) =>
    templatePath
      .split('.')
      .reduce((value, key) => (value as Fields | undefined)?.[key], object) as Template;
  const admit: PodKind['admit'] = (node, { uid, integers }) => {
    const { value, issues } = decode(node, kind, integers);
    const object = complete(setDefaults(kind, fillMeta(value as Workload, uid) as Decoded<Name>));
    const template = templateOf(object);
    const stored = object as Workload;
    const { metadata = {}, spec = {} } = stored;
    const { name = '' } = metadata;
    return conclude({
      stored,
      metadata,
      replicas: spec.replicas,
      serviceName: spec.serviceName,
      claims: spec.volumeClaimTemplates?.flatMap((claim) => claim.metadata?.name ?? []),
      template,
      written: templateOf(value),
      issues,
      validate: (at) => validate(object, at),
      warn: () => warn?.(object, name) ?? warningsForWorkload(name, template, templatePath),
    });
  };
  return { apiVersion, kind, templatePath, admit };
}

const admitPod: PodKind['admit'] = (node, { uid, integers, plugins = (spec) => spec }) => {
  const { value, issues } = decode(node, 'Pod', integers);
  const spec = plugins(setDefaultsPod(setDefaultsPodSpec(value.spec ?? {})));
  const keyed = { ...fillMeta(value, uid), spec: applyLabelKeys(spec, value.metadata?.labels) };
  const { pod, warnings } = applyAppArmorVersionSkew(keyed);
  return conclude({
    stored: pod,
    metadata: pod.metadata,
    template: pod,
    written: value,
    issues,
    validate: (at) => validatePodCreate(pod, at),
    preparation: warnings,
    warn: () => warningsForPod(pod),
  });
};

const POD_KINDS: readonly PodKind[] = [
  { apiVersion: 'v1', kind: 'Pod', templatePath: '', admit: admitPod },
  workload('v1', 'PodTemplate', 'template', {
    validate: validatePodTemplate,
    warn: ({ template }) => warningsForPodTemplate(template, 'template'),
  }),
  workload('v1', 'ReplicationController', 'spec.template', {
    validate: validateReplicationController,
  }),
  workload('apps/v1', 'Deployment', 'spec.template', { validate: validateDeployment }),
  workload('apps/v1', 'ReplicaSet', 'spec.template', { validate: validateReplicaSet }),
  workload('apps/v1', 'DaemonSet', 'spec.template', {
    validate: validateDaemonSet,
    warn: ({ spec }) => warningsForPodTemplate(spec?.template, 'spec.template'),
  }),
  workload('apps/v1', 'StatefulSet', 'spec.template', {
    validate: validateStatefulSet,
    warn: ({ spec }) => warningsForStatefulSet(spec),
  }),
  workload('batch/v1', 'Job', 'spec.template', {
    complete: generateSelector,
    validate: validateJob,
    warn: ({ spec }, name) => warningsForJob(name, spec, 'spec'),
  }),
  workload('batch/v1', 'CronJob', 'spec.jobTemplate.spec.template', {
    validate: validateCronJob,
    warn: ({ spec }, name) =>
      warningsForJob(name, spec?.jobTemplate?.spec, 'spec.jobTemplate.spec'),
  }),
];

/** Returns the pod kind of a name in any version. */
export function podKind(kind: string): PodKind | undefined {
  return POD_KINDS.find((each) => each.kind === kind);
}

type Pod = Decoded<'Pod'>;
type PodSpec = Decoded<'PodSpec'>;
type Container = Decoded<'Container'>;
type AppArmorProfile = Decoded<'AppArmorProfile'>;

/**
 * Makes fields of a pod's AppArmor annotations, and warns of those that it needed, or could not use. Ports
 * applyAppArmorVersionSkew (pkg/registry/core/pod/strategy.go), which a template does not pass through.
 */
function applyAppArmorVersionSkew<P extends Pod>(
  pod: P,
): { readonly pod: P; readonly warnings: readonly ApiWarning[] } {
  const { spec = {}, metadata } = pod;
  const annotations = new Map(Object.entries(metadata?.annotations ?? {}));
  if (spec.os?.name === 'windows' || annotations.size === 0) return { pod, warnings: [] };
  const warnings: ApiWarning[] = [];
  const apply = (container: Container): Container => {
    const key = `${APP_ARMOR_KEY_PREFIX}${container.name ?? ''}`;
    const annotation = annotations.get(key);
    if (annotation === undefined || container.securityContext?.appArmorProfile) return container;
    const profile = usableProfile(annotation);
    if (profile !== undefined && isSameProfile(profile, spec.securityContext?.appArmorProfile)) {
      return container;
    }
    const message = 'deprecated since v1.30; use the "appArmorProfile" field instead';
    warnings.push({ field: `metadata.annotations[${key}]`, message });
    if (profile === undefined) return container;
    const securityContext = { ...container.securityContext, appArmorProfile: profile };
    return { ...container, securityContext };
  };
  return { pod: { ...pod, spec: mapContainers(spec, apply) }, warnings };
}

function usableProfile(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorFieldForAnnotation(annotation);
  const errors = collectErrors('', (at) => validateAppArmorProfile(profile, at));
  return errors.length === 0 ? profile : undefined;
}

function mapContainers(spec: PodSpec, apply: (container: Container) => Container): PodSpec {
  const { initContainers, containers, ephemeralContainers } = spec;
  return {
    ...spec,
    ...(initContainers && { initContainers: initContainers.map(apply) }),
    ...(containers && { containers: containers.map(apply) }),
    ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers.map(apply) }),
  };
}
