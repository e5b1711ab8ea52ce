import type { Decoded, v1 } from '../schema/schema.js';
import type { FieldPath } from '../validation/common/field-error.js';
import { isValidLabelValue } from '../validation/common/formats.js';
import { sortedEntries } from '../values/objects.js';

type PodSpec = Decoded<v1.PodSpec>;

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
export function warnAboutNodes(spec: PodSpec, at: FieldPath): void {
  const { [REQUIRED]: selector, [PREFERRED]: preferred } = spec.affinity?.nodeAffinity ?? {};
  const affinityAt = at.child('affinity.nodeAffinity');
  for (const [key] of sortedEntries(spec.nodeSelector)) {
    const message = DEPRECATED_LABELS.get(key);
    if (message !== undefined) at.child('nodeSelector').item(key).warn(message);
  }
  affinityAt
    .child(`${REQUIRED}.nodeSelectorTerms`)
    .each(selector?.nodeSelectorTerms, (term, termAt) => warnAboutTerm(term, termAt, false));
  affinityAt.child(PREFERRED).each(preferred, ({ preference = {} }, termAt) => {
    warnAboutTerm(preference, termAt.child('preference'), true);
  });
  at.child('topologySpreadConstraints').each(
    spec.topologySpreadConstraints,
    (constraint, constraintAt) => {
      warnAboutKey(constraint.topologyKey ?? '', constraintAt.child('topologyKey'));
      if (constraint.labelSelector === undefined)
        constraintAt.child('labelSelector').warn(NULL_SELECTOR);
    },
  );
}

function warnAboutKey(key: string, at: FieldPath): void {
  const message = DEPRECATED_LABELS.get(key);
  if (message !== undefined) at.warn(`${key} is ${message}`);
}

/** Ports GetWarningsForNodeSelectorTerm (pkg/api/node/util.go). */
function warnAboutTerm(
  { matchExpressions }: Decoded<v1.NodeSelectorTerm>,
  at: FieldPath,
  checkValues: boolean,
): void {
  at.child('matchExpressions').each(matchExpressions, ({ key = '', values }, expressionAt) => {
    warnAboutKey(key, expressionAt.child('key'));
    if (!checkValues) return;
    expressionAt.child('values').each(values, (value, valueAt) => {
      for (const complaint of isValidLabelValue(value)) {
        valueAt.warn(`${value} is invalid, ${complaint}`);
      }
    });
  });
}

/** The part of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) about affinity to other pods. */
export function warnAboutPodAffinity({ affinity }: PodSpec, at: FieldPath): void {
  const warn = ({ labelSelector }: Decoded<v1.PodAffinityTerm>, termAt: FieldPath): void => {
    if (labelSelector === undefined) termAt.child('labelSelector').warn(NULL_SELECTOR);
  };
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const { [REQUIRED]: needed, [PREFERRED]: preferred } = affinity?.[kind] ?? {};
    const kindAt = at.child(`affinity.${kind}`);
    kindAt.child(REQUIRED).each(needed, warn);
    kindAt.child(PREFERRED).each(preferred, ({ podAffinityTerm = {} }, termAt) => {
      warn(podAffinityTerm, termAt.child('podAffinityTerm'));
    });
  }
}
