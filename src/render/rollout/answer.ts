import type { DrainOutcome, RolloutOutcome } from '../../rollout/rollout.js';
import { blockersOf } from '../../rollout/workload.js';
import { counted } from '../text/count.js';
import { formatSeconds } from '../text/duration.js';
import { type Line, span } from '../text/line.js';

/** Most blockers that are shown. */
const MOST_BLOCKERS = 3;

/** The answer in the first lines: rolled out or not, when, the least ready replicas, what blocks. */
export function answerLines(outcome: RolloutOutcome): readonly Line[] {
  return [
    headline(outcome),
    ...(outcome.wasAvailable ? [] : [labelled('before', 'not all old replicas were available')]),
    labelled('ready', readyText(outcome)),
    ...deadlineLines(outcome),
    ...outcome.drains.map(drainLine),
    ...blockerLines(outcome),
  ];
}

function headline({ kind, name, rollout, counts, length, leastReady }: RolloutOutcome): Line {
  const subject = `${kind} ${name}: `;
  const { wanted, updated, available } = counts;
  if (rollout === undefined) {
    const isUp = available >= wanted;
    const verdict = `${available} of ${wanted} replicas are available after ${formatSeconds(length)}`;
    const isBad = !isUp || leastReady.count === 0;
    return [span(subject, 'strong'), span(verdict, isBad ? 'bad' : 'good')];
  }
  if (rollout.doneAt !== undefined) {
    const verdict = `rolled out in ${formatSeconds(rollout.doneAt)}`;
    return [span(subject, 'strong'), span(verdict, 'good')];
  }
  const verdict = `not rolled out after ${formatSeconds(length)}: `;
  const state = `${updated} of ${wanted} replicas are new, ${available} are available`;
  return [span(subject, 'strong'), span(verdict, 'bad'), span(state)];
}

function readyText({ counts, leastReady }: RolloutOutcome): string {
  const { count, t } = leastReady;
  const replicas = `of ${counts.wanted} replicas`;
  if (count >= counts.wanted) return `never fewer than ${counts.wanted} ${replicas}`;
  return `at least ${count} ${replicas}, ${t === 0 ? 'from the start' : `first at ${formatSeconds(t)}`}`;
}

function deadlineLines({ rollout, length }: RolloutOutcome): readonly Line[] {
  const { doneAt, deadlineAt, progressDeadlineSeconds, progressCount = 0 } = rollout ?? {};
  if (deadlineAt !== undefined) {
    return [labelled('deadline', `ProgressDeadlineExceeded at ${formatSeconds(deadlineAt)}`)];
  }
  if (rollout === undefined || doneAt !== undefined) return [];
  if (progressDeadlineSeconds === undefined) return [];
  const name = `progressDeadlineSeconds (${progressDeadlineSeconds})`;
  const text =
    length <= progressDeadlineSeconds + 1
      ? `${name} ends after this simulation: simulate longer with --for`
      : `${name} has not run out: ${counted(progressCount, 'sign')} of progress started it again; a rise of ready replicas counts, also when readiness flaps`;
  return [labelled('deadline', text)];
}

function blockerLines(outcome: RolloutOutcome): readonly Line[] {
  const blockers = blockersOf(outcome);
  return blockers
    .slice(0, MOST_BLOCKERS)
    .map(({ reason, pods }) =>
      labelled('blocked', pods === undefined ? reason : `${counted(pods, 'pod')}: ${reason}`),
    );
}

function drainLine({ node, t, emptyAt, refused, error = '' }: DrainOutcome): Line {
  const begin = `${node} at ${formatSeconds(t)}: `;
  const retries = refused === 0 ? '' : `; ${counted(refused, 'eviction')} refused: ${error}`;
  const end =
    emptyAt === undefined ? 'not empty at the end' : `empty after ${formatSeconds(emptyAt - t)}`;
  return labelled('drain', `${begin}${end}${retries}`);
}

const LABEL_WIDTH = 10;

function labelled(label: string, text: string): Line {
  return [span(`  ${label.padEnd(LABEL_WIDTH)}`, 'dim'), span(text)];
}
