import type { ContainerView } from '../trace/summary/container-view.js';
import { type Cause, changeTo, joined } from './cause.js';

/** Adds the startup budget to the cause of a startup probe's failure, and the time that a start needs. */
export function startupCause(
  container: ContainerView,
  simulated: boolean,
  cause: Cause | undefined,
): Cause | undefined {
  const probe = container.spec.startupProbe;
  if (probe === undefined) return cause;
  const { periodSeconds, failureThreshold, initialDelaySeconds } = probe;
  const budget = initialDelaySeconds + periodSeconds * failureThreshold;
  const need = startTime(container, simulated);
  if (need !== undefined && need > budget) {
    const enough = Math.ceil((need - initialDelaySeconds) / periodSeconds) + 1;
    const field = 'startupProbe.failureThreshold';
    return {
      why: `it needs about ${Math.ceil(need)} s, the startup budget is ${budget} s`,
      ...changeTo(field, enough, `Raise ${field} to at least ${enough}`),
    };
  }
  const text = `the startup budget is ${budget} s`;
  return {
    why: joined([cause?.why, text]),
    change: cause?.change ?? 'Raise startupProbe.failureThreshold if it needs longer to start',
    setting: cause?.setting,
  };
}

/** Seconds of the longest start seen; simulated restarts leave the first run's process alone. */
function startTime({ runs, probes }: ContainerView, simulated: boolean): number | undefined {
  const startup = probes.find(({ type }) => type === 'startup');
  const times = runs.flatMap(({ run, startedAt }) => {
    const from = simulated ? runs[0]?.startedAt : startedAt;
    const success = startup?.attempts.find((one) => one.run === run && one.result === 'success');
    return success === undefined || from === undefined ? [] : [success.endedAt - from];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
