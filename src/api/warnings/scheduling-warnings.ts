import type { Decoded } from '../schema/schema.js';
import {} from '../validation/common/checks.js';
import { isValidLabelValue } from '../validation/common/formats.js';
import { sortedEntries } from '../values/objects.js';
import type { ApiWarnings } from './warning.js';

type PodSpec = Decoded<'PodSpec'>;
type Term = Decoded<'NodeSelectorTerm'>;
type PodTerms = Decoded<'PodAffinity'> & Decoded<'PodAntiAffinity'>;

/** Deprecated labels of nodes: deprecatedNodeLabels (pkg/api/node/util.go). */
const DEPRECATED_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
    'failure-domain.beta.kubernetes.io/region':
      'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    'failure-domain.beta.kubernetes.io/zone':
      'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    'beta.kubernetes.io/instance-type':
      'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    'app.kubernetes.io/created-by': 'deprecated since v1.9',
    'scheduler.alpha.kubernetes.io/preferAvoidPods':
      'deprecated since v1.22; use Taints and Tolerations instead',
    'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
  }),
);
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NULL_SELECTOR = 'a null labelSelector results in matching no pod';

/** The first part of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go): where the pod may run. */
export function nodeWarnings(spec: PodSpec, path: string): ApiWarnings {
  const { [REQUIRED]: selector, [PREFERRED]: preferred = [] } = spec.affinity?.nodeAffinity ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...sortedEntries(spec.nodeSelector).flatMap(([key]) => {
      const message = DEPRECATED_LABELS.get(key);
      return message === undefined ? [] : [{ field: `${path}.nodeSelector[${key}]`, message }];
    }),
    ...(selector?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      keyWarnings(term, `${at}.${REQUIRED}.nodeSelectorTerms[${index}]`, false),
    ),
    ...preferred.flatMap(({ preference = {} }, index) =>
      keyWarnings(preference, `${at}.${PREFERRED}[${index}].preference`, true),
    ),
    ...spreadWarnings(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
  ];
}

function deprecatedKey(key: string, field: string): ApiWarnings {
  const message = DEPRECATED_LABELS.get(key);
  return message === undefined ? [] : [{ field, message: `${key} is ${message}` }];
}

/** Ports GetWarningsForNodeSelectorTerm (pkg/api/node/util.go). */
function keyWarnings(term: Term, path: string, checkValues: boolean): ApiWarnings {
  return (term.matchExpressions ?? []).flatMap(({ key = '', values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const ofValues = values.flatMap((value, valueIndex) =>
      isValidLabelValue(value).map((complaint) => ({
        field: `${at}.values[${valueIndex}]`,
        message: `${value} is invalid, ${complaint}`,
      })),
    );
    return [...deprecatedKey(key, `${at}.key`), ...(checkValues ? ofValues : [])];
  });
}

function spreadWarnings(
  constraints: readonly Decoded<'TopologySpreadConstraint'>[] = [],
  path: string,
): ApiWarnings {
  return constraints.flatMap(({ topologyKey = '', labelSelector }, index) => [
    ...deprecatedKey(topologyKey, `${path}[${index}].topologyKey`),
    ...(labelSelector === undefined
      ? [{ field: `${path}[${index}].labelSelector`, message: NULL_SELECTOR }]
      : []),
  ]);
}

/** The part of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) about affinity to other pods. */
export function podAffinityWarnings(spec: PodSpec, path: string): ApiWarnings {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
    const terms: PodTerms = spec.affinity?.[kind] ?? {};
    return nullSelectors(terms, `${path}.affinity.${kind}`);
  });
}

function nullSelectors(terms: PodTerms, path: string): ApiWarnings {
  const fields = [
    ...(terms[REQUIRED] ?? []).map((term, index) => ({ term, at: `${REQUIRED}[${index}]` })),
    ...(terms[PREFERRED] ?? []).map(({ podAffinityTerm: term = {} }, index) => {
      return { term, at: `${PREFERRED}[${index}].podAffinityTerm` };
    }),
  ];
  return fields
    .filter(({ term }) => term.labelSelector === undefined)
    .map(({ at }) => ({ field: `${path}.${at}.labelSelector`, message: NULL_SELECTOR }));
}
