import type { Container, Pod } from '../api/index.js';
import {
  MINIMUM_GRACE_PERIOD,
  setTerminationGracePeriod,
} from '../kubelet/containers/container-to-kill.js';
import { type Moment, probeFields } from './moment.js';
import { RELIST } from './probe-times.js';
import { firstStart, readyTimes, START_FIELDS, startedTimes } from './start-times.js';
import { killAfterTerm, sidecarTerm, stopTimes } from './stop-times.js';

/** Returns the times of a container's life when nothing fails. */
export function containerMoments(pod: Pod, container: Container, probed: boolean): Moment[] {
  const moments = [
    firstStart(pod, container),
    ...(probed ? [started(container), ready(container)] : []),
    ended(pod, container),
    sidecarTerm(pod, container),
  ];
  return moments.filter((moment) => moment !== undefined);
}

function started(container: Container): Moment {
  const about = { topic: 'started', since: 'its start', span: startedTimes(container) };
  if (container.startupProbe === undefined) {
    const why = `Without a startup probe it counts as started once the kubelet sees it run; the kubelet checks every ${RELIST} s.${hookNote(container)}`;
    return { ...about, why, fields: [] };
  }
  const { periodSeconds } = container.startupProbe;
  return {
    ...about,
    why: `If it answers from the start, its startup probe succeeds then. If it takes longer, up to ${periodSeconds} s after its first answer.${hookNote(container)}`,
    fields: probeFields('startup', ...START_FIELDS),
  };
}

function ready(container: Container): Moment {
  const { startupProbe, readinessProbe } = container;
  const about = { topic: 'ready', since: 'its start', span: readyTimes(container) };
  if (readinessProbe === undefined) {
    const why = 'Without a readiness probe it is ready once it has started.';
    return { ...about, why, fields: [] };
  }
  const { successThreshold: count, periodSeconds } = readinessProbe;
  const rows = count === 1 ? 'one success' : `${count} successes in a row`;
  const startup = startupProbe === undefined ? '' : ' after the success of its startup probe';
  return {
    ...about,
    why: `If it answers from the start, its readiness probe has had ${rows} by then${startup}. If it takes longer, up to ${periodSeconds} s after its first answer, plus the time of the successes.`,
    fields: [
      ...probeFields('readiness', ...START_FIELDS, 'successThreshold'),
      ...(startupProbe === undefined ? [] : probeFields('startup', ...START_FIELDS)),
    ],
  };
}

/** The kubelet does not see the container run before its postStart hook has ended. */
function hookNote({ lifecycle }: Container): string {
  if (lifecycle?.postStart === undefined) return '';
  return ' Add the time of the postStart hook, which runs first.';
}

function ended(pod: Pod, container: Container): Moment {
  const grace = setTerminationGracePeriod(pod, container, 'Unknown');
  const hook = container.lifecycle?.preStop;
  const why =
    hook === undefined
      ? `TERM, and KILL at most ${killAfterTerm(grace)} s later.`
      : `The preStop hook runs first, then TERM: KILL comes after ${grace} s for both, but at least ${MINIMUM_GRACE_PERIOD} s after TERM.`;
  return {
    topic: 'stopped',
    span: stopTimes(container, grace),
    since: 'it is to stop',
    why,
    fields: [
      'spec.terminationGracePeriodSeconds',
      ...(hook === undefined ? [] : ['lifecycle.preStop']),
    ],
  };
}
