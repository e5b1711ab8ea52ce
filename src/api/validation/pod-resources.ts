import { aggregateContainerResources } from '../aggregate-resources.js';
import { type FieldError, forbidden, invalid } from '../field-error.js';
import { ownField } from '../own-field.js';
import { formatQuantity, storedQuantity } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { sortedEntries } from './common.js';
import { validatePodResourceName } from './resource-names.js';
import { validateResourceRequirements } from './resources.js';

type PodSpec = Decoded<'PodSpec'>;

/** Ports validatePodResources (pkg/apis/core/validation/validation.go). */
export function validatePodResources(
  spec: PodSpec,
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  const at = `${path}.resources`;
  if (spec.os?.name === 'windows') return [forbidden(at, 'may not be set for a windows pod')];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    errors.push(forbidden(`${at}.claims`, 'claims may not be set for Resources at pod-level'));
  }
  return [
    ...errors,
    ...validateResourceRequirements(resources, claimNames, validatePodResourceName, at),
    ...validateRequestsOfContainers(spec, at),
    ...validateContainerLimits(spec, at),
  ];
}

/** Ports validatePodResourceConsistency (pkg/apis/core/validation/validation.go), its first part. */
function validateRequestsOfContainers(spec: PodSpec, path: string): FieldError[] {
  const requests = spec.resources?.requests ?? {};
  return [...aggregateContainerResources(spec, 'requests')].flatMap(([name, sum]) => {
    const text = requests[name];
    if (text === undefined) return [];
    const request = storedQuantity(text);
    if (sum.nano <= request.nano) return [];
    const detail = `must be greater than or equal to aggregate container requests of ${formatQuantity(sum)}`;
    return [invalid(`${path}.requests[${name}]`, formatQuantity(request), detail)];
  });
}

/** The second part. */
function validateContainerLimits(spec: PodSpec, path: string): FieldError[] {
  const podLimits = spec.resources?.limits ?? {};
  return (spec.containers ?? []).flatMap((container, index) =>
    sortedEntries(container.resources?.limits).flatMap(([name, text]) => {
      const podText = ownField(podLimits, name);
      if (podText === undefined) return [];
      const limit = storedQuantity(text);
      const podLimit = storedQuantity(podText);
      if (limit.nano <= podLimit.nano) return [];
      const detail = `must be less than or equal to pod limits of ${formatQuantity(podLimit)}`;
      return [
        invalid(`${path}.containers[${index}][${name}].limits`, formatQuantity(limit), detail),
      ];
    }),
  );
}
