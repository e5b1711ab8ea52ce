import { type FieldError, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, validateQualifiedName } from './common.js';
import { isDNS1123Label } from './formats.js';
import { validateLabelKeys } from './label-keys.js';
import { validateLabelSelector } from './label-selector.js';
import { validateNodeAffinity, validateWeight } from './node-affinity.js';

type PodTerms = Decoded<'PodAffinity'> & Decoded<'PodAntiAffinity'>;

/** Ports validateAffinity (pkg/apis/core/validation/validation.go). */
export function validateAffinity(
  affinity: Decoded<'Affinity'> | undefined,
  path: string,
): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`) : []),
    ...(podAffinity ? validatePodTerms(podAffinity, `${path}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePodTerms(podAntiAffinity, `${path}.podAntiAffinity`) : []),
  ];
}

/** Ports validatePodAffinity and validatePodAntiAffinity (pkg/apis/core/validation/validation.go). */
function validatePodTerms(terms: PodTerms, path: string): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = terms;
  return [
    ...needed.flatMap((term, index) =>
      validatePodAffinityTerm(
        term,
        `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`,
      ),
    ),
    ...preferred.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [
        ...validateWeight(weight, `${at}.weight`),
        ...validatePodAffinityTerm(podAffinityTerm, `${at}.podAffinityTerm`),
      ];
    }),
  ];
}

/** Ports validatePodAffinityTerm (pkg/apis/core/validation/validation.go). */
function validatePodAffinityTerm(term: Decoded<'PodAffinityTerm'>, path: string): FieldError[] {
  const { namespaces = [], topologyKey = '' } = term;
  return [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...namespaces.flatMap((name) =>
      complaintErrors(`${path}.namespace`, name, isDNS1123Label(name)),
    ),
    ...validateLabelKeys(term, path),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...validateQualifiedName(topologyKey, `${path}.topologyKey`),
  ];
}
