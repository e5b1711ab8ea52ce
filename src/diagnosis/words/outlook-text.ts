import { counted } from '../../text/count.js';
import { countdown, inRange, inSeconds } from '../../text/duration.js';
import type { ProbeType, RestartedBy, Result } from '../../trace/event.js';
import type { NextStart, NextStep, Outlook, Span } from '../next-step.js';

/** Names what an outlook or a diagnosis is about: `app`, or `app/readiness`. */
export function subjectText({ container, probe }: Pick<Outlook, 'container' | 'probe'>): string {
  return probe === undefined ? container : `${container}/${probe}`;
}

export function outlookText({ step, probe }: Outlook): string {
  switch (step.kind) {
    case 'retryStart':
      return retryText(step.pulls);
    case 'waitsFor':
      return `waits for ${step.container}`;
    case 'hook':
      return `${step.hook} hook is running`;
    case 'ifEnded':
      return `if it ends now, restarted after a back-off of ${countdown(step.delay)}, ${whenText(step.in)}`;
    case 'preStop':
      return `preStop hook is running, then ${step.signal}`;
    case 'stopping':
      return `${step.signal} sent; KILL ${inSeconds(step.killIn)} if it still runs, ${nextStartText(step.start)}`;
    case 'ended':
      return startText(
        step.start,
        'the kubelet starts it again',
        'stays ended: it is not restarted',
      );
    case 'backOff':
      return `CrashLoopBackOff of ${countdown(step.delay)}; starts again ${whenText(step.in)}`;
    case 'errors':
      return `errors don't count: ${unchangedText(probe, step.stands)} until an attempt gives a result`;
    case 'turn':
      return turnText(step, probe);
  }
}

export function retryText(pulls: boolean): string {
  return pulls
    ? 'the kubelet pulls again after a back-off of 10 s, which grows to 300 s'
    : 'the kubelet tries again every 10 – 16 s';
}

function turnText(step: Extract<NextStep, { kind: 'turn' }>, probe: ProbeType | undefined): string {
  const when = step.in.to === undefined ? `earliest ${inSeconds(step.in.from)}` : whenText(step.in);
  return `${inRow(step.to, step.needed, step.begun)}, ${when} → ${effectText(step, probe)}`;
}

function effectText(
  { to, kill }: Extract<NextStep, { kind: 'turn' }>,
  probe: ProbeType | undefined,
): string {
  if (probe === 'readiness') {
    return to === 'success'
      ? 'ready, Services send traffic'
      : 'not ready, Services send no traffic';
  }
  if (kill === undefined) return 'started, the other probes begin';
  const killed = kill.simulated
    ? 'killed (simulated)'
    : `killed with ${kill.signal}, ${kill.grace} s grace`;
  return `${killed}, ${nextStartText(kill.start)}`;
}

const STARTED_BY: Readonly<Record<RestartedBy, string>> = {
  engine: 'its engine starts it again, by its restart policy',
  cluster: "the cluster's kubelet starts it again",
  user: 'kprobe goes on once it is started',
};

/** Says how a container starts after a future end. */
function nextStartText(start: NextStart): string {
  return startText(start, 'then restarted', 'then not restarted');
}

function startText(start: NextStart, restarted: string, notRestarted: string): string {
  switch (start.kind) {
    case 'none':
      return notRestarted;
    case 'atOnce':
      return `${restarted} at once`;
    case 'byOther':
      return STARTED_BY[start.by];
    case 'after':
      return `${restarted} after a back-off of ${countdown(start.delay)}, ${whenText(start.in)}`;
  }
}

/** The earliest and the latest time of something. */
export function whenText({ from, to = from }: Span): string {
  return inRange(from, to);
}

function unchangedText(type: ProbeType | undefined, stands: Result): string {
  switch (type) {
    case 'startup':
      return stands === 'success' ? 'stays started' : 'neither started nor restarted';
    case 'readiness':
      return stands === 'success' ? 'stays ready' : 'stays not ready';
    default:
      return 'not restarted';
  }
}

/** `1 success`, `3 failures in a row`; with `more`, `2 more failures`. */
export function inRow(result: 'success' | 'failure', count: number, more = false): string {
  const many = result === 'success' ? 'successes' : 'failures';
  if (more) return counted(count, `more ${result}`, `more ${many}`);
  return counted(count, result, `${many} in a row`);
}
