import type { Advice } from './change.js';
import { missingObject } from './start-fault.js';

/** Texts of API servers that refuse a pod, and the fields or objects to correct. */
const REFUSALS: readonly (readonly [pattern: RegExp, fields: readonly string[]])[] = [
  [/\b(?:exceeded|failed) quota: /, ['what its pods ask for', 'the ResourceQuota']],
  [/ per (?:Container|Pod) is /, ['resources', 'the LimitRange']],
  [
    /\bviolates PodSecurity /,
    ['securityContext', "the namespace's label pod-security.kubernetes.io/enforce"],
  ],
  [/\bfailed calling webhook /, ['what serves that webhook', 'its failurePolicy']],
];

/** Returns what to do about the answer of an API server that takes no pod of a workload. */
export function refusalAdvice(message: string): Advice | undefined {
  const missing = missingObject(message);
  if (missing !== undefined) return { do: 'addObject', ...missing };
  const fields = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
  return fields && { do: 'correct', fields };
}
