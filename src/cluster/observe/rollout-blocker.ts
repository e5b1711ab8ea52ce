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

/** The sentence without and with times. */
export type Sentences = readonly [stable: string | undefined, passing: string | undefined];

interface Blocker {
  /** The worst blocker has the lowest order. */
  readonly order: number;
  readonly isAdvised: boolean;
  readonly sentences: Sentences;
}

/** Returns the new pod that holds up the rollout, and the reason. */
export function blocker(newPods: readonly PodSummary[], t: number, isLate: boolean): Sentences {
  const blockers = newPods
    .filter((pod) => !isPodReady(pod) && pod.phase !== 'Succeeded')
    .map((pod) => podBlocker(pod, t))
    .sort((a, b) => a.order - b.order);
  const [worst] = blockers;
  if (worst === undefined) return [undefined, undefined];
  const more = blockers.length === 1 ? '' : ` (and ${blockers.length - 1} more)`;
  // If nothing else is advised for any pod, they may only need longer than the deadline.
  const raise = { do: 'raise', field: 'progressDeadlineSeconds', when: 'slowStart' } as const;
  const isOpen = isLate && blockers.every(({ isAdvised }) => !isAdvised);
  const [stable, passing] = worst.sentences.map((each) =>
    advised(`${each ?? ''}${more}`, isOpen ? raise : undefined),
  );
  return [stable, passing];
}

function podBlocker(pod: PodSummary, t: number): Blocker {
  const { name } = pod.object.metadata;
  const { restartPolicy } = pod.object.spec;
  const plain = (text: string, advice?: Advice): Blocker => {
    const sentence = advised(text, advice);
    const [order, isAdvised] = [URGENCIES.length, advice !== undefined];
    return { order, isAdvised, sentences: [sentence, sentence] };
  };
  const [diagnosis] = diagnosePod(pod, t).filter(isFailing);
  if (diagnosis !== undefined) return diagnosed(pod, diagnosis, t);
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

/** The sentences of a pod that has a diagnosis. */
function diagnosed(pod: PodSummary, diagnosis: Diagnosis, t: number): Blocker {
  const { container, probe } = diagnosis.subject;
  const order = URGENCIES.indexOf(diagnosis.urgency);
  const isAdvised = diagnosis.changes.length > 0;
  const stable = waitingText(pod.object.metadata.name, diagnosis);
  if (probe === undefined) return { order, isAdvised, sentences: [stable, stable] };
  const view = findContainer(pod, container);
  const attempts = view?.probes.find(({ type }) => type === probe)?.attempts ?? [];
  const last = attempts.findLastIndex((each) => verdictOfAttempt(each) === 'success');
  const since = attempts[last + 1]?.startedAt ?? t;
  return {
    order,
    isAdvised,
    sentences: [stable, waitingText(pod.object.metadata.name, diagnosis, t - since)],
  };
}
