import type { AttemptTimings } from '../../../kubelet/ports.js';
import type { AttemptView } from '../../../trace/summary/probe-view.js';
import { attemptSign, attemptTone, resultWord } from '../../attempt-result.js';
import { hintFor } from '../../hints/hint-for.js';
import { age, formatLatency } from '../../text/duration.js';
import { EMPTY_LINE, type Line, line, span } from '../../text/line.js';
import { effectWord, field, FIELD_WIDTH, heading, indented } from '../format.js';
import { findProbeIn, type FoundProbe } from '../selection.js';
import type { Snapshot } from '../state.js';
import { filteredBody, NO_BODY, type ViewKind } from './view.js';

/** One attempt, whole. */
export const attemptView: ViewKind = {
  title: (snapshot) => {
    const found = foundOf(snapshot);
    if (found === undefined) return 'attempt';
    const { container, probe, attempt, index } = found;
    const which =
      attempt === undefined ? 'no attempt yet' : `attempt ${index + 1} of ${probe.attempts.length}`;
    return `${container.name}/${probe.type}: ${which}`;
  },
  show(snapshot) {
    const found = foundOf(snapshot);
    if (found?.attempt === undefined) {
      return { head: [{ line: line('no attempt has ended yet', 'dim') }], body: NO_BODY, tail: [] };
    }
    const lines = attemptLines(found, found.attempt, snapshot);
    const body = filteredBody(`attempt ${found.attempt.startedAt}`, lines, snapshot.ui);
    return { head: [], body, tail: [] };
  },
  press(snapshot, key) {
    const step = { left: -1, h: -1, right: 1 }[key];
    const found = foundOf(snapshot);
    if (step === undefined || found === undefined) return undefined;
    const next = found.probe.attempts[found.index + step];
    if (next === undefined) return { ui: snapshot.ui };
    const { ui } = snapshot;
    const overlay = ui.overlays.at(-1);
    if (overlay?.kind !== 'attempt') return undefined;
    const { startedAt } = next;
    return { ui: { ...ui, overlays: [...ui.overlays.slice(0, -1), { ...overlay, startedAt }] } };
  },
  keys: [
    { key: '← →', word: 'attempts', sentence: 'the attempt before, the one after' },
    { key: 'j k', word: 'scroll', sentence: 'scroll' },
    { key: 'w', word: 'wrap', sentence: 'wrap long lines, or cut them off' },
    { key: 'esc', word: 'back', sentence: 'back' },
  ],
};

interface FoundAttempt extends FoundProbe {
  readonly attempt: AttemptView | undefined;
  readonly index: number;
}

/** The attempt that is looked at; the latest when it is not said which, or when it is no longer known. */
function foundOf({ summary, ui }: Snapshot): FoundAttempt | undefined {
  const overlay = ui.overlays.findLast(({ kind }) => kind === 'attempt');
  if (overlay?.kind !== 'attempt') return undefined;
  const found = findProbeIn(summary, overlay);
  if (found === undefined) return undefined;
  const { attempts } = found.probe;
  const at = attempts.findIndex(({ startedAt }) => startedAt === overlay.startedAt);
  const index = at === -1 ? attempts.length - 1 : at;
  return { ...found, attempt: attempts[index], index };
}

/** Everything that is known of an attempt. */
export function attemptLines(found: FoundProbe, attempt: AttemptView, snapshot: Snapshot): Line[] {
  const { size, about, now } = snapshot;
  const width = size.columns;
  const hint = about.hints ? hintFor(found, attempt) : undefined;
  return [
    ...field('result', resultText(attempt), width, attemptTone(attempt)),
    ...said(attempt, width),
    ...(hint === undefined ? [] : field('hint', hint, width, 'info')),
    ...field('count', countText(attempt), width),
    ...field('led to', ledTo(found, attempt), width),
    ...field('when', whenText(attempt, now), width),
    EMPTY_LINE,
    ...detailLines(attempt, snapshot),
  ];
}

function resultText(attempt: AttemptView): string {
  const word = resultWord(attempt);
  const tries = attempt.tries > 1 ? `, ${attempt.tries} tries` : '';
  const what = attempt.error === undefined ? attempt.result : 'error, which counts for nothing';
  return `${attemptSign(attempt)} ${what}${word === '' || word === attempt.result ? '' : ` (${word})`} in ${formatLatency(attempt.latency)}${tries}`;
}

/** What the kubelet's event says, or would. */
function said({ output, error }: AttemptView, width: number): Line[] {
  const text = (error ?? output).trim();
  return text === '' ? [] : field(error === undefined ? 'output' : 'error', text, width);
}

/** The run before and after. */
function countText({ before, lastResult, resultRun, threshold, error }: AttemptView): string {
  const was =
    before.lastResult === undefined ? 'nothing' : runText(before.lastResult, before.resultRun);
  if (error !== undefined) return `${was}, and so it stays`;
  return `${was} → ${runText(lastResult, resultRun)}, threshold ${threshold}`;
}

function runText(result: string, run: number): string {
  const word = result === 'success' ? 'success' : 'failure';
  const words = result === 'success' ? 'successes' : 'failures';
  if (run === 0) return 'nothing';
  return run === 1 ? `1 ${word}` : `${run} ${words} in a row`;
}

function ledTo({ container, probe }: FoundProbe, attempt: AttemptView): string {
  const { set, startedAt } = attempt;
  if (set === undefined || set === 'unknown') return 'nothing yet: the threshold is not met';
  const before = probe.attempts.findLast(
    (one) => one.startedAt < startedAt && one.set !== undefined,
  );
  const again = before?.set === set && before.run === attempt.run;
  const effect = effectWord(probe.type, set);
  if (again) return `nothing new: ${effect} already`;
  const restart = set === 'failure' && probe.type !== 'readiness';
  return restart ? `${container.name} is killed and restarted` : effect;
}

function whenText({ startedAt, run, trigger, attempt }: AttemptView, now: number): string {
  const asked = { kubelet: ', asked for by the kubelet', user: ', asked for by you' };
  const by = trigger === undefined ? '' : asked[trigger];
  return `${age(now - startedAt)} ago, at ${startedAt.toFixed(3)} s; attempt ${attempt}, container run ${run}${by}`;
}

function detailLines({ detail, shortened = false }: AttemptView, { size, ui }: Snapshot): Line[] {
  const width = size.columns;
  if (detail === undefined) {
    const text = shortened
      ? 'Only of the latest attempts is everything kept; ctrl-s saves the trace, which has it.'
      : 'The trace has no more of this attempt.';
    return field('', text, width, 'dim');
  }
  const { address, request, response, body, timings } = detail;
  const part = (name: string, text: string | undefined): Line[] =>
    text === undefined || text === ''
      ? []
      : [heading(name), ...indented(text, width, ui.wraps), EMPTY_LINE];
  return [
    ...field('went to', address, width),
    ...timingLines(timings, width),
    EMPTY_LINE,
    ...part('request', request),
    ...part('response', response),
    ...part(
      `body, ${body?.length ?? 0} bytes`,
      body === undefined ? undefined : new TextDecoder().decode(body),
    ),
  ];
}

interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The steps of an attempt, each as a bar where it was in the whole. */
export function timingLines(timings: AttemptTimings, width: number): Line[] {
  const room = Math.max(8, Math.min(50, width - FIELD_WIDTH - 24));
  const scale = timings.total <= 0 ? 0 : room / timings.total;
  return stepsOf(timings).map(({ name, from, to }, index) => {
    const begin = Math.min(room - 1, Math.floor(from * scale));
    const length = Math.max(1, Math.min(room - begin, Math.round((to - from) * scale)));
    const bar = `${' '.repeat(begin)}${'█'.repeat(length)}`.padEnd(room);
    return [
      span((index === 0 ? 'took' : '').padEnd(FIELD_WIDTH), 'dim'),
      span(name.padEnd(11)),
      span(formatLatency(to - from).padStart(8)),
      span(`  ${bar}`, 'info'),
    ];
  });
}

function stepsOf({ connect, tls, firstByte, total }: AttemptTimings): Step[] {
  const steps: Step[] = [];
  const add = (name: string, to: number | undefined): void => {
    if (to !== undefined) steps.push({ name, from: steps.at(-1)?.to ?? 0, to });
  };
  add('connect', connect);
  add('TLS', tls);
  add('first byte', firstByte);
  add(steps.length === 0 ? 'all' : 'the rest', total);
  return steps;
}
