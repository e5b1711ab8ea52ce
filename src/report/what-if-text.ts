import type { KubeletConfig } from '../kubelet/release.js';
import type { Unobserved } from '../sim/recorded/recorded-scenario.js';
import type { Silence, WhatIf } from '../sim/recorded/what-if.js';
import { formatSeconds, secondsOrDash } from '../text/duration.js';
import { escapeControl } from '../text/escape.js';
import { table } from '../text/table.js';
import type { ComparedDecision } from '../trace/decisions.js';
import type { PodNumbers } from '../trace/summary/pod-numbers.js';

export interface WhatIfReport extends Omit<
  WhatIf,
  'recorded' | 'unchanged' | 'changed' | 'verdict'
> {
  /** Present where another kubelet was played than the recorded one. */
  readonly kubelets?: { readonly recorded: KubeletConfig; readonly played: KubeletConfig };
  /** Differences between settings as given and as applied. */
  readonly notes: readonly string[];
  readonly sentence: string;
}

export function whatIfText(report: WhatIfReport): string {
  const { kubelets, length, silence, notes, before, after } = report;
  const { decisions, unobserved, deviations, sentence } = report;
  const name = nameAmong(before.map(({ pod }) => pod));
  const heads = ['recorded', kubelets === undefined ? 'with --set' : 'played'] as const;
  const parts = [
    kubelets === undefined
      ? ''
      : `recorded with Kubernetes ${kubeletText(kubelets.recorded)}, played as ${kubeletText(kubelets.played)}\n`,
    `${secondsOrDash(length)} recorded; simulated for as long with the settings: ${escapeControl(sentence)}\n`,
    silenceText(silence),
    ...notes.map((note) => `note: ${escapeControl(note)}\n`),
    `\n${numbersTable(before, after, heads)}`,
    `\ndecisions\n${decisionsTable(decisions, heads, name)}`,
    guesses(unobserved, name),
    deviations.length === 0
      ? ''
      : `\nwith the recorded settings the simulation decides these differently from the run: judge with care\n${decisionsTable(deviations, heads, name)}`,
  ];
  return parts.join('');
}

export function silenceText(silence: Silence | undefined): string {
  if (silence === undefined) return '';
  const { from, to } = silence;
  return `note: nothing was recorded from ${formatSeconds(from)} to ${formatSeconds(to)}: the simulation ends before that\n`;
}

function kubeletText(kubelet: KubeletConfig): string {
  const { version, featureGates = {}, maxContainerRestartPeriod: max } = kubelet;
  const settings = [
    ...Object.entries(featureGates).map(([gate, isOn]) => `${gate}=${isOn}`),
    ...(max === undefined ? [] : [`back-offs of at most ${max} s`]),
  ];
  return settings.length === 0 ? version : `${version} with ${settings.join(', ')}`;
}

function decisionsTable(
  decisions: readonly ComparedDecision[],
  heads: readonly [string, string],
  name: GetContainerName,
): string {
  const rows = decisions.map((decision) => [
    secondsOrDash(decision.before),
    secondsOrDash(decision.after),
    name(decision),
    decision.what,
  ]);
  return table([[...heads, '', ''], ...rows]);
}

export function numbersTable(
  before: readonly PodNumbers[],
  after: readonly PodNumbers[],
  heads: readonly [string, string],
): string {
  const rows = before.flatMap((old) => {
    const now = after.find(({ pod }) => pod === old.pod);
    return now === undefined
      ? []
      : numberRows(old, now).map(([what, ...both]) => [`${now.pod} ${what}`, ...both]);
  });
  return table([['', ...heads], ...rows]);
}

export function numberRows(old: PodNumbers, now: PodNumbers): [string, string, string][] {
  const restarts = Object.keys(now.restarts).map((name): [string, string, string] => [
    `restarts of ${name}`,
    String(old.restarts[name] ?? 0),
    String(now.restarts[name] ?? 0),
  ]);
  return [
    ['ready after', secondsOrDash(old.readyAfter), secondsOrDash(now.readyAfter)],
    ['ready for', secondsOrDash(old.readyFor), secondsOrDash(now.readyFor)],
    ...restarts,
  ];
}

/** Returns the name of a container, with its pod where there are several. */
type GetContainerName = (of: { readonly pod: string; readonly container: string }) => string;

export function nameAmong(pods: readonly string[]): GetContainerName {
  return ({ pod, container }) => (pods.length > 1 ? `${pod}/${container}` : container);
}

export function guesses(unobserved: readonly Unobserved[], name: GetContainerName): string {
  if (unobserved.length === 0) return '';
  const lines = unobserved.map((guess) => `  ${guessText(guess, name)}\n`).join('');
  return `\nnot observed: the answers to these attempts are estimates\n${lines}`;
}

function guessText(guess: Unobserved, name: GetContainerName): string {
  const { probe, basis, t, run, attempts, limit } = guess;
  const count = attempts === 1 ? 'an attempt' : `${attempts} attempts`;
  const subject = `${escapeControl(name(guess))} ${probe}: ${count} of run ${run}, from ${secondsOrDash(t)} on`;
  const life = `${secondsOrDash(limit)} of its life`;
  const texts: Readonly<Record<Unobserved['basis'], string>> = {
    run: `there was no run ${run}, the last one was taken`,
    endpoint: 'never recorded, assumed to succeed',
    before: `the run was not asked before ${life}`,
    after: `the run was not asked after ${life}`,
    continued: `the run was not asked after ${life}; it goes on as in its other attempts and runs`,
    tail: `not answered within ${secondsOrDash(limit)}; drawn from a tail fitted to the other latencies`,
    trial: `not answered within ${secondsOrDash(limit)}; taken as answered as late as a trial with a longer timeout was`,
    outage: `not answered within ${secondsOrDash(limit)}; taken as answered when the next attempt was`,
    timeout: `not answered within ${secondsOrDash(limit)}; taken as never answered`,
  };
  return `${subject}: ${texts[basis]}`;
}
