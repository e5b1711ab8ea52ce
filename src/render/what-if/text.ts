import type { ComparedDecision } from '../../trace/decisions.js';
import type { PodNumbers } from '../../trace/summary/pod-numbers.js';
import { escapeControl } from '../escape.js';
import { numbersTable } from './comparison.js';
import { seconds, table } from './table.js';

/** Attempts for which the recording had no answer of its own. */
export interface Guess {
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
  const { length, before, after, decisions, unobserved, astray, sentence } = report;
  const parts = [
    `${seconds(length)} recorded; simulated with the settings: ${escapeControl(sentence)}\n`,
    `\n${numbersTable(before, after, HEADS)}`,
    `\ndecisions\n${decisionsTable(decisions)}`,
    unobserved.length === 0
      ? ''
      : `\nnot observed: these attempts got the nearest recorded answer\n${unobserved.map((one) => `  ${guessText(one)}\n`).join('')}`,
    astray.length === 0
      ? ''
      : `\nwith the recorded settings the simulation takes these otherwise than the run: judge with care\n${decisionsTable(astray)}`,
  ];
  return parts.join('');
}

function decisionsTable(decisions: readonly ComparedDecision[]): string {
  const rows = decisions.map(({ container, what, before, after }) => [
    seconds(before),
    seconds(after),
    container,
    what,
  ]);
  return table([[...HEADS, '', ''], ...rows]);
}

function guessText({ container, probe, why, t, run, attempts, limit }: Guess): string {
  const count = attempts === 1 ? 'an attempt' : `${attempts} attempts`;
  const about = `${escapeControl(container)} ${probe}: ${count} of run ${run}, from ${seconds(t)} on`;
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
