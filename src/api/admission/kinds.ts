import type { JsonNode } from '../../go/json-node.js';
import { decode, type DecodeIssue } from '../decode/decode.js';
import { applyLabelKeys } from '../defaults/label-keys.js';
import { setDefaultsPod, setDefaultsPodSpec } from '../defaults/pod.js';
import {
  generateSelector,
  setDefaultsCronJob,
  setDefaultsDaemonSet,
  setDefaultsDeployment,
  setDefaultsJob,
  setDefaultsReplicaSet,
  setDefaultsReplicationController,
  setDefaultsStatefulSet,
  setDefaultsTemplate,
} from '../defaults/workload.js';
import type { Decoded, TypeName } from '../schema/decoded.js';
import type { FieldPath } from '../validation/common/field-error.js';
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
import {
  type Admission,
  type AdmitOptions,
  conclude,
  fillMeta,
  type ObjectWithMeta,
} from './admission.js';
import { applyAppArmorVersionSkew } from './app-armor-skew.js';

/** A kind that is a pod or makes pods. */
export interface PodKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the pod's metadata and spec; empty for a Pod. */
  readonly templatePath: string;
  /** Decodes, defaults and validates an object. */
  readonly admit: (node: JsonNode, options: AdmitOptions) => Admission;
}

interface WorkloadSteps<T> {
  readonly template: (object: T) => Decoded<'PodTemplateSpec'> | undefined;
  readonly setDefaults: (object: T) => T;
  readonly validate: (object: T, at: FieldPath) => void;
  readonly warn: (object: T, name: string) => readonly ApiWarning[];
  readonly details?: (object: T) => Pick<Admission, 'replicas' | 'serviceName' | 'claims'>;
}

function workload<T extends ObjectWithMeta>(
  apiVersion: string,
  kind: TypeName,
  templatePath: string,
  steps: WorkloadSteps<T>,
): PodKind {
  const admit: PodKind['admit'] = (node, { uid, integers }) => {
    // The steps take the type that the kind names.
    const decoded = decode(node, kind, integers) as { value: T; issues: readonly DecodeIssue[] };
    const object = steps.setDefaults(fillMeta(decoded.value, uid));
    const { metadata = {} } = object;
    return conclude({
      stored: object,
      metadata,
      ...steps.details?.(object),
      template: steps.template(object),
      written: steps.template(decoded.value),
      issues: decoded.issues,
      validate: (at) => steps.validate(object, at),
      warn: () => steps.warn(object, metadata.name ?? ''),
    });
  };
  return { apiVersion, kind, templatePath, admit };
}

/** The steps of the kinds that have a template in their spec and a number of replicas. */
function replicated<
  T extends ObjectWithMeta & {
    readonly spec?:
      | {
          readonly replicas?: number | undefined;
          readonly template?: Decoded<'PodTemplateSpec'> | undefined;
        }
      | undefined;
  },
>(setDefaults: (object: T) => T, validate: (object: T, at: FieldPath) => void): WorkloadSteps<T> {
  return {
    template: ({ spec }) => spec?.template,
    setDefaults,
    validate,
    warn: ({ spec }, name) => warningsForWorkload(name, spec?.template, 'spec.template'),
    details: ({ spec }) => ({ replicas: spec?.replicas }),
  };
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
    template: ({ template }: Decoded<'PodTemplate'>) => template,
    setDefaults: (object) => ({ ...object, template: setDefaultsTemplate(object.template) }),
    validate: validatePodTemplate,
    warn: ({ template }) => warningsForPodTemplate(template, 'template'),
  }),
  workload(
    'v1',
    'ReplicationController',
    'spec.template',
    replicated(setDefaultsReplicationController, validateReplicationController),
  ),
  workload(
    'apps/v1',
    'Deployment',
    'spec.template',
    replicated(setDefaultsDeployment, validateDeployment),
  ),
  workload(
    'apps/v1',
    'ReplicaSet',
    'spec.template',
    replicated(setDefaultsReplicaSet, validateReplicaSet),
  ),
  workload('apps/v1', 'DaemonSet', 'spec.template', {
    template: ({ spec }) => spec?.template,
    setDefaults: setDefaultsDaemonSet,
    validate: validateDaemonSet,
    warn: ({ spec }) => warningsForPodTemplate(spec?.template, 'spec.template'),
  }),
  workload('apps/v1', 'StatefulSet', 'spec.template', {
    ...replicated(setDefaultsStatefulSet, validateStatefulSet),
    warn: ({ spec }) => warningsForStatefulSet(spec),
    details: ({ spec }) => ({
      replicas: spec?.replicas,
      serviceName: spec?.serviceName,
      claims: spec?.volumeClaimTemplates?.flatMap(({ metadata }) => metadata?.name ?? []),
    }),
  }),
  workload('batch/v1', 'Job', 'spec.template', {
    template: ({ spec }) => spec?.template,
    setDefaults: (job) => generateSelector(setDefaultsJob(job)),
    validate: validateJob,
    warn: ({ spec }, name) => warningsForJob(name, spec, 'spec'),
  }),
  workload('batch/v1', 'CronJob', 'spec.jobTemplate.spec.template', {
    template: ({ spec }) => spec?.jobTemplate?.spec?.template,
    setDefaults: setDefaultsCronJob,
    validate: validateCronJob,
    warn: ({ spec }, name) => {
      return warningsForJob(name, spec?.jobTemplate?.spec, 'spec.jobTemplate.spec');
    },
  }),
];

/** Returns the pod kind of a name in any version. */
export function podKind(kind: string): PodKind | undefined {
  return POD_KINDS.find((each) => each.kind === kind);
}
