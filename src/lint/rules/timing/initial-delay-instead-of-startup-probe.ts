import type { Probe } from '../../../api/index.js';
import { probeTimes } from '../../../explain/probe-times.js';
import { type NewValue, remove, set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { whyAlwaysSucceeds } from '../../subject/always-succeeds.js';

export const initialDelayInsteadOfStartupProbe: Rule = {
  id: 'initial-delay-instead-of-startup-probe',
  severity: 'warning',
  summary: 'a long initial delay replaces a startup probe',
  reason:
    'The delay must be as long as the slowest start, and every start, even a fast one, goes unchecked for that long. A startup probe ends as soon as the container is up.',
  sources: [CONFIGURE_PROBES, 'https://github.com/kubernetes/kubernetes/issues/27114'],
  checkContainer: ({ container, path }, { pod }) => {
    const { livenessProbe, startupProbe } = container;
    const delay = livenessProbe?.initialDelaySeconds ?? 0;
    if (livenessProbe === undefined || startupProbe !== undefined || delay < LONG) return [];
    if (whyAlwaysSucceeds(livenessProbe, container, pod) !== undefined) return [];
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
const LONG = 30;
/** A startup probe's period is a multiple of it. */
const STEP = 5;

/** The same handler, with the delay and as much again to start in. */
function startupFor(probe: Probe): NewValue {
  const { exec, httpGet, tcpSocket, grpc, initialDelaySeconds, timeoutSeconds } = probe;
  const handler = {
    ...(exec ? { exec } : httpGet ? { httpGet } : tcpSocket ? { tcpSocket } : { grpc }),
  };
  // The next multiple above the timeout: an attempt that hangs is over before the next tick.
  const periodSeconds = STEP * (Math.floor(timeoutSeconds / STEP) + 1);
  return {
    ...(JSON.parse(JSON.stringify(handler)) as Readonly<Record<string, NewValue>>),
    periodSeconds,
    ...(timeoutSeconds !== 1 && { timeoutSeconds }),
    failureThreshold: Math.ceil((2 * initialDelaySeconds) / periodSeconds),
  };
}
