import type { Container } from '../api/types/container.js';
import type { Probe } from '../api/types/probe.js';
import { probeTimes } from '../explain/probe-times.js';
import type { ProbeType } from '../kubelet/event.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { endpointOf } from '../sim/endpoint.js';
import type { ObservedRun } from '../sim/recorded/observation.js';
import { type Measure, measure } from './measure.js';

/** The settings of a probe that are proposed, with why. */
export interface Suggestion {
  readonly container: string;
  readonly probe: ProbeType;
  /** The probe as it was; a startup probe may not have been there. */
  readonly before: Probe | undefined;
  readonly after: Probe;
  readonly reasons: readonly string[];
  /** What each number of failures in a row would cost and bring. */
  readonly trades: readonly Trade[];
  /** How much stands behind it. */
  readonly runs: number;
  readonly attempts: number;
}

export interface Trade {
  readonly failureThreshold: number;
  /** Seconds from the begin of a hang to the result, at worst. */
  readonly detects: number;
  /** Failures in a row of the recording that ended by themselves, and would have been acted on. */
  readonly falseAlarms: number;
}

/** A start may take so many times the slowest one that was measured, and an answer the slowest answer. */
const START_MARGIN = 3;
const LATENCY_MARGIN = 2;
/** Seconds that a start may always take. */
const LEAST_START = 10;
const MOST_TRADES = 10;

/** Proposes settings for the probes of a container from what its recorded runs answered. */
export function suggest(container: Container, runs: readonly ObservedRun[]): Suggestion[] {
  const measured = (probe: Probe | undefined): Measure | undefined => {
    const endpoint = probe && endpointOf(probe, container);
    const found = endpoint === undefined ? undefined : measure(runs, endpoint);
    return found?.starts.length === 0 ? undefined : found;
  };
  const [startup, readiness, liveness] = (['startup', 'readiness', 'liveness'] as const).map(
    (type) => probeOf(container, type),
  );
  const about = { container: container.name };
  // Who has no liveness probe needs no startup probe to hold it back.
  const asked = startup ?? liveness;
  const [started, ready, alive] = [measured(asked), measured(readiness), measured(liveness)];
  return [
    ...(asked && started ? [{ ...about, ...suggestStartup(startup, asked, started) }] : []),
    ...(readiness && ready ? [{ ...about, ...suggestReadiness(readiness, ready) }] : []),
    ...(liveness && alive ? [{ ...about, ...suggestLiveness(liveness, alive) }] : []),
  ];
}

type Proposed = Omit<Suggestion, 'container'>;

function suggestStartup(before: Probe | undefined, asked: Probe, measured: Measure): Proposed {
  const slowest = Math.max(...measured.starts.map(({ to }) => to));
  const budget = Math.max(LEAST_START, START_MARGIN * slowest);
  const periodSeconds = Math.min(10, Math.max(1, Math.ceil(slowest / 10)));
  const failureThreshold = Math.max(3, Math.ceil(budget / periodSeconds));
  const { terminationGracePeriodSeconds: _, ...handler } = before ?? asked;
  const after = {
    ...handler,
    initialDelaySeconds: 0,
    periodSeconds,
    failureThreshold,
    successThreshold: 1,
    timeoutSeconds: timeoutOf(measured),
  };
  const never =
    measured.neverAnswered === 0
      ? []
      : [
          `${count(measured.neverAnswered, 'run')} ended before the first success: how long they would have taken is not known`,
        ];
  return {
    probe: 'startup',
    before,
    after,
    reasons: [
      `the slowest of ${count(measured.starts.length, 'start')} succeeded ${slowest.toFixed(1)} s after its begin; ${periodSeconds} × ${failureThreshold} s leave it ${START_MARGIN} times as long, at least ${LEAST_START} s`,
      'no initial delay: the others wait for the first success, however soon it comes',
      timeoutReason(measured, after),
      ...never,
    ],
    trades: [],
    ...sizeOf(measured),
  };
}

function suggestReadiness(before: Probe, measured: Measure): Proposed {
  const longest = Math.max(0, ...measured.outages.map(({ failures }) => failures));
  const failureThreshold = Math.min(3, Math.max(2, longest + 1));
  const after = { ...before, ...common(measured), failureThreshold };
  return {
    probe: 'readiness',
    before,
    after,
    reasons: [
      longest === 0
        ? 'no failure once it was ready ended by itself: two in a row are no blip'
        : `the longest row of failures that ended by itself had ${longest}; more than 3 would send requests to a container that does not answer`,
      timeoutReason(measured, after),
    ],
    trades: tradesOf(after, measured),
    ...sizeOf(measured),
  };
}

function suggestLiveness(before: Probe, measured: Measure): Proposed {
  const outage = Math.max(0, ...measured.outages.map(({ lasted }) => lasted));
  const { periodSeconds } = before;
  const longest = Math.max(measured.unended, ...measured.outages.map(({ failures }) => failures));
  const needed = Math.ceil((2 * outage) / periodSeconds) + 1;
  const failureThreshold = Math.max(3, longest + 1, needed);
  const after = { ...before, ...common(measured), failureThreshold };
  const unended =
    measured.unended === 0
      ? []
      : [
          `a run ended in a row of ${count(measured.unended, 'failure')}: whether it would have recovered is not known, so one more is waited for`,
        ];
  return {
    probe: 'liveness',
    before,
    after,
    reasons: [
      outage === 0
        ? 'a restart costs more than a late one: three failures in a row'
        : `the longest time without an answer that ended by itself was ${outage.toFixed(1)} s: a restart waits for twice that`,
      ...unended,
      timeoutReason(measured, after),
    ],
    trades: tradesOf(after, measured),
    ...sizeOf(measured),
  };
}

function common(measured: Measure): Pick<Probe, 'initialDelaySeconds' | 'timeoutSeconds'> {
  return { initialDelaySeconds: 0, timeoutSeconds: timeoutOf(measured) };
}

function timeoutOf({ slowest }: Measure): number {
  return Math.max(1, Math.ceil((LATENCY_MARGIN * slowest) / 1000));
}

function timeoutReason({ slowest, timeouts }: Measure, { timeoutSeconds }: Probe): string {
  const late =
    timeouts === 0
      ? ''
      : `; ${count(timeouts, 'attempt')} ran into the timeout, and how long they would have taken is not known`;
  return `the slowest answer took ${slowest.toFixed(0)} ms; ${timeoutSeconds} s are at least ${LATENCY_MARGIN} times that${late}`;
}

function tradesOf(after: Probe, { outages }: Measure): Trade[] {
  const most = Math.min(MOST_TRADES, after.failureThreshold + 1);
  return Array.from({ length: most }, (_, index) => {
    const failureThreshold = index + 1;
    return {
      failureThreshold,
      detects: probeTimes({ ...after, failureThreshold }).hangs.to,
      falseAlarms: outages.filter(({ failures }) => failures >= failureThreshold).length,
    };
  });
}

function sizeOf({
  starts,
  neverAnswered,
  attempts,
}: Measure): Pick<Suggestion, 'runs' | 'attempts'> {
  return { runs: starts.length + neverAnswered, attempts };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
