import { type Decoded, type FieldError, forbidden, podKind } from '../api/index.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import { behaviourChanges, type PodBehaviourChange } from './behaviour-changes.js';
import { type ContainerChange, containerChanges } from './container-changes.js';
import { changedFields, type FieldChange } from './field-change.js';
import { type Rollout, rolloutOf } from './rollout.js';
import { validateJobUpdate } from './update/job-update.js';
import { validatePodUpdate } from './update/pod-update.js';
import {
  ACCEPTED,
  type StoredForm,
  storedForm,
  type Update,
  validateImmutableField,
} from './update/update.js';

/** Identity of an object. */
interface ObjectName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface DifferentField extends FieldChange {
  /** The API server does not change it in an object that is there. */
  readonly refused: boolean;
}

/** An object that both manifests have, and that differs. */
export interface ObjectDifference extends ObjectName {
  readonly in: 'both';
  /** Errors of the API server; any error rejects the whole update. */
  readonly errors: readonly FieldError[];
  readonly fields: readonly DifferentField[];
  /** Consequence for the pods of a workload; absent when the template is the same, or the update is rejected. */
  readonly rollout?: Rollout;
  readonly containers: readonly ContainerChange[];
  readonly behaviour: PodBehaviourChange;
}

/** An object that only one of the manifests has. */
interface LonelyObject extends ObjectName {
  readonly in: 'before' | 'after';
}

export type Difference = ObjectDifference | LonelyObject;

interface ObjectPair extends ObjectName {
  readonly before?: LoadedPod;
  readonly after?: LoadedPod;
}

/** Compares an object of one manifest with that of the other; undefined when they are equal. */
export function diffPair({ before, after, ...name }: ObjectPair): Difference | undefined {
  if (before === undefined) return { ...name, in: 'after' };
  if (after === undefined) return { ...name, in: 'before' };
  const { kind } = name;
  const [old, now] = [storedForm(kind, before.stored), storedForm(kind, after.stored)];
  const changes = changedFields(old, now, '');
  if (changes.length === 0) return undefined;
  const { errors, refused } = validateUpdate(kind, now, old);
  const paths = new Set(refused.map(({ path }) => path));
  const rollout = errors.length > 0 ? undefined : templateRollout(kind, changes, now);
  return {
    ...name,
    in: 'both',
    errors,
    fields: changes.map((change) => ({ ...change, refused: paths.has(change.path) })),
    ...(rollout && { rollout }),
    containers: containerChanges(before.pod, after.pod),
    behaviour: behaviourChanges(before, after),
  };
}

function templateRollout(
  kind: string,
  changes: readonly FieldChange[],
  now: StoredForm,
): Rollout | undefined {
  const { templatePath = '' } = podKind(kind) ?? {};
  if (templatePath === '') return undefined;
  const ofTemplate = changes.filter(({ path }) => path.startsWith(`${templatePath}.`));
  return ofTemplate.length === 0 ? undefined : rolloutOf(kind, now);
}

/**
 * Brings together the objects of two manifests that have the same kind, namespace and name, the n-th of one with the
 * n-th of the other; in the order of the second, and then what only the first has.
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

function nameOf(pod: LoadedPod | undefined): { kind: string; namespace: string; name: string } {
  const { kind = '', name = '' } = pod?.source ?? {};
  return { kind, namespace: pod?.pod.metadata.namespace ?? '', name };
}

/** Validates the update of an existing object as the API server does. */
export function validateUpdate(kind: string, after: StoredForm, before: StoredForm): Update {
  switch (kind) {
    case 'Pod':
      return validatePodUpdate(after, before);
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
  return (spec as Decoded<'DeploymentSpec'>).selector;
}

type StatefulSet = Decoded<'StatefulSet'>;
type StatefulSetSpec = Decoded<'StatefulSetSpec'>;

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

/** Ports ValidateStatefulSetUpdate (pkg/apis/apps/validation/validation.go), but for what creation has checked already. */
function validateStatefulSetUpdate(after: StatefulSet, before: StatefulSet): Update {
  const old = before.spec ?? {};
  const kept = Object.fromEntries(UPDATABLE.map((field) => [field, old[field]]));
  const refused = changedFields(old, { ...after.spec, ...kept }, 'spec');
  return refused.length === 0 ? ACCEPTED : { errors: [forbidden('spec', REFUSAL)], refused };
}
