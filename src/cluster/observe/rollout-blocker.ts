import type { Advice } from '../../diagnosis/change.js';
import { diagnosePod } from '../../diagnosis/diagnosis.js';
import { type Diagnosis, isFailing, URGENCIES } from '../../diagnosis/fault.js';
import { changeText, waitingText } from '../../diagnosis/words.js';
import { isPodReady } from '../../trace/summary/condition-view.js';
import { currentRun, hasCompleted } from '../../trace/summary/container-view.js';
import { verdictOfAttempt } from '../../trace/summary/probe-view.js';
import { findContainer, type PodSummary } from '../../trace/summary/summary.js';

export function advised(text: string, advice: Advice | undefined): string {
  return advice === undefined ? text : `${text}. ${changeText({ kind: 'advice', advice })}`;
}

/** A sentence about what holds up a rollout, without times and with them. */
export interface Reason {
  readonly timeless: string | undefined;
  readonly timed: string | undefined;
}

interface PodReason extends Reason {
  /** Index in URGENCIES, or their number without a diagnosis. */
  readonly urgency: number;
  readonly isAdvised: boolean;
}

/** Returns why the new pod that needs help the most is not ready. */
export function unreadyReason(newPods: readonly PodSummary[], t: number, isLate: boolean): Reason {
  const reasons = newPods
    .filter((pod) => !isPodReady(pod) && pod.phase !== 'Succeeded')
    .map((pod) => podReason(pod, t))
    .sort((a, b) => a.urgency - b.urgency);
  const [worst] = reasons;
  if (worst === undefined) return { timeless: undefined, timed: undefined };
  const more = reasons.length === 1 ? '' : ` (and ${reasons.length - 1} more)`;
  // If nothing else is advised for any pod, they may only need longer than the deadline.
  const raise = { do: 'raise', field: 'progressDeadlineSeconds', when: 'slowStart' } as const;
  const needsTime = isLate && reasons.every(({ isAdvised }) => !isAdvised);
  const whole = (text = ''): string => advised(`${text}${more}`, needsTime ? raise : undefined);
  return { timeless: whole(worst.timeless), timed: whole(worst.timed) };
}

function podReason(pod: PodSummary, t: number): PodReason {
  const { name } = pod.object.metadata;
  const { restartPolicy } = pod.object.spec;
  const plain = (text: string, advice?: Advice): PodReason => {
    const sentence = advised(text, advice);
    const isAdvised = advice !== undefined;
    return { urgency: URGENCIES.length, isAdvised, timeless: sentence, timed: sentence };
  };
  const [diagnosis] = diagnosePod(pod, t).filter(isFailing);
  if (diagnosis !== undefined) return diagnosedReason(pod, diagnosis, t);
  const waiting = pod.containers.find(({ ready, role }) => !ready && role !== 'init');
  if (waiting === undefined) return plain(`waiting for ${name}`);
  const { state } = waiting;
  const running = pod.containers.find((each) => each.role === 'container' && currentRun(each));
  if (hasCompleted(state) && running !== undefined && restartPolicy !== 'Always') {
    const advice = { do: 'makeSidecar', container: running.name } as const;
    return plain(`waiting for the end of ${running.name} in ${name}`, advice);
  }
  const stage = waiting.started || state.kind !== 'running' ? 'readiness' : 'startup';
  const text =
    state.kind === 'waiting' ? state.reason : state.kind === 'terminated' ? state.text : '';
  return plain(`waiting for ${stage} of ${name} ${waiting.name}${text === '' ? '' : `: ${text}`}`);
}

function diagnosedReason(pod: PodSummary, diagnosis: Diagnosis, t: number): PodReason {
  const { container, probe } = diagnosis.subject;
  const { name } = pod.object.metadata;
  const timeless = waitingText(name, diagnosis);
  const urgency = URGENCIES.indexOf(diagnosis.urgency);
  const reason = { urgency, isAdvised: diagnosis.changes.length > 0, timeless };
  if (probe === undefined) return { ...reason, timed: timeless };
  const view = findContainer(pod, container);
  const attempts = view?.probes.find(({ type }) => type === probe)?.attempts ?? [];
  const last = attempts.findLastIndex((each) => verdictOfAttempt(each) === 'success');
  const since = attempts[last + 1]?.startedAt ?? t;
  return { ...reason, timed: waitingText(name, diagnosis, t - since) };
}
