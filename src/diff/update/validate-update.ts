import { type Decoded, forbidden } from '../../api/index.js';
import { changedFields } from '../field-change.js';
import { validateJobUpdate } from './job-update.js';
import { validatePodUpdate } from './pod-update.js';
import { ACCEPTED, type StoredForm, type Update, validateImmutableField } from './update.js';

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
export function validateStatefulSetUpdate(after: StatefulSet, before: StatefulSet): Update {
  const old = before.spec ?? {};
  const kept = Object.fromEntries(UPDATABLE.map((field) => [field, old[field]]));
  const refused = changedFields(old, { ...after.spec, ...kept }, 'spec');
  return refused.length === 0 ? ACCEPTED : { errors: [forbidden('spec', REFUSAL)], refused };
}
