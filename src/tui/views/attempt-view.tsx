import type { FC } from 'react';

import { attemptFault } from '../../diagnosis/attempt-fault.js';
import { findingText, inRow, resultWord } from '../../diagnosis/words.js';
import type { AttemptTimings } from '../../kubelet/ports.js';
import { attemptSign, attemptTone, tookText } from '../../report/view-text.js';
import { age, formatLatency } from '../../text/duration.js';
import { hangingRows, type Line, line, span } from '../../text/line.js';
import type { Result } from '../../trace/event.js';
import type { AttemptView as Attempt } from '../../trace/summary/probe-view.js';
import { effectWord, field, FIELD_WIDTH, heading } from '../components/format.js';
import { Row, TextBody } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import { findAttempt, type FoundProbe, wrapsIn } from '../store/selection.js';
import type { Size, Snapshot } from '../store/state.js';

export function attemptTitle(snapshot: Snapshot): string {
  const found = findAttempt(snapshot);
  if (found === undefined) return 'attempt';
  const { container, probe, attempt, index } = found;
  const which =
    attempt === undefined ? 'no attempt yet' : `attempt ${index + 1} of ${probe.attempts.length}`;
  return `${container.name}/${probe.type}: ${which}`;
}

export const AttemptView: FC<Size> = (size) => {
  const snapshot = useSnapshot();
  const found = findAttempt(snapshot);
  if (found?.attempt === undefined) {
    return <Row line={line('no attempt has ended yet', 'dim')} width={size.columns} />;
  }
  const lines = attemptLines(found, found.attempt, snapshot);
  return <TextBody id={`attempt ${found.attempt.startedAt}`} lines={lines} {...size} />;
};

function attemptLines(found: FoundProbe, attempt: Attempt, snapshot: Snapshot): Line[] {
  const { size, context, now } = snapshot;
  const width = size.columns;
  const { error } = attempt;
  const output = (error ?? attempt.output).trim();
  const cause = context.hints ? findingText(attemptFault(found, attempt)) : undefined;
  return [
    ...field('result', resultText(attempt), width, attemptTone(attempt)),
    ...(output === '' ? [] : field(error === undefined ? 'output' : 'error', output, width)),
    ...(cause === undefined ? [] : field('cause', cause, width, 'info')),
    ...field('count', countText(attempt), width),
    ...field('led to', effectText(found, attempt), width),
    ...field('when', whenText(attempt, now), width),
    [],
    ...detailLines(attempt, snapshot),
  ];
}

function resultText(attempt: Attempt): string {
  const { error, result, tries } = attempt;
  const word = resultWord(attempt);
  const more = word === '' || word === result ? '' : ` (${word})`;
  const what = error === undefined ? result : "error, which doesn't count";
  const times = tries > 1 ? `, ${tries} tries` : '';
  return `${attemptSign(attempt)} ${what}${more}${tookText(attempt)}${times}`;
}

function countText({ before, lastResult, resultRun, threshold, error }: Attempt): string {
  const text = (result: Result | undefined, count: number): string =>
    result === undefined || count === 0
      ? 'nothing'
      : inRow(result === 'success' ? 'success' : 'failure', count);
  const was = text(before.lastResult, before.resultRun);
  if (error !== undefined) return `${was}, unchanged`;
  return `${was} → ${text(lastResult, resultRun)}, threshold ${threshold}`;
}

function effectText({ container, probe }: FoundProbe, attempt: Attempt): string {
  const { set, startedAt } = attempt;
  if (set === undefined || set === 'unknown') return 'nothing yet: the threshold is not met';
  const before = probe.attempts.findLast(
    (attempt) => attempt.startedAt < startedAt && attempt.set !== undefined,
  );
  const effect = effectWord(probe.type, set);
  if (before?.set === set && before.run === attempt.run) return `nothing new: already ${effect}`;
  const isRestart = set === 'failure' && probe.type !== 'readiness';
  return isRestart ? `${container.name} is killed and restarted` : effect;
}

function whenText({ startedAt, run, trigger, attempt }: Attempt, now: number): string {
  const triggers = { kubelet: ', triggered by the kubelet', user: ', triggered by you' };
  const by = trigger === undefined ? '' : triggers[trigger];
  return `${age(now - startedAt)} ago, at ${startedAt.toFixed(3)} s; attempt ${attempt}, container run ${run}${by}`;
}

function detailLines({ detail, shortened = false }: Attempt, snapshot: Snapshot): Line[] {
  const width = snapshot.size.columns;
  if (detail === undefined) {
    const text = shortened
      ? 'kprobe keeps full details of the latest attempts only; ctrl-s saves the trace, which has all.'
      : 'The trace has no details of this attempt.';
    return field('', text, width, 'dim');
  }
  const { address, via, request, response, body, timings } = detail;
  const part = (name: string, text = ''): Line[] =>
    text === '' ? [] : [heading(name), ...indented(text, width, wrapsIn(snapshot)), []];
  return [
    ...field('address', via === undefined ? address : `${address}, via ${via}`, width),
    ...timingLines(timings, width),
    [],
    ...part('request', request),
    ...part('response', response),
    ...part(`body, ${body?.length ?? 0} bytes`, new TextDecoder().decode(body)),
  ];
}

function indented(text: string, width: number, wraps: boolean): Line[] {
  const lines = text.replace(/(\r?\n)+$/, '').split(/\r?\n/);
  return lines.flatMap((line) => hangingRows(span('  '), line, wraps ? width : Infinity));
}

function timingLines(timings: AttemptTimings, width: number): Line[] {
  const { connect, tls, firstByte, total } = timings;
  const room = Math.max(8, Math.min(50, width - FIELD_WIDTH - 24));
  const scale = total <= 0 ? 0 : room / total;
  const lines: Line[] = [];
  let from = 0;
  const add = (name: string, to: number | undefined): void => {
    if (to === undefined) return;
    const begin = Math.min(room - 1, Math.floor(from * scale));
    const length = Math.max(1, Math.min(room - begin, Math.round((to - from) * scale)));
    lines.push([
      span((lines.length === 0 ? 'took' : '').padEnd(FIELD_WIDTH), 'dim'),
      span(name.padEnd(11)),
      span(formatLatency(to - from).padStart(8)),
      span(`  ${' '.repeat(begin)}${'█'.repeat(length)}`.padEnd(room + 2), 'info'),
    ]);
    from = to;
  };
  add('connect', connect);
  add('TLS', tls);
  add('first byte', firstByte);
  add(lines.length === 0 ? 'all' : 'the rest', total);
  return lines;
}
