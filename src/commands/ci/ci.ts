import type { Container, HTTPGetAction, Pod } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import type { ProbeOutcome, ProbeTransports } from '../../kubelet/ports.js';
import { newRequestForHTTPGetAction } from '../../kubelet/prober/http-request.js';
import type { Check } from '../../report/check.js';
import { skipped } from '../../report/check.js';
import type { Session } from '../../session/session.js';
import type { Target } from '../../session/targets/local-target.js';
import type { RunEnd } from '../../session/wait-for-goal.js';
import type { Summary } from '../../trace/summary/summary.js';
import { settled, type Verdict, verdictOf } from '../../trace/summary/verdict.js';
import {
  CHECKS,
  livenessCheck,
  livenessPeriod,
  readyCheck,
  type RequestCounts,
  requestsCheck,
  shutdownCheck,
  startupCheck,
} from './checks.js';

export interface CiOptions {
  readonly clock: Clock;
  readonly session: Session;
  readonly target: Target;
  /** Periods of the liveness probe that the pod has to survive. */
  readonly periods: number;
  /** Milliseconds until it has to be ready. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface CiEnd extends RunEnd {
  readonly checks: readonly Check[];
}

/** Seconds beyond the grace period after which a container counts as still running. */
const LATE = 5;

/** Checks a started session from its start to its shutdown, and always ends it. */
export async function runChecks(options: CiOptions): Promise<CiEnd> {
  const { session } = options;
  try {
    const isReady = await wait(options, options.timeout, (summary) => settled(summary));
    const began = session.summary;
    const first = [startupCheck(began), readyCheck(began, verdictOf(began))];
    if (isOver(options)) return end(options, 'interrupted', first);
    if (isReady === undefined) return end(options, 'timeout', first);
    if (isReady.kind !== 'holds') return end(options, 'goal', first, isReady);
    const alive = await checkAlive(options);
    if (isOver(options)) return end(options, 'interrupted', [...first, alive]);
    if (alive.kind === 'failed') return end(options, 'goal', [...first, alive]);
    const t = session.now;
    const last = await shutDown(options);
    return {
      ...end(options, isOver(options) ? 'interrupted' : 'goal', [...first, alive, ...last]),
      t,
    };
  } finally {
    await session.end();
  }
}

function isOver({ signal }: CiOptions): boolean {
  return signal.aborted;
}

async function checkAlive(options: CiOptions): Promise<Check> {
  const { session, periods } = options;
  const period = livenessPeriod(session.summary.pods.map(({ object }) => object));
  const time = periods * (period ?? 1) * 1000;
  const isBad = (summary: Summary): Verdict | undefined => {
    const verdict = settled(summary);
    return verdict?.kind === 'doesNotHold' ? verdict : undefined;
  };
  const bad = await wait(options, time, isBad);
  await session.refresh();
  const found = livenessCheck(session.summary, periods, bad ?? verdictOf(session.summary));
  const isUnprobed = period === undefined && found.kind === 'passed';
  return isUnprobed ? skipped(CHECKS.alive, `no liveness probe; it ran for ${periods} s`) : found;
}

/** Deletes the pods while requests continue. */
async function shutDown(options: CiOptions): Promise<readonly Check[]> {
  const { session, clock, target } = options;
  const { pods } = session.summary;
  const ports = { clock, transports: target.transports };
  const requests = pods.flatMap(({ object, status }) => {
    const endpoint = endpointOf(object);
    return endpoint === undefined ? [] : [sendRequests(endpoint, status?.podIP ?? '', ports)];
  });
  await wait(options, 200, () => undefined);
  const after = session.now;
  session.update([]);
  const graces = pods.map(({ object }) => object.spec.terminationGracePeriodSeconds ?? 30);
  const isGone = (summary: Summary): true | undefined =>
    summary.pods.every(({ containers }) =>
      containers.every(({ runs }) => runs.length === 0 || runs.at(-1)?.endedAt !== undefined),
    ) || undefined;
  await wait(options, (Math.max(0, ...graces) + LATE) * 1000, isGone);
  const counts = await Promise.all(requests.map((stop) => stop()));
  const sum = (kind: keyof RequestCounts): number =>
    counts.reduce((total, one) => total + one[kind], 0);
  const total = { answered: sum('answered'), lost: sum('lost'), refused: sum('refused') };
  const shutdown = shutdownCheck(session.summary.pods, after);
  return [shutdown, requestsCheck(counts.length === 0 ? undefined : total)];
}

/** The end with a row for each check; those that were not reached are skipped. */
function end(
  { session }: CiOptions,
  kind: RunEnd['kind'],
  made: readonly Check[],
  verdict?: Verdict,
): CiEnd {
  const checks = Object.values(CHECKS).map(
    (name) => made.find((one) => one.name === name) ?? skipped(name, 'not reached'),
  );
  const failed = checks.find((one) => one.kind === 'failed');
  const own: Verdict = failed
    ? { kind: 'doesNotHold', sentence: `${failed.name}: ${failed.text}` }
    : { kind: 'holds', sentence: 'all checks passed' };
  return { t: session.now, kind, verdict: verdict?.kind === 'unknown' ? verdict : own, checks };
}

/** Resolves with what `reached` returns, or with undefined after a time or at a signal. */
function wait<T>(
  { session, clock, signal }: CiOptions,
  milliseconds: number,
  reached: (summary: Summary) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const finish = (result?: T): void => {
      stop();
      timer.cancel();
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const abort = (): void => finish();
    const stop = session.onLine((_, summary) => {
      const result = reached(summary);
      if (result !== undefined) finish(result);
    });
    const timer = clock.setTimeout(abort, milliseconds);
    signal.addEventListener('abort', abort);
    const now = signal.aborted ? undefined : reached(session.summary);
    if (signal.aborted || now !== undefined) finish(now);
  });
}

/** Milliseconds between an answer and the next request, for each client; they differ so that the clients do not go in step. */
const PAUSES = [4, 7, 11, 16];
/** Seconds that a request may take. */
const PATIENCE = 30;

const NOT_ACCEPTED = new Set<ProbeOutcome['reason']>(['refused', 'reset', 'noRoute', 'noHost']);

interface Endpoint {
  readonly pod: Pod;
  readonly container: Container;
  readonly action: HTTPGetAction;
}

/** Returns the endpoint of a pod's users: the one that its readiness depends on, or else that of another probe. */
function endpointOf(pod: Pod): Endpoint | undefined {
  for (const probe of ['readinessProbe', 'livenessProbe', 'startupProbe'] as const) {
    for (const container of pod.spec.containers) {
      const action = container[probe]?.httpGet;
      if (action !== undefined) return { pod, container, action };
    }
  }
  return undefined;
}

/** Sends requests until the returned function is called, which resolves with what became of them. */
export function sendRequests(
  { pod, container, action }: Endpoint,
  podIP: string,
  { clock, transports }: { readonly clock: Clock; readonly transports: ProbeTransports },
): () => Promise<RequestCounts> {
  const counts = { answered: 0, lost: 0, refused: 0 };
  let isOver = false;
  const send = async (): Promise<void> => {
    const options = { container, podIP, userAgentFragment: 'probe' } as const;
    const request = newRequestForHTTPGetAction(action, options);
    if (!request.ok) return;
    const target = { pod, container, containerID: '' };
    const begin = clock.now();
    const { statusCode, reason } = await transports.http(target, request.value, PATIENCE);
    if (statusCode !== undefined) counts.answered++;
    else if (NOT_ACCEPTED.has(reason)) counts.refused++;
    // A request that begins after the end is not counted.
    else if (!isOver || clock.now() > begin) counts.lost++;
  };
  const clients = PAUSES.map(async (pause) => {
    while (!isOver) {
      await send();
      await sleep(clock, pause);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(clients);
    return counts;
  };
}
