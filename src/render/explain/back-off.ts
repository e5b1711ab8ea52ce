import type { BackOffStep, PutOff } from '../../explain/back-off-times.js';
import type { Span } from '../../explain/probe-times.js';
import { formatRange } from '../text/duration.js';
import { alignRows } from '../text/table.js';

/** Restart by restart, in rows of a table: how long after its end a container is started again. */
export function backOffRows(steps: readonly BackOffStep[]): string[] {
  const isProbed = steps.some(({ neverAnswers }) => neverAnswers !== undefined);
  const rows = steps.map(({ restart, exited, killed, neverAnswers }) => [
    `${restart}`,
    formatRange(exited.span),
    ...(neverAnswers === undefined ? [] : [afterKill(killed), started(neverAnswers)]),
  ]);
  const head = ['restart', 'it exits', ...(isProbed ? ['a probe kills it', 'never answers'] : [])];
  return alignRows([head, ...rows]);
}

/** A note on the table, where it needs one. */
export function backOffNote(steps: readonly BackOffStep[]): string {
  const anew = 'A run of ten minutes begins it anew.';
  const isProbed = steps.some(({ neverAnswers }) => neverAnswers !== undefined);
  if (!isProbed) return anew;
  return `* At once if the back-off is over by then: a kill counts it from the end before its own, so after a wait of 300 s the next is at once. ${anew}`;
}

function afterKill({ delay, span }: PutOff): string {
  return delay === 0 ? 'at once' : `${formatRange(span)} *`;
}

function started(span: Span): string {
  return span.to === 0 ? 'at once' : formatRange(span);
}
