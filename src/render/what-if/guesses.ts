import { secondsOrDash } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';

/** Attempts for which the recording had no answer of its own. */
export interface Guess {
  readonly pod: string;
  readonly container: string;
  readonly probe: string;
  readonly why: 'run' | 'endpoint' | 'before' | 'after' | 'timeout';
  readonly t: number;
  readonly run: number;
  readonly attempts: number;
  readonly limit?: number;
}

/** Where there are several pods, a container is named with its own. */
export type NameOf = (of: { readonly pod: string; readonly container: string }) => string;

export function nameAmong(pods: readonly string[]): NameOf {
  return ({ pod, container }) => (pods.length > 1 ? `${pod}/${container}` : container);
}

/** What a simulation had to guess, as a section of a report; nothing when it had not to. */
export function guesses(unobserved: readonly Guess[], name: NameOf): string {
  if (unobserved.length === 0) return '';
  const lines = unobserved.map((one) => `  ${guessText(one, name)}\n`).join('');
  return `\nnot observed: these attempts got the nearest recorded answer\n${lines}`;
}

function guessText(guess: Guess, name: NameOf): string {
  const { probe, why, t, run, attempts, limit } = guess;
  const count = attempts === 1 ? 'an attempt' : `${attempts} attempts`;
  const about = `${escapeControl(name(guess))} ${probe}: ${count} of run ${run}, from ${secondsOrDash(t)} on`;
  switch (why) {
    case 'run':
      return `${about}: there was no run ${run}, the last one was taken`;
    case 'endpoint':
      return `${about}: that was never asked, it is taken to succeed`;
    case 'before':
      return `${about}: the run was not asked before ${secondsOrDash(limit)} of its life`;
    case 'after':
      return `${about}: the run was not asked after ${secondsOrDash(limit)} of its life`;
    case 'timeout':
      return `${about}: recorded as not answered within ${secondsOrDash(limit)}; taken as never answered`;
  }
}
