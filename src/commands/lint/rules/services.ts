import { ownField } from '../../../api/index.js';
import { set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { differingLabels, isInNamespace } from '../subject/services.js';

export const serviceSelectsNothing: Rule = {
  id: 'service-selects-nothing',
  severity: 'warning',
  summary: "one label of a Service's selector is not that of the pods",
  reason:
    'A Service sends traffic to the pods that have every label of its selector. If one value differs, it has no endpoints, and every connection is refused or times out, however ready the pods are. The API server accepts it.',
  sources: ['https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/'],
  checkService: (service, candidates) => {
    const [only, ...others] = candidates
      .filter(({ loaded }) => isInNamespace(service, loaded.pod))
      .map((candidate) => ({ ...candidate, keys: differingLabels(service, candidate.loaded.pod) }))
      .filter(({ keys }) => keys.length < 2);
    const key = only?.keys[0];
    if (only === undefined || key === undefined || others.length > 0 || !only.isCertain) return [];
    const { pod, source } = only.loaded;
    const value = ownField(pod.metadata.labels ?? {}, key) ?? '';
    const selected = service.selector[key] ?? '';
    if (stemOf(source.name) !== stemOf(service.name) || SWITCHED.test(key)) return [];
    // An empty value is a label that is set at run time; any other is refused, or a placeholder.
    if (![value, selected].every((each) => /^[\w.-]+$/.test(each))) return [];
    const path = `spec.selector[${key}]`;
    const message = `selects ${key}: ${selected}, but the pods of ${source.kind} ${source.name} have ${key}: ${value}: the Service has no endpoints`;
    return [{ path, message, hint: 'make the two labels the same', changes: [set(path, value)] }];
  },
};

/** Labels whose value a program changes at run time, or that switch a Service from one version to another. */
const SWITCHED = /role|leader|master|primary|active|stat[eu]|version|revision|track|slot|colou?r/i;

/** Returns a name without the kind of object that it ends in. */
function stemOf(name: string): string {
  return name.replace(/-(?:svc|service|deploy|deployment|statefulset|daemonset|pod)$/, '');
}
