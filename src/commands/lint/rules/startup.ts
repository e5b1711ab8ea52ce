import type { Decoded, Probe, v1 } from '../../../api/index.js';
import { probeTimes } from '../../../schedule/probe-times.js';
import { type NewValue, remove, set } from '../fix/change.js';
import {
  CONFIGURE_PROBES,
  DEPLOYMENTS,
  kubernetesIssue,
  PROBE_CONCEPTS,
  type Rule,
} from '../rule.js';
import { reasonOfConstantSuccess } from '../subject/commands.js';

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
    // Over before the startup probe can have succeeded: it does nothing.
    if (delay <= startupProbe.initialDelaySeconds) return [];
    return {
      path: `${path}.livenessProbe.initialDelaySeconds`,
      message: `the startup probe already delays the liveness probe; the ${delay} s count from the container's start, not from that success`,
      hint: 'remove it',
      changes: [remove(`${path}.livenessProbe.initialDelaySeconds`)],
    };
  },
};

export const initialDelayInsteadOfStartupProbe: Rule = {
  id: 'initial-delay-instead-of-startup-probe',
  severity: 'warning',
  summary: 'a long initial delay replaces a startup probe',
  reason:
    'The delay must be as long as the slowest start, and every start, even a fast one, goes unchecked for that long. A startup probe ends as soon as the container is up.',
  sources: [CONFIGURE_PROBES, kubernetesIssue(27114)],
  checkContainer: ({ container, path }, { pod }) => {
    const { livenessProbe, startupProbe } = container;
    const delay = livenessProbe?.initialDelaySeconds ?? 0;
    if (livenessProbe === undefined || startupProbe !== undefined || delay < LONG_DELAY) return [];
    if (reasonOfConstantSuccess(livenessProbe, container, pod) !== undefined) return [];
    const limit = probeTimes(livenessProbe).neverSucceeds.to;
    return {
      path: `${path}.livenessProbe.initialDelaySeconds`,
      message: `every start goes unchecked for ${delay} s, and one that takes longer than ${limit} s is killed`,
      hint: 'a startup probe allows slow starts and ends when the container is up',
      changes: [
        remove(`${path}.livenessProbe.initialDelaySeconds`),
        set(`${path}.startupProbe`, startupFor(livenessProbe)),
      ],
    };
  },
};

/** Seconds. */
const LONG_DELAY = 30;
/** A startup probe's period is a multiple of it. */
const PERIOD_STEP = 5;

/** Returns a startup probe with the same handler, and twice the delay as its budget. */
function startupFor(probe: Probe): NewValue {
  const { exec, httpGet, tcpSocket, grpc, initialDelaySeconds, timeoutSeconds } = probe;
  const handler = {
    ...(exec ? { exec } : httpGet ? { httpGet } : tcpSocket ? { tcpSocket } : { grpc }),
  };
  // The next multiple above the timeout: an attempt that hangs is over before the next tick.
  const periodSeconds = PERIOD_STEP * (Math.floor(timeoutSeconds / PERIOD_STEP) + 1);
  return {
    ...(JSON.parse(JSON.stringify(handler)) as Readonly<Record<string, NewValue>>),
    periodSeconds,
    ...(timeoutSeconds !== 1 && { timeoutSeconds }),
    failureThreshold: Math.ceil((2 * initialDelaySeconds) / periodSeconds),
  };
}

export const progressDeadlineTooShort: Rule = {
  id: 'progress-deadline-too-short',
  severity: 'warning',
  summary: 'the rollout times out before its containers do',
  reason:
    'The Deployment reports that it makes no progress while its startup probes still allow its containers to start, and tools that wait for the rollout give up.',
  sources: [`${DEPLOYMENTS}#progress-deadline-seconds`],
  checkContainer: ({ container: { startupProbe }, path }, { kind, loaded }) => {
    if (kind !== 'Deployment' || startupProbe === undefined) return [];
    const { spec } = loaded.stored as Decoded<v1.Deployment>;
    const deadline = spec?.progressDeadlineSeconds ?? 600;
    const budget = probeTimes(startupProbe).neverSucceeds.from;
    if (budget <= deadline) return [];
    return {
      path: `${path}.startupProbe`,
      message: `allows ${budget} s to start, but the Deployment gives up its rollout after ${deadline} s (progressDeadlineSeconds)`,
      hint: 'make the deadline longer than the slowest start',
    };
  },
};

export const startupBudgetTooShort: Rule = {
  id: 'startup-budget-too-short',
  severity: 'warning',
  summary: 'a recorded start took longer than the probes allow, or almost',
  reason:
    'A start that is slower than the budget is killed, and so is the next one. Starts are slower on a busy node than on the machine where they were measured: allow twice the time.',
  sources: [CONFIGURE_PROBES, kubernetesIssue(96411)],
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
