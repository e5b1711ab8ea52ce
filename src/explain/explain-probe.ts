import type { Container } from '../api/types/container.js';
import type { Pod } from '../api/types/pod.js';
import type { Probe } from '../api/types/probe.js';
import type { ProbeType } from '../kubelet/event.js';
import { setTerminationGracePeriod } from '../kubelet/sync/grace-period.js';
import { probeTimes, type Span } from './probe-times.js';

/** One thing that follows from a probe's settings. */
export interface Explanation {
  readonly topic: string;
  readonly text: string;
}

/** What a probe's settings mean in time, in sentences. */
export function explainProbe(
  pod: Pod,
  container: Container,
  type: ProbeType,
  probe: Probe,
): Explanation[] {
  return [
    { topic: 'what for', text: PURPOSE[type] },
    { topic: 'first attempt', text: firstAttempt(container, type, probe) },
    ...results(type, probe),
    ...(type === 'readiness' ? [] : [{ topic: 'then', text: kill(pod, container, type) }]),
    ...oddities(type, probe),
  ];
}

const PURPOSE: Readonly<Record<ProbeType, string>> = {
  startup:
    'Holds the other probes back until it has succeeded once; if it fails for good, the container is restarted.',
  readiness: 'Decides whether Services send traffic to the pod. It never restarts anything.',
  liveness: 'Has the container restarted when it fails for good.',
};

function firstAttempt({ startupProbe }: Container, type: ProbeType, probe: Probe): string {
  const { firstAttempt: span } = probeTimes(probe);
  const after = `${range(span)} after the container's start: at the first tick past the initial delay of ${probe.initialDelaySeconds} s, with a tick every ${probe.periodSeconds} s`;
  if (type === 'startup' || startupProbe === undefined) return `${after}.`;
  return `${after}, but not before the startup probe has succeeded. The delay counts from the container's start all the same.`;
}

function results(type: ProbeType, probe: Probe): Explanation[] {
  const times = probeTimes(probe);
  const { failureThreshold: failures, successThreshold: successes, timeoutSeconds } = probe;
  const inARow = (count: number, what: string): string =>
    count === 1 ? `One ${what}` : `${count} ${what}s in a row`;
  if (type === 'startup') {
    return [
      { topic: 'success', text: 'One success, and the container has started.' },
      {
        topic: 'budget',
        text: `A container that never answers is killed ${range(times.neverSucceeds)} after its start (${failures} failures). It is safe to count on the first number only.`,
      },
    ];
  }
  const effect = type === 'readiness' ? 'is not ready' : 'is killed';
  return [
    {
      topic: 'failing',
      text: `${inARow(failures, 'failure')}, and the container ${effect}: ${range(times.failsFast)} after it begins to fail at once (refused, 503).`,
    },
    {
      topic: 'hanging',
      text: `When it no longer answers, each attempt ends with the timeout of ${timeoutSeconds} s: ${range(times.hangs)} after it begins to hang.`,
    },
    ...(type === 'readiness'
      ? [
          {
            topic: 'recovering',
            text: `${inARow(successes, 'success').replace('successs', 'successes')}, and it is ready again: ${range(times.recovers)} after it begins to answer.`,
          },
        ]
      : []),
  ];
}

function kill(pod: Pod, container: Container, type: 'startup' | 'liveness'): string {
  const reason = type === 'startup' ? 'StartupProbe' : 'LivenessProbe';
  const grace = setTerminationGracePeriod(pod, container, reason);
  const preStop = container.lifecycle?.preStop === undefined ? '' : 'preStop runs, then ';
  const policy = container.restartPolicy ?? pod.spec.restartPolicy;
  const after =
    policy === 'Never'
      ? 'It is not started again (restartPolicy Never).'
      : 'It is started again at once; only when runs get short, a back-off of 10 s, 20 s, 40 s up to 300 s comes in between.';
  return `${preStop}TERM, and KILL after ${grace} s (the grace period). ${after}`;
}

function oddities(type: ProbeType, probe: Probe): Explanation[] {
  const { timeoutSeconds, periodSeconds, initialDelaySeconds } = probe;
  const found: Explanation[] = [];
  if (timeoutSeconds > periodSeconds) {
    found.push({
      topic: 'note',
      text: `The timeout is longer than the period: an attempt that hangs takes ${timeoutSeconds} s, and the ticks in between are dropped.`,
    });
  }
  if (initialDelaySeconds > 0 && type === 'liveness') {
    found.push({
      topic: 'note',
      text: 'A startup probe waits for a slow start better than an initial delay does: it ends as soon as the container answers.',
    });
  }
  return found;
}

/** `20 – 31 s`, `2 s` */
export function range({ from, to }: Span): string {
  return from === to ? `${from} s` : `${from} – ${to} s`;
}
