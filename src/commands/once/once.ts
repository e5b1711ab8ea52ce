import { type Container, omitUndefined, type Pod } from '../../api/index.js';
import { type Clock, untilAborted } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import {
  attemptOutcome,
  type ExecResult,
  type ProbeOutcome,
  type ProbeTransports,
} from '../../kubelet/ports.js';
import {
  createProber,
  type ProbeAnswer,
  type ProbeEvent,
  probeEvent,
} from '../../kubelet/prober/prober.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import type { Result } from '../../trace/event.js';
import { count, NO_ATTEMPT, type Tally, type Thresholds } from '../../trace/summary/tally.js';
import { type LineOf, toTraceLine, type TraceLine } from '../../trace/trace-line.js';
import type { FailedProbe, OnceCause } from './once-cause.js';

export interface OnceOptions {
  readonly clock: Clock;
  readonly transports: ProbeTransports;
  /** Runs a container's command on this machine. */
  readonly exec: (
    container: Container,
    command: readonly string[],
    timeoutSeconds: number,
  ) => Promise<ExecResult>;
  readonly kubelet: KubeletConfig;
  readonly speaksTls: (host: string, port: number) => Promise<boolean>;
}

export interface OnceProbe extends FailedProbe {
  readonly address: string;
}

interface OnceAnswer {
  readonly answer: ProbeAnswer;
  /** Milliseconds, for all tries. */
  readonly latency: number;
  readonly cause?: OnceCause;
}

/** A finished attempt: its line in a trace, and what only single attempts show. */
export interface OnceAttempt {
  readonly line: LineOf<'attemptDone'>;
  /** Raw output when it is not UTF-8. */
  readonly outputBytes?: Uint8Array | undefined;
  readonly event?: ProbeEvent | undefined;
  /** The cause of a failure, where kprobe knows it. */
  readonly cause?: OnceCause | undefined;
}

/** Makes one attempt of a probe as a worker does, with up to three tries, and returns its event. */
export async function once(probe: OnceProbe, options: OnceOptions): Promise<OnceAnswer> {
  const { clock, transports, exec, kubelet } = options;
  const { pod, container, probeType, address, handler } = probe;
  const prober = createProber({
    transports,
    kubelet,
    execSync: (_, command, timeout) => exec(container, command, timeout),
    recordEvent: () => undefined,
  });
  const begin = clock.now();
  const made = await prober.probe(probeType, pod, { podIP: address }, container, '');
  const latency = clock.now() - begin;
  const event = handler === undefined ? made.event : bareEvent(handler, made.outcome);
  const answer = { ...made, ...omitUndefined({ event }) };
  const { outcome } = answer;
  if (outcome.result === 'success' && outcome.error === undefined) return { answer, latency };
  // Only a failure loads the code that finds causes.
  const { onceCause } = await import('./once-cause.js');
  const cause = await onceCause(probe, outcome, options.speaksTls);
  return { answer, latency, ...omitUndefined({ cause }) };
}

/** Returns the event without the kind of probe: `HTTP probe failed with statuscode: 503`. */
function bareEvent(handler: string, outcome: ProbeOutcome): ProbeEvent | undefined {
  const event = probeEvent(handler, outcome);
  const { output } = outcome;
  return event && output.startsWith(`${handler} probe failed`)
    ? { ...event, message: output }
    : event;
}

export function podAround(container: Container): Pod {
  return {
    metadata: { name: 'probe', namespace: 'default', uid: 'probe' },
    spec: { containers: [container], restartPolicy: 'Always' },
    status: {},
  };
}

export interface OncePlan {
  readonly probe: OnceProbe;
  /** Key of the pod in the trace: `namespace/name`. */
  readonly pod: string;
  /** Milliseconds between the starts of two attempts. */
  readonly interval: number;
  readonly thresholds: Thresholds;
}

export type OnceGoal =
  | { readonly kind: 'times'; readonly times: number }
  | { readonly kind: 'untilSuccess' }
  | { readonly kind: 'untilFailure' };

interface OnceLoopOptions {
  readonly clock: Clock;
  readonly goal: OnceGoal;
  readonly attempt: (probe: OnceProbe) => Promise<OnceAnswer>;
  /** Returns the result as it counts; errors are discarded. */
  readonly resultOf: (answer: ProbeAnswer) => Result;
  readonly onStart: (line: TraceLine) => void;
  readonly onAttempt: (plan: OncePlan, attempt: OnceAttempt) => void;
  /** Ends the attempts; the one in progress no longer counts. */
  readonly signal: AbortSignal;
}

/** Makes attempts of several probes concurrently; resolves with the tally of each. */
export function onceLoop(plans: readonly OncePlan[], options: OnceLoopOptions): Promise<Tally[]> {
  const { signal, clock } = options;
  const origin = clock.now();
  const tallies = plans.map(() => NO_ATTEMPT);
  const loops = (signal.aborted ? [] : plans).map((plan, index) =>
    loop(plan, origin, options, (tally) => (tallies[index] = tally)),
  );
  return untilAborted(signal, Promise.all(loops), undefined).then(() => [...tallies]);
}

async function loop(
  plan: OncePlan,
  origin: number,
  { clock, goal, attempt, resultOf, onStart, onAttempt, signal }: OnceLoopOptions,
  onTally: (tally: Tally) => void,
): Promise<void> {
  let wake: () => void = () => undefined;
  const ticker = new Ticker(clock, plan.interval, () => clock.go(() => wake()));
  const stop = (): void => {
    ticker.stop();
    wake();
  };
  signal.addEventListener('abort', stop);
  const { container, probeType } = plan.probe;
  const inTrace = { pod: plan.pod, container: container.name, probe: probeType };
  let tally = NO_ATTEMPT;
  for (let attempts = 1; ; attempts += 1) {
    const subject = { ...inTrace, attempt: attempts, containerID: '' };
    onStart(toTraceLine({ kind: 'attempt', ...subject }, clock.now(), origin));
    const { answer, latency, cause } = await attempt(plan.probe);
    if (signal.aborted) break;
    const result = answer.error === undefined ? resultOf(answer) : 'error';
    tally = count(tally, result, latency, plan.thresholds);
    onTally(tally);
    const now = clock.now();
    const { outcome, tries, event } = answer;
    const { last = 'unknown', run, set } = tally;
    const threshold = last === 'success' ? plan.thresholds.success : plan.thresholds.failure;
    const counted = { lastResult: last, resultRun: run, threshold, set, nextTick: ticker.next };
    const done = { ...subject, ...attemptOutcome(outcome), tries, latency, ...counted };
    const line = toTraceLine({ kind: 'attemptDone', ...done }, now, origin) as OnceAttempt['line'];
    onAttempt(plan, { line, outputBytes: outcome.outputBytes, event, cause });
    if (reached(goal, attempts, tally)) break;
    if (!ticker.take()) {
      await new Promise<void>((resolve) => (wake = resolve));
      ticker.take();
    }
  }
  signal.removeEventListener('abort', stop);
  ticker.stop();
}

function reached(goal: OnceGoal, made: number, tally: Tally): boolean {
  switch (goal.kind) {
    case 'times':
      return made >= goal.times;
    case 'untilSuccess':
      return tally.set === 'success';
    case 'untilFailure':
      return tally.set === 'failure';
  }
}
