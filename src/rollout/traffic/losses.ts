import type { ServedPod, ServerRun } from './pod-fact.js';

export type LossCause =
  | 'noEndpoint'
  | 'refusedAfterTerm'
  | 'refusedBeforeListening'
  | 'refusedDuringRestart'
  | 'cutAtExit'
  | 'cutAtKill'
  | 'cutAtRestart'
  | 'cutAtCrash'
  | 'timedOut'
  | 'dependencyDown'
  | 'errorAnswer';

/** A change that saves requests. */
export type LossRemedy =
  | {
      readonly kind: 'preStopSleep';
      readonly seconds: number;
      /** Set where the grace period is too short for it. */
      readonly gracePeriodSeconds?: number;
    }
  | { readonly kind: 'gracePeriod'; readonly seconds: number }
  /** The app needs this long after TERM to finish its requests. */
  | { readonly kind: 'finishRequests'; readonly seconds: number }
  | { readonly kind: 'stopServingAtTerm' }
  | { readonly kind: 'readinessProbe' };

export interface Loss {
  readonly cause: LossCause;
  readonly count: number;
  /** When the first and the last of them failed, in milliseconds since the simulation began. */
  readonly from: number;
  readonly to: number;
  readonly pods: number;
  readonly remedy?: LossRemedy;
}

/** Times are in milliseconds since the simulation began. */
export interface FailedRequest {
  readonly cause: LossCause;
  readonly sentAt: number;
  readonly failedAt: number;
  /** When the answer would have been complete. */
  readonly answerAt: number;
  readonly pod?: ServedPod;
  readonly run?: ServerRun;
}

interface Tally {
  count: number;
  from: number;
  to: number;
  readonly pods: Set<ServedPod>;
  /** The longest time, in milliseconds, from a pod's deletion or from TERM to a request or the end of its answer. */
  sinceDeletion: number;
  sinceTerm: number;
  /** Milliseconds of the container's life after TERM. */
  stopTook: number;
  gracePeriodSeconds: number;
}

export class Losses {
  readonly #tallies = new Map<LossCause, Tally>();

  add(failed: FailedRequest): void {
    const { cause, failedAt, pod } = failed;
    const tally = this.#tallies.get(cause) ?? newTally();
    this.#tallies.set(cause, tally);
    tally.count++;
    tally.from = Math.min(tally.from, failedAt);
    tally.to = Math.max(tally.to, failedAt);
    if (pod !== undefined) tally.pods.add(pod);
    if (pod !== undefined && pod.deletedAt < Infinity) measure(tally, failed, pod);
  }

  /** Returns the losses, the largest first; connections are refused for at most `propagation` ms after a deletion. */
  list(propagation: number, servesAfterTerm: boolean): readonly Loss[] {
    return [...this.#tallies]
      .map(([cause, tally]): Loss => {
        const { count, from, to, pods } = tally;
        const remedy = remedyOf(cause, tally, propagation, servesAfterTerm);
        return { cause, count, from, to, pods: pods.size, ...(remedy && { remedy }) };
      })
      .sort((a, b) => b.count - a.count);
  }
}

function newTally(): Tally {
  return {
    count: 0,
    from: Infinity,
    to: 0,
    pods: new Set(),
    sinceDeletion: 0,
    sinceTerm: 0,
    stopTook: 0,
    gracePeriodSeconds: Infinity,
  };
}

function measure(
  tally: Tally,
  { cause, sentAt, answerAt, run }: FailedRequest,
  pod: ServedPod,
): void {
  const end = cause === 'refusedAfterTerm' ? sentAt : answerAt;
  tally.sinceDeletion = Math.max(tally.sinceDeletion, end - pod.deletedAt);
  tally.gracePeriodSeconds = Math.min(tally.gracePeriodSeconds, pod.gracePeriodSeconds);
  if (run === undefined || run.termAt === Infinity) return;
  tally.sinceTerm = Math.max(tally.sinceTerm, end - run.termAt);
  tally.stopTook = Math.max(tally.stopTook, run.endedAt - run.termAt);
}

function remedyOf(
  cause: LossCause,
  tally: Tally,
  propagation: number,
  servesAfterTerm: boolean,
): LossRemedy | undefined {
  switch (cause) {
    case 'refusedAfterTerm':
      return preStopSleep(tally, propagation);
    case 'cutAtKill':
      if (servesAfterTerm) return { kind: 'stopServingAtTerm' };
      return { kind: 'gracePeriod', seconds: secondsAfter(tally.sinceDeletion) };
    case 'cutAtExit':
      if (servesAfterTerm) return { kind: 'stopServingAtTerm' };
      return { kind: 'finishRequests', seconds: Math.ceil(tally.sinceTerm) / 1000 };
    case 'refusedBeforeListening':
      return { kind: 'readinessProbe' };
    default:
      return undefined;
  }
}

function preStopSleep(tally: Tally, propagation: number): LossRemedy {
  const { sinceDeletion, stopTook, gracePeriodSeconds } = tally;
  const seconds = secondsAfter(Math.max(sinceDeletion, propagation));
  const needed = seconds + Math.ceil((Number.isFinite(stopTook) ? stopTook : 0) / 1000);
  const tooLong = needed > gracePeriodSeconds;
  return { kind: 'preStopSleep', seconds, ...(tooLong && { gracePeriodSeconds: needed }) };
}

/** Returns the next whole second after these milliseconds. */
function secondsAfter(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) + 1;
}
