import type { ComparedDecision } from '../../trace/decisions.js';
import type { PodNumbers } from '../../trace/summary/pod-numbers.js';
import { escapeControl } from '../escape.js';
import { numbersTable } from './comparison.js';
import { seconds, table } from './table.js';

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

export interface WhatIfReport {
  /** Seconds. */
  readonly length: number;
  /** What has become of the settings, where that is not what was written. */
  readonly notes: readonly string[];
  readonly before: readonly PodNumbers[];
  readonly after: readonly PodNumbers[];
  readonly decisions: readonly ComparedDecision[];
  readonly unobserved: readonly Guess[];
  readonly astray: readonly ComparedDecision[];
  /** What the simulated run came to. */
  readonly sentence: string;
}

const HEADS = ['recorded', 'with --set'] as const;

/** A recorded run beside what it would have been, for people. */
export function whatIfText(report: WhatIfReport): string {
  const { length, notes, before, after, decisions, unobserved, astray, sentence } = report;
  const name = nameOf(report);
  const parts = [
    `${seconds(length)} recorded; simulated with the settings: ${escapeControl(sentence)}\n`,
    ...notes.map((note) => `note: ${escapeControl(note)}\n`),
    `\n${numbersTable(before, after, HEADS)}`,
    `\ndecisions\n${decisionsTable(decisions, name)}`,
    unobserved.length === 0
      ? ''
      : `\nnot observed: these attempts got the nearest recorded answer\n${unobserved.map((one) => `  ${guessText(one, name)}\n`).join('')}`,
    astray.length === 0
      ? ''
      : `\nwith the recorded settings the simulation takes these otherwise than the run: judge with care\n${decisionsTable(astray, name)}`,
  ];
  return parts.join('');
}

/** Where there are several pods, a container is named with its own. */
type NameOf = (of: { readonly pod: string; readonly container: string }) => string;

function nameOf({ before }: WhatIfReport): NameOf {
  return ({ pod, container }) => (before.length > 1 ? `${pod}/${container}` : container);
}

function decisionsTable(decisions: readonly ComparedDecision[], name: NameOf): string {
  const rows = decisions.map((decision) => [
    seconds(decision.before),
    seconds(decision.after),
    name(decision),
    decision.what,
  ]);
  return table([[...HEADS, '', ''], ...rows]);
}

function guessText(guess: Guess, name: NameOf): string {
  const { probe, why, t, run, attempts, limit } = guess;
  const count = attempts === 1 ? 'an attempt' : `${attempts} attempts`;
  const about = `${escapeControl(name(guess))} ${probe}: ${count} of run ${run}, from ${seconds(t)} on`;
  switch (why) {
    case 'run':
      return `${about}: there was no run ${run}, the last one was taken`;
    case 'endpoint':
      return `${about}: that was never asked, it is taken to succeed`;
    case 'before':
      return `${about}: the run was not asked before ${seconds(limit)} of its life`;
    case 'after':
      return `${about}: the run was not asked after ${seconds(limit)} of its life`;
    case 'timeout':
      return `${about}: recorded as not answered within ${seconds(limit)}; taken as never answered`;
  }
}
