import { type Decoded, forbidden } from '../../api/index.js';
import { changedFields } from '../field-change.js';
import { ACCEPTED, type Update } from './update.js';

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
