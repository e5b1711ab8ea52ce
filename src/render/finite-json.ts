import type { Difference } from '../diff/diff-objects.js';
import type { ExplainedPod } from '../explain/explain-pod.js';

export function diffJson(objects: readonly Difference[]): string {
  return finiteJson({ differs: objects.length > 0, objects });
}

export function explainJson(pods: readonly ExplainedPod[]): string {
  return finiteJson({ pods });
}

/** The times that never come, or have no latest, are null. */
function finiteJson(report: object): string {
  const plain = (_: string, value: unknown): unknown => (value === Infinity ? null : value);
  return `${JSON.stringify(report, plain, 2)}\n`;
}
