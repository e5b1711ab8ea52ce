import type { Container, Pod, Probe } from '../api/index.js';
import { setTerminationGracePeriod } from '../kubelet/containers/grace-period.js';
import type { ProbeType } from '../kubelet/event.js';
import { spanText } from './moment.js';
import { probeMoments } from './probe-moments.js';

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
    ...probeMoments(container, type, probe).map((moment) => ({
      topic: moment.topic,
      text: `${capitalised(spanText(moment))}. ${moment.why}`,
    })),
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

export function kill(pod: Pod, container: Container, type: 'startup' | 'liveness'): string {
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

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
