import { probeTimes } from '../../../explain/probe-times.js';
import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';

export const startupBudgetTooShort: Rule = {
  id: 'startup-budget-too-short',
  severity: 'warning',
  summary: 'a recorded start took longer than the probes allow, or almost',
  reason:
    'A start that is slower than the budget is killed, and so is the next one. Starts are slower on a busy node than on the machine where they were measured: allow twice the time.',
  sources: [CONFIGURE_PROBES, 'https://github.com/kubernetes/kubernetes/issues/96411'],
  checkContainer: ({ container, path }, { starts }) => {
    const measured = Math.max(...(starts.get(container.name) ?? [0]));
    const [type, probe] = container.startupProbe
      ? (['startup', container.startupProbe] as const)
      : (['liveness', container.livenessProbe] as const);
    if (probe === undefined || measured === 0) return [];
    const budget = probeTimes(probe).neverSucceeds.from;
    if (budget >= MARGIN * measured) return [];
    const wanted = Math.ceil((MARGIN * measured - probe.initialDelaySeconds) / probe.periodSeconds);
    return {
      path: `${path}.${type}Probe`,
      message: `gives up as early as ${budget} s after the start; the slowest recorded start took ${measured.toFixed(1)} s`,
      hint: `allow twice the time: ${type === 'startup' ? 'a higher failureThreshold' : 'add a startup probe'}`,
      ...(type === 'startup' && {
        changes: [set(`${path}.startupProbe.failureThreshold`, wanted + 1)],
      }),
    };
  },
};

const MARGIN = 2;
