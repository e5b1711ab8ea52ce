import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;
type LabelSelector = Decoded<'LabelSelector'>;
type Labels = Readonly<Record<string, string>>;
type PodTerms = Decoded<'PodAffinity'> & Decoded<'PodAntiAffinity'>;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * Makes the label keys of a pod's affinity and spread constraints part of their selectors, with the values
 * of the pod's own labels. Ports mutatePodAffinity and mutateTopologySpreadConstraints
 * (pkg/registry/core/pod/strategy.go), which a template does not pass through.
 */
export function applyLabelKeys(spec: PodSpec, labels: Labels = {}): PodSpec {
  const { affinity, topologySpreadConstraints: constraints } = spec;
  if (affinity === undefined && constraints === undefined) return spec;
  return {
    ...spec,
    ...(affinity && { affinity: applyToAffinity(affinity, labels) }),
    ...(constraints && {
      topologySpreadConstraints: constraints.map((each) => applyToTerm(each, labels)),
    }),
  };
}

function applyToAffinity(affinity: Decoded<'Affinity'>, labels: Labels): Decoded<'Affinity'> {
  const { podAffinity, podAntiAffinity } = affinity;
  return {
    ...affinity,
    ...(podAffinity && { podAffinity: applyToTerms(podAffinity, labels) }),
    ...(podAntiAffinity && { podAntiAffinity: applyToTerms(podAntiAffinity, labels) }),
  };
}

function applyToTerms(terms: PodTerms, labels: Labels): PodTerms {
  const { [REQUIRED]: needed, [PREFERRED]: preferred } = terms;
  return {
    ...terms,
    ...(needed && { [REQUIRED]: needed.map((each) => applyToTerm(each, labels)) }),
    ...(preferred && {
      [PREFERRED]: preferred.map((each) => ({
        ...each,
        podAffinityTerm: applyToTerm(each.podAffinityTerm ?? {}, labels),
      })),
    }),
  };
}

interface Term {
  readonly labelSelector?: LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
}

/** A term without a selector matches nothing, and stays as it is. */
function applyToTerm<T extends Term>(term: T, labels: Labels): T {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const added = [
    ...expressions(matchLabelKeys, 'In', labels),
    ...expressions(mismatchLabelKeys, 'NotIn', labels),
  ];
  if (labelSelector === undefined || added.length === 0) return term;
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
  return { ...term, labelSelector: { ...labelSelector, matchExpressions } };
}

function expressions(
  keys: readonly string[],
  operator: string,
  labels: Labels,
): Decoded<'LabelSelectorRequirement'>[] {
  return keys
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
}
