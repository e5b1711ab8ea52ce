import type { Advice } from './change.js';
import { missingObject } from './start-fault.js';

/** Texts of API servers that refuse a pod, and the fields or objects to correct. */
const REFUSALS: readonly (readonly [pattern: RegExp, fields: readonly string[]])[] = [
  [/\b(?:exceeded|failed) quota: /, ['what its pods ask for', 'the ResourceQuota']],
  [/ per (?:Container|Pod) is /, ['resources', 'the LimitRange']],
  [/\bfailed calling webhook /, ['what serves that webhook', 'its failurePolicy']],
];

/** Fields outside of securityContext that PodSecurity forbids, by its words. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, field: string])[] = [
  [/\bhostNetwork=true/, 'hostNetwork'],
  [/\bhostPID=true/, 'hostPID'],
  [/\bhostIPC=true/, 'hostIPC'],
  [/\bhostPath volumes|\brestricted volume types/, 'volumes'],
  [/\bhostPort /, 'ports[].hostPort'],
  [/\bprobe or lifecycle host/, 'the host of its probes and hooks'],
  [
    /[Pp]rivilege|\bcapabilities|AppArmor|procMount|runAs|seLinux|seccomp|sysctls|hostProcess/,
    'securityContext',
  ],
];

const ENFORCE = "the namespace's label pod-security.kubernetes.io/enforce";

/** Returns what to do about the answer of an API server that takes no pod of a workload. */
export function refusalAdvice(message: string): Advice | undefined {
  const missing = missingObject(message);
  if (missing !== undefined) return { do: 'addObject', ...missing };
  const [, violations] = /\bviolates PodSecurity "[^"]*": (.*)/s.exec(message) ?? [];
  if (violations !== undefined) {
    // What stands in quotes are names: the user's words.
    const text = violations.replaceAll(/"[^"]*"/g, '');
    const forbidden = FORBIDDEN.flatMap(([pattern, field]) => (pattern.test(text) ? field : []));
    return { do: 'correct', fields: [forbidden.join(' and ') || 'its spec', ENFORCE] };
  }
  const fields = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
  return fields && { do: 'correct', fields };
}
