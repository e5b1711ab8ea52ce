import type { Difference } from '../diff/diff-objects.js';
import type { ExplainedPod } from '../explain/explain-pod.js';

/** The differences as JSON; what never happens, or has no latest time, is null. */
export function diffJson(objects: readonly Difference[]): string {
  const plain = (_: string, value: unknown): unknown => (value === Infinity ? null : value);
  return `${JSON.stringify({ differs: objects.length > 0, objects }, plain, 2)}\n`;
}

/** The explanation as JSON; what never happens, or has no latest time, is null. */
export function explainJson(pods: readonly ExplainedPod[]): string {
  const plain = (_: string, value: unknown): unknown => (value === Infinity ? null : value);
  return `${JSON.stringify({ pods }, plain, 2)}\n`;
}
