import type { Summary } from '../trace/summary/summary.js';
import { diagnosePod } from './diagnosis.js';
import { headline } from './words.js';

/** Returns a sentence about what works here, and will not in a pod. */
export function warningIn({ pods, t }: Summary): string | undefined {
  for (const pod of pods) {
    const warning = diagnosePod(pod, t).find(({ urgency }) => urgency === 'warning');
    if (warning !== undefined) return headline(warning);
  }
  return undefined;
}
