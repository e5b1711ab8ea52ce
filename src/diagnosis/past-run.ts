import type { ProbeType } from '../kubelet/event.js';
import type { FailureReason } from '../kubelet/ports.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ContainerView, RunView } from '../trace/summary/container-view.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { crashCause } from './crash-cause.js';

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
  ['speaksHTTP2', 'not HTTP'],
  ['speaksTLS', 'not HTTP'],
  ['plainHTTP', 'no TLS'],
  ['tls', 'TLS error'],
  ['notServing', 'unhealthy'],
  ['redirects', 'redirects'],
]);

/** An attempt's result in a word: `503`, `refused`, `timeout`, `exit 1`; empty for a plain success. */
export function resultWord(attempt: AttemptView): string {
  if (attempt.error !== undefined) return 'errored';
  if (attempt.result === 'warning') return 'warning';
  if (attempt.result === 'success') return '';
  const { statusCode, exitCode, reason = '' } = attempt;
  if (statusCode !== undefined) return String(statusCode);
  if (exitCode !== undefined) return `exit ${exitCode}`;
  return WORDS.get(reason) ?? 'failed';
}

/** Returns the failures that ended a run's attempts: `liveness 3 × timeout at 1 s`. */
export function failuresText(
  container: ContainerView,
  type: ProbeType,
  run: number,
): string | undefined {
  const attempts = container.probes.find((probe) => probe.type === type)?.attempts ?? [];
  const own = attempts.filter((one) => one.run === run && one.error === undefined);
  const failed = own.slice(own.findLastIndex((one) => verdictOfAttempt(one) === 'success') + 1);
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  return `${type} ${failed.length} × ${failureText(container, type, last)}`;
}

/** `timeout at 1 s`, `HTTP 503`, `exit 1` */
function failureText({ spec }: ContainerView, type: ProbeType, attempt: AttemptView): string {
  const word = resultWord(attempt);
  if (attempt.statusCode !== undefined) return `HTTP ${word}`;
  return word === 'timeout' ? `timeout at ${probeOf(spec, type)?.timeoutSeconds ?? 1} s` : word;
}

const KILLERS: Readonly<Record<string, ProbeType>> = {
  LivenessProbe: 'liveness',
  StartupProbe: 'startup',
};

/** Returns the probe whose failure made the kubelet kill the run. */
export function killerOf({ killReason = '' }: RunView): ProbeType | undefined {
  return KILLERS[killReason];
}

/** Returns why a run ended: `liveness 3 × timeout at 1 s`, `crashed: SyntaxError: …`. */
export function runSentence(container: ContainerView, run: RunView): string {
  if (run.restartAskedAt !== undefined) return 'by you';
  if (run.startError !== undefined) return `not started: ${run.startError}`;
  const killer = killerOf(run);
  if (killer !== undefined) return failuresText(container, killer, run.run) ?? killer;
  if (run.killReason !== undefined) return run.killed?.replace(/^Container \S+ /, '') ?? 'killed';
  if (run.exitCode === 0) return 'exited by itself';
  const why = crashCause(outputOf(container, run))?.why;
  return `crashed${why === undefined ? '' : `: ${why}`}`;
}

export function outputOf({ output }: ContainerView, { run }: RunView): readonly string[] {
  return output.filter((line) => line.run === run).map(({ text }) => text);
}
