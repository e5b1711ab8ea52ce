import type { Tone } from '../text/line.js';
import type { ProbeType, RestartedBy, Result } from '../trace/event.js';
import type { PendingResult } from '../trace/forecast.js';

/** Seconds from now; without `to` there is no latest time. */
export interface Span {
  readonly from: number;
  readonly to?: number | undefined;
}

/** A start that follows an end: none, at once, or after a back-off of `delay` seconds. */
export type NextStart =
  | { readonly kind: 'none' | 'atOnce' }
  | { readonly kind: 'byOther'; readonly by: RestartedBy }
  | { readonly kind: 'after'; readonly delay: number; readonly in: Span };

/** The kubelet's next action on a container or on what a probe says. */
export type NextStep =
  | { readonly kind: 'retryStart'; readonly pulls: boolean }
  | { readonly kind: 'waitsFor'; readonly container: string }
  | { readonly kind: 'hook'; readonly hook: string }
  | { readonly kind: 'ifEnded'; readonly delay: number; readonly in: Span }
  | { readonly kind: 'preStop'; readonly signal: string }
  | {
      readonly kind: 'stopping';
      readonly signal: string;
      readonly killIn: number;
      readonly start: NextStart;
    }
  | { readonly kind: 'ended'; readonly start: NextStart }
  | { readonly kind: 'backOff'; readonly delay: number; readonly in: Span }
  | { readonly kind: 'errors'; readonly stands: Result }
  | {
      readonly kind: 'turn';
      readonly to: PendingResult['to'];
      readonly needed: number;
      /** Some of the results that it takes are there already. */
      readonly begun: boolean;
      readonly in: Span;
      /** How the container is killed and started again, where a failed probe has that effect. */
      readonly kill?:
        | {
            readonly simulated: boolean;
            readonly signal: string;
            readonly grace: number;
            readonly start: NextStart;
          }
        | undefined;
    };

/** The most urgent come first. */
export const ORDER = ['ending', 'kill', 'notReady', 'errors', 'success', 'calm', 'later'] as const;

export interface Outlook {
  readonly container: string;
  readonly probe?: ProbeType | undefined;
  readonly step: NextStep;
  readonly tone: Tone;
  /** The most urgent come first, and of one urgency those that take the fewest results. */
  readonly urgency: (typeof ORDER)[number];
}
