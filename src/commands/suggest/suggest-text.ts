import { podKind } from '../../api/admission/index.js';
import { dumpYaml } from '../../manifest/documents/dump-yaml.js';
import { settingsText } from '../../report/probe-text.js';
import {
  guesses,
  nameAmong,
  numbersTable,
  silenceText,
  type WhatIfReport,
} from '../../report/what-if-text.js';
import { SIMULATED_RESTARTS_COMMAND, type Trade } from '../../suggest/proposed-settings.js';
import {
  changed,
  type PodSuggestions,
  type Suggestion,
  type Unanswered,
} from '../../suggest/suggest.js';
import { counted } from '../../text/count.js';
import { secondsOrDash } from '../../text/duration.js';
import { escapeControl } from '../../text/escape.js';
import { wrapText } from '../../text/line.js';
import { table } from '../../text/table.js';

export interface SuggestReport extends Pick<
  WhatIfReport,
  'before' | 'after' | 'unobserved' | 'silence'
> {
  readonly pods: readonly PodSuggestions[];
}

/** Proposed settings with their reasons, as text that is a YAML patch: the reasons are its comments. */
export function suggestText({ pods, before, after, unobserved, silence }: SuggestReport): string {
  const name = nameAmong(pods.map(({ pod }) => pod));
  const simulation = `simulated over the recording\n${silenceText(silence)}${numbersTable(before, after, ['recorded', 'proposed'])}${guesses(unobserved, name)}`;
  const use = pods.filter(({ patch }) => patch !== undefined).map(useOf);
  const sections = [...pods.map(podText), simulation, ...use];
  return `${commented(sections.join('\n'))}${patches(pods)}`;
}

export function patches(pods: readonly PodSuggestions[]): string {
  return pods.flatMap(({ patch }) => (patch === undefined ? [] : dumpYaml(patch))).join('---\n');
}

function podText({ pod, source, suggestions, unanswered, patch }: PodSuggestions): string {
  const { kind, name } = source;
  const from = kind === 'Pod' ? '' : ` of ${kind} ${name}`;
  const head = escapeControl(`${pod}${from}`);
  const open = unanswered.map(unansweredText).join('');
  if (suggestions.length === 0) {
    return `${head}\nnothing to propose: no probe succeeded in the recording\n${open}`;
  }
  const unchanged = patch === undefined ? '\nnothing to change\n' : '';
  return `${head}\n${suggestions.map(suggestionText).join('')}${open}${unchanged}`;
}

function unansweredText({ container, probe, seconds, timedOut, killed }: Unanswered): string {
  const start = `a start takes more than ${seconds.toFixed(1)} s, the longest time seen, or the probe is wrong`;
  const patient = timedOut ? ' with a longer timeoutSeconds, as all attempts timed out' : '';
  const measured = killed
    ? `to measure it, record a process that lives on${patient}: ${SIMULATED_RESTARTS_COMMAND}`
    : `to measure it, record for longer${patient}`;
  return [
    '',
    `${escapeControl(container)} ${probe}: no attempt succeeded`,
    ...[start, measured].flatMap(listItem),
    '',
  ].join('\n');
}

/** Objects whose probes the API server does not let change. */
const FIXED = ['Pod', 'Job'];

function useOf({ pod, source: { kind, name } }: PodSuggestions): string {
  const namespace = pod.slice(0, pod.indexOf('/'));
  const patch = '--type strategic --patch-file PATCH.yaml';
  if (podKind(kind) === undefined) {
    return `kubectl cannot merge the patch into a ${escapeControl(kind)}: copy its probes to the pod template\n`;
  }
  if (FIXED.includes(kind)) {
    return `the probes of a ${kind} cannot be changed while it is there; in its manifest:\n  kubectl patch --local -f MANIFEST.yaml ${patch} -o yaml\n`;
  }
  const where = namespace === 'default' ? '' : ` -n ${namespace}`;
  return `${escapeControl(`apply it: kubectl patch ${kind.toLowerCase()} ${name}${where} ${patch}`)}\n`;
}

function commented(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join('');
}

function suggestionText(suggestion: Suggestion): string {
  const { container, role, probe, before, after, reasons, trades, runs, attempts } = suggestion;
  const isKept = before !== undefined && Object.keys(changed(before, after)).length === 0;
  const was = before === undefined ? 'none' : settings(before);
  const few = runs === 1 ? '; one start is little evidence' : '';
  const size = `${counted(attempts, 'attempt')} in ${counted(runs, 'run')}${few}`;
  return [
    '',
    `${escapeControl(container)}${role === 'sidecar' ? ' (sidecar)' : ''} ${probe}: ${settings(after)}`,
    isKept ? '  as it is' : `  was: ${was}`,
    `  measured: ${size}`,
    ...reasons.flatMap(listItem),
    ...(trades.length === 0 ? [] : [tradesTable(trades, after.failureThreshold).trimEnd()]),
    '',
  ].join('\n');
}

/** Reasons are read in an editor, or on a terminal of 80 columns. */
const COLUMNS = 74;

function listItem(reason: string): string[] {
  return wrapText(reason, COLUMNS).map((row, index) => `  ${index === 0 ? '-' : ' '} ${row}`);
}

function settings(probe: Suggestion['after']): string {
  const delay = probe.initialDelaySeconds;
  return `${settingsText(probe)}${delay === 0 ? '' : `, from ${delay} s on`}`;
}

function tradesTable(trades: readonly Trade[], chosen: number): string {
  const byChance = trades.some(({ chance }) => chance !== undefined);
  const rows = trades.map(({ failureThreshold, detects, falseAlarms, chance }) => [
    `${failureThreshold}`,
    secondsOrDash(detects),
    `${falseAlarms} recorded`,
    ...(byChance ? [chance === undefined ? '–' : `one in ${roughly(chance)}`] : []),
    failureThreshold === chosen ? '← this' : '',
  ]);
  const heads = ['to fail', 'a hang is seen within', 'false alarms'];
  return table([[...heads, ...(byChance ? ['by chance'] : []), ''], ...rows]);
}

const UNITS = [
  ['years', 365 * 86_400],
  ['days', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `3 h`, `12 days` */
function roughly(time: number): string {
  const [unit, size] = UNITS.find(([, each]) => time >= 2 * each) ?? (['s', 1] as const);
  return `${Math.min(1000, Math.round(time / size))} ${unit}`;
}
