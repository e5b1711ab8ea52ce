import type { FailureReason } from '../../kubelet/ports.js';
import type { ContainerView, RunView } from '../../trace/summary/container-view.js';
import type { AttemptView } from '../../trace/summary/probe-view.js';
import type { EvidenceOf } from '../fault.js';
import { endReason } from '../run-fault.js';
import { atPlace } from './parts.js';

/** The reason why a run ended: `liveness 3 × timeout at 1 s`, `crashed: SyntaxError: …`. */
export function runSentence(container: ContainerView, run: RunView): string {
  const end = endReason(container, run);
  switch (end.kind) {
    case 'asked':
      return 'by you';
    case 'notStarted':
      return `not started: ${end.text}`;
    case 'killed':
      return end.failures === undefined ? end.by : failuresText(end.failures);
    case 'hook':
      return `the ${end.hook} hook failed: ${end.text}`;
    case 'stopped':
      return end.text;
    case 'exited':
      return 'exited by itself';
    case 'crashed':
      return `crashed${end.text === undefined ? '' : `: ${end.text}${atPlace(end.at)}`}`;
  }
}

type Failures = EvidenceOf<'failures'>;

/** `liveness 3 × timeout at 1 s` */
export function failuresText(failures: Failures): string {
  return `${failures.probe} ${failures.count} × ${failureText(failures)}`;
}

/** `timeout at 1 s`, `HTTP 503`, `exit 1` */
export function failureText(failures: Failures): string {
  const word = failureWord(failures);
  if (failures.statusCode !== undefined) return `HTTP ${word}`;
  return word === 'timeout' ? `timeout at ${failures.timeout} s` : word;
}

/** An attempt's result in a word: `503`, `refused`, `timeout`, `exit 1`; empty for a plain success. */
export function resultWord(
  attempt: Pick<AttemptView, 'error' | 'result' | 'statusCode' | 'exitCode' | 'reason'>,
): string {
  if (attempt.error !== undefined) return 'errored';
  if (attempt.result === 'warning') return 'warning';
  return attempt.result === 'success' ? '' : failureWord(attempt);
}

function failureWord({
  statusCode,
  exitCode,
  reason,
}: Pick<AttemptView, 'statusCode' | 'exitCode' | 'reason'>): string {
  if (statusCode !== undefined) return String(statusCode);
  if (exitCode !== undefined) return `exit ${exitCode}`;
  return WORDS.get(reason ?? '') ?? 'failed';
}

/** A trace may hold reasons of a later version. */
const WORDS: ReadonlyMap<string, string> = new Map<FailureReason, string>([
  ['refused', 'refused'],
  ['timeout', 'timeout'],
  ['notConnected', 'timeout'],
  ['reset', 'reset'],
  ['closed', 'closed'],
  ['noHost', 'no host'],
  ['noRoute', 'no route'],
  ['notHTTP', 'not HTTP'],
  ['badHTTP', 'bad HTTP'],
  ['speaksHTTP2', 'not HTTP'],
  ['speaksTLS', 'not HTTP'],
  ['plainHTTP', 'no TLS'],
  ['tls', 'TLS error'],
  ['notServing', 'unhealthy'],
  ['redirects', 'redirects'],
  ['canceled', 'canceled'],
]);
