import type { ComparedDecision } from '../../trace/decisions.js';
import type { PodNumbers } from '../../trace/summary/pod-numbers.js';
import { secondsOrDash } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import { table } from '../text/table.js';
import { numbersTable } from './comparison.js';
import { type Guess, guesses, nameAmong, type NameOf } from './guesses.js';

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
  const name = nameAmong(before.map(({ pod }) => pod));
  const parts = [
    `${secondsOrDash(length)} recorded; simulated with the settings: ${escapeControl(sentence)}\n`,
    ...notes.map((note) => `note: ${escapeControl(note)}\n`),
    `\n${numbersTable(before, after, HEADS)}`,
    `\ndecisions\n${decisionsTable(decisions, name)}`,
    guesses(unobserved, name),
    astray.length === 0
      ? ''
      : `\nwith the recorded settings the simulation takes these otherwise than the run: judge with care\n${decisionsTable(astray, name)}`,
  ];
  return parts.join('');
}

function decisionsTable(decisions: readonly ComparedDecision[], name: NameOf): string {
  const rows = decisions.map((decision) => [
    secondsOrDash(decision.before),
    secondsOrDash(decision.after),
    name(decision),
    decision.what,
  ]);
  return table([[...HEADS, '', ''], ...rows]);
}
