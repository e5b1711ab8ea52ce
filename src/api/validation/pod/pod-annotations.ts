import type { Decoded } from '../../schema/schema.js';
import type * as v1 from '../../schema/types.js';
import type { FieldPath } from '../common/field-error.js';

/* Ported from pkg/apis/core/validation/validation.go, with its names. */

type Annotations = Readonly<Record<string, string>>;

export const MIRROR_POD_KEY = 'kubernetes.io/config.mirror';
const DELETION_COST_KEY = 'controller.kubernetes.io/pod-deletion-cost';
/** An integer without a plus sign; only a negative one may have leading zeros. */
const DELETION_COST = /^(?:0|-\d+|[1-9]\d*)$/;

/** Ports ValidatePodSpecificAnnotations, without the deprecated annotations of seccomp and AppArmor. */
export function validatePodSpecificAnnotations(
  annotations: Annotations = {},
  spec: Decoded<v1.PodSpec>,
  at: FieldPath,
): void {
  const mirror = annotations[MIRROR_POD_KEY];
  if (mirror !== undefined && spec.nodeName === undefined) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    at.item(MIRROR_POD_KEY).invalid(mirror, detail);
  }
  validateDeletionCost(annotations[DELETION_COST_KEY], at.item(DELETION_COST_KEY));
}

/** Ports GetDeletionCostFromPodAnnotations (pkg/apis/core/helper/helpers.go). */
function validateDeletionCost(value: string | undefined, at: FieldPath): void {
  if (value === undefined) return;
  const cost = Number(value);
  if (DELETION_COST.test(value) && cost >= -(2 ** 31) && cost < 2 ** 31) return;
  at.invalid(value, 'must be a 32bit integer');
}
