import type { Clock, Timer } from '../clock/clock.js';
import { restartsOf, type Stability, stabilityOf } from '../schedule/stability.js';
import { counted } from '../text/count.js';
import { age, inSeconds } from '../text/duration.js';
import type { PodSummary, Summary } from '../trace/summary/summary.js';
import { reached, type Verdict } from '../trace/summary/verdict.js';
import type { Session } from './session.js';

type CountedSession = Pick<Session, 'summary' | 'now' | 'note'>;

/** Returns the verdict on pods that can no longer be stable; undefined while they may be. */
export function lostStability(summary: Summary): Verdict | undefined {
  const pods = summary.pods.filter(({ phase }) => phase !== 'Succeeded');
  const sentence = pods.map(leftEnded).find((text) => text !== undefined);
  if (sentence !== undefined) return { kind: 'doesNotHold', sentence };
  const verdict = reached({ ...summary, pods }, 'ready');
  return verdict?.kind === 'doesNotHold' ? verdict : undefined;
}

/** Names a container that has ended, and that nothing but the user starts again. */
function leftEnded({ key, containers }: PodSummary): string | undefined {
  for (const { name, runs } of containers) {
    const { endedAt, exitCode, restartedBy } = runs.at(-1) ?? {};
    if (endedAt === undefined || restartedBy !== 'user') continue;
    return `${key}: ${name} ended with exit code ${exitCode ?? '?'}, and nothing starts it again`;
  }
  return undefined;
}

export function stableVerdict({ summary, now }: CountedSession): Verdict {
  const { missing } = stabilityOf(summary, now);
  if (missing !== undefined) return { kind: 'doesNotHold', sentence: `not stable: ${missing}` };
  const { pods } = summary;
  const names =
    pods.length > 3 ? counted(pods.length, 'pod') : pods.map(({ key }) => key).join(', ');
  return { kind: 'holds', sentence: `${names} stable after ${now.toFixed(1)} s` };
}

/** Names the restarts of pods that are ready now and may not stay so; empty where there were none. */
export function restartsText({ summary, now }: CountedSession): string {
  const restarted = summary.pods.map((pod) => restartsOf(pod, now));
  const count = restarted.reduce((sum, pod) => sum + pod.count, 0);
  if (count === 0 || stabilityOf(summary, now).missing === undefined) return '';
  const seconds = Math.max(...restarted.map((pod) => pod.seconds));
  const time = seconds > 0 ? ` in ${age(seconds)}` : '';
  return `; restarted ${count} ×${time}: not stable (--until stable waits)`;
}

/** Seconds before the end at which it is announced again. */
const MARKS = [300, 120, 60, 30, 10];

/** Counts down the time until pods are stable, and starts over when one becomes unstable. */
export class StableCountdown {
  #timer: Timer | undefined;
  /** The last announcement, and the remaining seconds at which the next one is due. */
  #announced: Partial<Stability> = {};
  #nextMark = 0;

  constructor(
    private readonly clock: Clock,
    private readonly session: CountedSession,
    private readonly onStable: () => void,
  ) {}

  /** Computes the time again, after a change of the pods or when it has passed. */
  check(): void {
    this.#timer?.cancel();
    const { summary, now } = this.session;
    const stability = stabilityOf(summary, now);
    if (stability.missing === undefined) {
      this.onStable();
      return;
    }
    const left = stability.at - now;
    const isDue = this.#hasChanged(stability) || (!stability.isBlocked && left <= this.#nextMark);
    if (isDue) this.#nextMark = MARKS.find((mark) => mark < left - 1) ?? 0;
    if (!stability.isBlocked) {
      const wait = Math.ceil((left - this.#nextMark) * 1000);
      this.#timer = this.clock.setTimeout(() => this.check(), wait);
    }
    // This comes last: the note is a line, and a line calls this method again.
    if (isDue) this.#announce(stability, left);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #hasChanged({ at, isBlocked }: Stability): boolean {
    const last = this.#announced;
    if (isBlocked) return last.isBlocked !== true;
    return last.isBlocked !== false || at > (last.at ?? 0) + 1;
  }

  #announce(stability: Stability, left: number): void {
    this.#announced = stability;
    this.session.note('info', `stable at the earliest ${inSeconds(left)}: ${stability.missing}`);
  }
}
