import type { AttemptView } from '../../../../trace/summary/probe-view.js';
import { hintFor } from '../../../hints/hint-for.js';
import { age, formatLatency } from '../../../text/duration.js';
import { EMPTY_LINE, type Line } from '../../../text/line.js';
import { attemptSign, attemptTone, resultWord } from '../../format/attempt-result.js';
import { field, heading, indented } from '../../format/fields.js';
import { effectWord } from '../../format/probe-run.js';
import type { FoundProbe } from '../../store/find-probe.js';
import type { Snapshot } from '../../store/snapshot.js';
import { timingLines } from './timing-lines.js';

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
