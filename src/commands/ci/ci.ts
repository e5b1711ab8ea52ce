import { type Container, type HTTPGetAction, omitUndefined, type Pod } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import { warningIn } from '../../diagnosis/warning.js';
import { podGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import type { ProbeOutcome, ProbeTransports } from '../../kubelet/ports.js';
import { newRequestForHTTPGetAction } from '../../kubelet/prober/http-request.js';
import { type Check, skipped } from '../../report/check.js';
import type { RunReport } from '../../report/run-report.js';
import type { Session } from '../../session/session.js';
import { lostStability, StableCountdown, stableVerdict } from '../../session/stable-countdown.js';
import type { Target } from '../../session/targets/local-target.js';
import { type RunEnd, waitUntil } from '../../session/wait-for-goal.js';
import { hasRealRestarts } from '../../trace/real-restarts.js';
import type { Summary } from '../../trace/summary/summary.js';
import { settled, type Verdict, verdictOf } from '../../trace/summary/verdict.js';
import {
  aliveCheck,
  CHECKS,
  NOT_REACHED,
  readyCheck,
  type RequestCounts,
  requestsCheck,
  runCheck,
  shutdownCheck,
  startupCheck,
} from './checks.js';
import { type IsRun, type Measure, measuresOf } from './measures.js';

export interface CiOptions {
  readonly clock: Clock;
  readonly session: Session;
  readonly target: Pick<Target, 'name' | 'realRestarts' | 'transports'>;
  /** Milliseconds until it has to be stable. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Fail when a container is not run. */
  readonly strict: boolean;
  /** The path to which requests go during the shutdown, in place of a probe's. */
  readonly trafficPath: string | undefined;
}

export interface CiEnd extends RunEnd, Pick<RunReport, 'result'> {
  readonly checks: readonly Check[];
  /** Present for a start that reached its shutdown. */
  readonly measures?: readonly Measure[];
  /** True when another start follows. */
  readonly isFollowed?: boolean;
}

/** Seconds beyond the grace period after which a container counts as still running. */
const LATE = 5;

/** Checks a started session from its start to its shutdown, and always ends it. */
export async function runChecks(options: CiOptions): Promise<CiEnd> {
  const { session, clock, timeout } = options;
  const deadline = clock.now() + timeout;
  const left = (): number => deadline - clock.now();
  try {
    const isSettled = (summary: Summary) => settled(summary) ?? lostStability(summary);
    const ready = await waitUntil(isSettled, left(), options);
    const startup = startupCheck(session.summary);
    const pods = session.summary.pods.map(({ object }) => object);
    const run = runCheck(pods, isRunBy(options), options.strict);
    const first = startup === undefined ? [run] : [run, startup];
    if (ready === undefined) return end(options, cutShort(options), first);
    const warning = warningIn(session.summary);
    const isReady = ready.kind === 'holds' && (warning === undefined || !options.strict);
    const checked = [...first, readyCheck(session.summary, ready, isReady, warning)];
    if (!isReady) return end(options, 'goal', checked, ready);
    const alive = await checkAlive(options, left());
    if (alive === undefined) return end(options, cutShort(options), checked);
    if (alive.kind === 'failed') return end(options, 'goal', [...checked, alive]);
    const t = session.now;
    const { last, measures } = await shutDown(options);
    const kind = options.signal.aborted ? 'interrupted' : 'goal';
    return { ...end(options, kind, [...checked, alive, ...last]), t, measures };
  } finally {
    await session.end();
  }
}

function cutShort({ signal }: CiOptions): 'interrupted' | 'timeout' {
  return signal.aborted ? 'interrupted' : 'timeout';
}

/** Without an engine, kprobe runs the containers that have a command, and assumes that the others succeed. */
function isRunBy({ target: { name, realRestarts } }: CiOptions): IsRun {
  return (container) => hasRealRestarts({ target: name, realRestarts }, container.name);
}

/** Waits until the pods are stable; undefined when the time does not suffice. */
async function checkAlive(options: CiOptions, time: number): Promise<Check | undefined> {
  const { session, clock } = options;
  const countdown: { current?: StableCountdown } = {};
  const stable = new Promise<true>((resolve) => {
    countdown.current = new StableCountdown(clock, session, () => resolve(true));
  });
  const bad = (summary: Summary): Verdict | undefined => {
    const verdict = settled(summary);
    if (verdict?.kind === 'doesNotHold') return verdict;
    countdown.current?.check();
    return undefined;
  };
  const found = await Promise.race([waitUntil(bad, time, options), stable]);
  countdown.current?.stop();
  if (found === undefined) return undefined;
  await session.refresh();
  const verdict = found === true ? verdictOf(session.summary) : found;
  return aliveCheck(session.summary, verdict);
}

/** Deletes the pods while requests continue. */
async function shutDown(options: CiOptions) {
  const { session, clock, target, trafficPath } = options;
  const pods = session.summary.pods.filter(({ phase }) => phase !== 'Succeeded');
  const ports = { clock, transports: target.transports };
  const senders = pods.flatMap(({ object, status }) => {
    const endpoint = endpointOf(object, trafficPath);
    return endpoint === undefined ? [] : [sendRequests(endpoint, status?.podIP ?? '', ports)];
  });
  await waitUntil(() => undefined, 200, options);
  await session.refresh();
  const [after, stable] = [session.now, session.summary];
  for (const sender of senders) sender.deleted();
  session.update([]);
  const graces = pods.map(({ object }) => podGracePeriod(object));
  const isGone = (summary: Summary): true | undefined =>
    summary.pods.every(({ containers }) =>
      containers.every(({ runs }) => runs.length === 0 || runs.at(-1)?.endedAt !== undefined),
    ) || undefined;
  await waitUntil(isGone, (Math.max(0, ...graces) + LATE) * 1000, options);
  const counts = await Promise.all(senders.map((sender) => sender.stop()));
  const total = { ...NO_REQUESTS };
  for (const each of counts) {
    for (const kind of Object.keys(total) as (keyof RequestCounts)[]) total[kind] += each[kind];
  }
  const keys = new Set(pods.map(({ key }) => key));
  const ended = session.summary.pods.filter(({ key }) => keys.has(key));
  const runs = isRunBy(options);
  const requests = requestsCheck(counts.length === 0 ? undefined : total);
  return {
    last: [shutdownCheck(ended, after, runs), requests],
    measures: measuresOf(stable, session.summary, after, runs),
  };
}

/** Returns the end with a row for each check; those that were not reached are skipped. */
function end(
  { session }: CiOptions,
  kind: RunEnd['kind'],
  made: readonly Check[],
  verdict?: Verdict,
): CiEnd {
  const checks = Object.values(CHECKS).map(
    (name) => made.find((check) => check.name === name) ?? skipped(name, NOT_REACHED),
  );
  const missed = Object.values(CHECKS).find((name) => made.every((check) => check.name !== name));
  const result = verdict?.kind === 'unknown' ? verdict : verdictOn(made, missed, session);
  return { t: session.now, kind, verdict: result, checks };
}

function verdictOn(made: readonly Check[], missed: string | undefined, session: Session): Verdict {
  const failed = made.find((check) => check.kind === 'failed');
  if (failed) return { kind: 'doesNotHold', sentence: `${failed.name}: ${failed.text}` };
  if (missed === undefined) return { kind: 'holds', sentence: 'all checks passed' };
  const { sentence } = stableVerdict(session);
  return { kind: 'doesNotHold', sentence: `${missed}: ${NOT_REACHED}: ${sentence}` };
}

/** Milliseconds between an answer and the next request, for each client; they differ so that the clients do not go in step. */
const PAUSES = [4, 7, 11, 16];
/** Seconds that a request may take. */
const REQUEST_TIMEOUT = 30;

const NOT_ACCEPTED = new Set<ProbeOutcome['reason']>(['refused', 'reset', 'noRoute', 'noHost']);

interface Endpoint {
  readonly pod: Pod;
  readonly container: Container;
  readonly action: HTTPGetAction;
}

/** Returns the endpoint of a pod's users: the one that its readiness depends on, or else that of another probe. */
function endpointOf(pod: Pod, path: string | undefined): Endpoint | undefined {
  for (const probe of ['readinessProbe', 'livenessProbe', 'startupProbe'] as const) {
    for (const container of pod.spec.containers) {
      const action = container[probe]?.httpGet;
      if (action !== undefined)
        return { pod, container, action: { ...action, ...omitUndefined({ path }) } };
    }
  }
  return undefined;
}

const NO_REQUESTS = { answered: 0, lost: 0, refused: 0, failedBefore: 0 };

/** Sends requests until it is stopped. */
export function sendRequests(
  { pod, container, action }: Endpoint,
  podIP: string,
  { clock, transports }: { readonly clock: Clock; readonly transports: ProbeTransports },
) {
  const counts = { ...NO_REQUESTS };
  let [isDeleted, isOver] = [false, false];
  const count = ({ statusCode, error, reason }: ProbeOutcome, isLate: boolean): void => {
    const isWhole = statusCode !== undefined && error === undefined;
    if (isWhole && statusCode < 500) counts.answered++;
    else if (isWhole && !isDeleted) counts.failedBefore++;
    else if (statusCode === undefined && NOT_ACCEPTED.has(reason)) counts.refused++;
    // A request that begins after the end is not counted.
    else if (!isLate) counts.lost++;
  };
  const send = async (): Promise<void> => {
    const options = { container, podIP, userAgentFragment: 'probe' } as const;
    const request = newRequestForHTTPGetAction(action, options);
    if (!request.ok) return;
    const target = { pod, container, containerID: '' };
    const begin = clock.now();
    const outcome = await transports.http(target, request.value, REQUEST_TIMEOUT);
    count(outcome, isOver && clock.now() <= begin);
  };
  const clients = PAUSES.map(async (pause) => {
    while (!isOver) {
      await send();
      await sleep(clock, pause);
    }
  });
  return {
    /** From now on, server errors are lost requests. */
    deleted: () => void (isDeleted = true),
    /** Stops sending; resolves with the numbers of requests. */
    async stop(): Promise<RequestCounts> {
      isOver = true;
      await Promise.all(clients);
      return counts;
    },
  };
}
