import { type FieldError, forbidden, podKind } from '../../api/admission/index.js';
import type { Decoded, v1 } from '../../api/index.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import {
  behaviorChanges,
  type ContainerChange,
  containerChanges,
  type PodBehaviorChange,
} from './container-changes.js';
import { changedFields, type FieldChange } from './field-change.js';
import { validateJobUpdate } from './update/job-update.js';
import { validatePodUpdate } from './update/pod-update.js';
import {
  ACCEPTED,
  type StoredForm,
  storedForm,
  type Update,
  validateImmutableField,
} from './update/update.js';

interface ObjectName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface DifferentField extends FieldChange {
  /** True where the API server rejects the change. */
  readonly refused: boolean;
}

export interface ObjectDifference extends ObjectName {
  readonly in: 'both';
  /** Errors of the API server; any error rejects the whole update. */
  readonly errors: readonly FieldError[];
  readonly fields: readonly DifferentField[];
  /** Absent when the template is the same, or the update is rejected. */
  readonly rollout?: RolloutEffect;
  readonly containers: readonly ContainerChange[];
  readonly behavior: PodBehaviorChange;
}

export type Difference = ObjectDifference | (ObjectName & { readonly in: 'before' | 'after' });

interface ObjectPair extends ObjectName {
  readonly before?: LoadedPod;
  readonly after?: LoadedPod;
}

/** Compares an object in both manifests; undefined when they are equal. */
export function diffPair(
  { before, after, ...name }: ObjectPair,
  behavior?: ReleaseBehavior,
): Difference | undefined {
  if (before === undefined) return { ...name, in: 'after' };
  if (after === undefined) return { ...name, in: 'before' };
  const { kind } = name;
  const [old, now] = [storedForm(kind, before.stored), storedForm(kind, after.stored)];
  const changes = changedFields(old, now, '');
  if (changes.length === 0) return undefined;
  const update = validateUpdate(kind, now, old, behavior);
  const { refused } = update;
  // The result of an apply in a cluster was not validated as a manifest.
  const isNew = ({ message }: FieldError): boolean =>
    !before.errors.some((error) => error.message === message);
  const errors = [...after.errors.filter(isNew), ...update.errors];
  const paths = new Set(refused.map(({ path }) => path));
  const rollout = errors.length > 0 ? undefined : templateRollout(kind, changes, now);
  return {
    ...name,
    in: 'both',
    errors,
    fields: changes.map((change) => ({ ...change, refused: paths.has(change.path) })),
    ...(rollout && { rollout }),
    containers: containerChanges(before.pod, after.pod),
    behavior: behaviorChanges(before, after),
  };
}

function templateRollout(
  kind: string,
  changes: readonly FieldChange[],
  now: StoredForm,
): RolloutEffect | undefined {
  const { templatePath = '' } = podKind(kind) ?? {};
  if (templatePath === '') return undefined;
  const ofTemplate = changes.filter(({ path }) => path.startsWith(`${templatePath}.`));
  return ofTemplate.length === 0 ? undefined : rolloutOf(kind, now);
}

/**
 * Pairs the objects of two manifests by kind, namespace and name, duplicates in their order; objects of the second
 * manifest come first.
 */
export function pairObjects(
  before: readonly LoadedPod[],
  after: readonly LoadedPod[],
): ObjectPair[] {
  const olds = byKey(before);
  const news = byKey(after);
  const keys = [...new Set([...news.keys(), ...olds.keys()])];
  return keys.map((key) => {
    const [old, now] = [olds.get(key), news.get(key)];
    return { ...nameOf(now ?? old), ...(old && { before: old }), ...(now && { after: now }) };
  });
}

function byKey(pods: readonly LoadedPod[]): ReadonlyMap<string, LoadedPod> {
  const found = new Map<string, LoadedPod>();
  for (const pod of pods) {
    const { kind, namespace, name } = nameOf(pod);
    let ordinal = 0;
    const key = (): string => [kind, namespace, name, ordinal].join('/');
    while (found.has(key())) ordinal++;
    found.set(key(), pod);
  }
  return found;
}

function nameOf(pod: LoadedPod | undefined): ObjectName {
  const { kind = '', name = '' } = pod?.source ?? {};
  return { kind, namespace: pod?.pod.metadata.namespace ?? '', name };
}

export function validateUpdate(
  kind: string,
  after: StoredForm,
  before: StoredForm,
  behavior?: ReleaseBehavior,
): Update {
  switch (kind) {
    case 'Pod':
      return validatePodUpdate(after, before, behavior);
    case 'Job':
      return validateJobUpdate(after, before);
    case 'StatefulSet':
      return validateStatefulSetUpdate(after, before);
    // Ports ValidateDeploymentUpdate, ValidateReplicaSetUpdate and ValidateDaemonSetSpecUpdate.
    case 'Deployment':
    case 'ReplicaSet':
    case 'DaemonSet':
      return validateImmutableField(selectorOf(after), selectorOf(before), 'spec.selector');
    default:
      return ACCEPTED;
  }
}

function selectorOf({ spec }: StoredForm): unknown {
  return (spec as Decoded<v1.DeploymentSpec>).selector;
}

type StatefulSet = Decoded<v1.StatefulSet>;
type StatefulSetSpec = Decoded<v1.StatefulSetSpec>;

const UPDATABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const satisfies readonly (keyof StatefulSetSpec)[];

const REFUSAL =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** Ports ValidateStatefulSetUpdate (pkg/apis/apps/validation/validation.go) without the checks of a creation. */
function validateStatefulSetUpdate(after: StatefulSet, before: StatefulSet): Update {
  const old = before.spec ?? {};
  const kept = Object.fromEntries(UPDATABLE.map((field) => [field, old[field]]));
  const refused = changedFields(old, { ...after.spec, ...kept }, 'spec');
  return refused.length === 0 ? ACCEPTED : { errors: [forbidden('spec', REFUSAL)], refused };
}

export interface RolloutEffect {
  /** `replaced`: new pods take the place of the old ones; `later`: only pods that are made from then on. */
  readonly kind: 'replaced' | 'later';
  readonly text: string;
}

/** Follows the update strategies of pkg/controller for a changed workload. */
function rolloutOf(kind: string, { spec }: StoredForm): RolloutEffect {
  switch (kind) {
    case 'Deployment':
      return deployment(spec as Decoded<v1.DeploymentSpec>);
    case 'StatefulSet':
      return statefulSet(spec as Decoded<v1.StatefulSetSpec>);
    case 'DaemonSet':
      return daemonSet(spec as Decoded<v1.DaemonSetSpec>);
    default:
      return later(
        TEMPLATE_EFFECTS[kind] ??
          'running pods stay as they are; only new ones are created from it',
      );
  }
}

const TEMPLATE_EFFECTS: Readonly<Record<string, string>> = {
  CronJob: 'new Jobs are created from it; existing Jobs stay as they are',
  Job: 'the Job is suspended: its pods are created from it when the Job resumes',
  PodTemplate: 'a PodTemplate alone runs no pods',
};

function deployment({ paused, strategy }: Decoded<v1.DeploymentSpec>): RolloutEffect {
  if (paused === true) return later('the Deployment is paused: pods are replaced when it resumes');
  if (strategy?.type === 'Recreate') {
    return replaced('all old pods are stopped, then new ones are created (Recreate)');
  }
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  return replaced(
    `new pods replace the old ones, at most ${maxSurge} extra and ${maxUnavailable} unavailable at a time (RollingUpdate)`,
  );
}

function statefulSet({ updateStrategy }: Decoded<v1.StatefulSetSpec>): RolloutEffect {
  if (updateStrategy?.type === 'OnDelete') return onDelete();
  const { partition = 0 } = updateStrategy?.rollingUpdate ?? {};
  const which = partition > 0 ? `the pods from ordinal ${partition} up are` : 'each pod is';
  return replaced(
    `${which} replaced, last one first, each when the previous one is ready (RollingUpdate)`,
  );
}

function daemonSet({ updateStrategy }: Decoded<v1.DaemonSetSpec>): RolloutEffect {
  if (updateStrategy?.type === 'OnDelete') return onDelete();
  const { maxUnavailable = 1, maxSurge = 0 } = updateStrategy?.rollingUpdate ?? {};
  const limit = maxSurge === 0 ? `${maxUnavailable} unavailable` : `${maxSurge} extra`;
  return replaced(`the pod on each node is replaced, at most ${limit} at a time (RollingUpdate)`);
}

function onDelete(): RolloutEffect {
  return later('a pod is replaced when somebody deletes it (OnDelete)');
}

function replaced(text: string): RolloutEffect {
  return { kind: 'replaced', text };
}

function later(text: string): RolloutEffect {
  return { kind: 'later', text };
}
