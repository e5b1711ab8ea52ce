import { remove } from '../../fix/change.js';
import { PROBE_CONCEPTS, type Rule } from '../../rule.js';

export const initialDelayAfterStartupProbe: Rule = {
  id: 'initial-delay-after-startup-probe',
  severity: 'info',
  safeFix: true,
  summary: 'the liveness probe has an initial delay beside a startup probe',
  reason:
    "The liveness probe does not run before the startup probe has succeeded. The initial delay still counts from the container's start, not from that success, so it can only add time in which a hang goes undetected.",
  sources: [PROBE_CONCEPTS, 'https://github.com/kubernetes/website/issues/40072'],
  checkContainer: ({ container, path }) => {
    const { livenessProbe, startupProbe } = container;
    const delay = livenessProbe?.initialDelaySeconds ?? 0;
    if (startupProbe === undefined || delay === 0) return [];
    return {
      path: `${path}.livenessProbe.initialDelaySeconds`,
      message: `the startup probe already delays the liveness probe; the ${delay} s count from the container's start, not from that success`,
      hint: 'remove it',
      changes: [remove(`${path}.livenessProbe.initialDelaySeconds`)],
    };
  },
};
