import { allContainers, type Pod } from '../../api/index.js';
import { diagnosePod } from '../../diagnosis/diagnosis.js';
import { diagnosisText } from '../../diagnosis/words.js';
import { podGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { type Check, check, skipped } from '../../report/check.js';
import { startupBudget } from '../../schedule/probe-times.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import { isPodReady } from '../../trace/summary/condition-view.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { Verdict } from '../../trace/summary/verdict.js';
import { type IsRun, startupSeconds } from './measures.js';

/** Names of the checks, in the order of the table. */
export const CHECKS = {
  run: 'all containers run',
  startup: 'startup within its budget',
  ready: 'ready',
  alive: 'alive and ready until stable',
  shutdown: 'shutdown within the grace period',
  requests: 'no request lost in the shutdown',
} as const;

/** Checks that kprobe runs every container of the pods; the others are only passed over, unless that is to fail. */
export function runCheck(pods: readonly Pod[], runs: IsRun, strict: boolean): Check {
  const name = CHECKS.run;
  const all = pods.flatMap(({ spec }) => allContainers(spec));
  const others = all.filter((container) => !runs(container)).map((container) => container.name);
  if (others.length === 0) return check(name, true, all.map((probe) => probe.name).join(', '));
  const text = `not run: ${others.join(', ')} (only --create, or a command for each, runs all containers)`;
  return strict ? check(name, false, text) : skipped(name, text);
}

export const NOT_REACHED = 'not reached';

/** Checks that startup took no longer than the startup probe allows; undefined while it still may. */
export function startupCheck({ pods }: Summary): Check | undefined {
  const name = CHECKS.startup;
  const probed = pods.flatMap((pod) =>
    pod.containers.flatMap((container) => {
      const probe = probeOf(container.spec, 'startup');
      return probe === undefined ? [] : [{ pod, container, probe }];
    }),
  );
  if (probed.length === 0) return skipped(name, 'no startup probe');
  const failed = probed.find(({ container }) =>
    container.runs.some(
      ({ killReason, exitCode, startError }) =>
        killReason === 'StartupProbe' ||
        startError !== undefined ||
        (exitCode !== undefined && !container.started),
    ),
  );
  if (failed !== undefined) {
    const cause = causeOf(failed.pod, failed.container);
    return check(name, false, `${podPrefix(pods, failed.pod)}${cause}`);
  }
  if (!probed.every(({ container }) => container.started)) return undefined;
  const texts = probed.map(({ pod, container, probe }) => {
    const [seconds, budget] = [startupSeconds(container), startupBudget(probe)];
    // The first attempt may come up to a period after the delay; the last one then exceeds the budget.
    const limit = seconds <= budget ? ` of ${budget} s` : ', in the last attempt';
    return `${podPrefix(pods, pod)}${container.name} after ${formatSeconds(seconds)}${limit}`;
  });
  return check(name, true, texts.join(', '));
}

/** Checks that the pods are ready or have succeeded; what will not work in a pod is a `warning`. */
export function readyCheck(
  { pods }: Summary,
  verdict: Verdict,
  isReady: boolean,
  warning?: string,
): Check {
  if (verdict.kind === 'holds') {
    const text = pods.map(readyText).join(', ');
    return check(CHECKS.ready, isReady, warning === undefined ? text : `${text}; ${warning}`);
  }
  const late = pods.find((pod) => pod.phase !== 'Succeeded' && !isPodReady(pod));
  const container = late?.containers.find(({ role, ready }) => role !== 'init' && !ready);
  const cause = late && container && causeOf(late, container, '');
  if (late === undefined || cause === undefined || cause === '') {
    return check(CHECKS.ready, false, verdict.sentence);
  }
  return check(CHECKS.ready, false, `${podPrefix(pods, late)}${cause}`);
}

function readyText({ key, phase, firstReadyAt = 0, addedAt }: PodSummary): string {
  if (phase === 'Succeeded') return `${key} succeeded`;
  return `${key} after ${formatSeconds(firstReadyAt - addedAt)}`;
}

/** Checks that no container was restarted, and that it ran long enough for a lasting fault to show. */
export function aliveCheck({ pods }: Summary, verdict: Verdict): Check {
  const name = CHECKS.alive;
  for (const pod of pods) {
    const dead = pod.containers.find(({ runs, role }) => role !== 'init' && runs.length > 1);
    const killed = dead ?? pod.containers.find(({ runs }) => runs.at(-1)?.killReason);
    if (killed !== undefined) {
      return check(name, false, `${podPrefix(pods, pod)}${causeOf(pod, killed)}`);
    }
  }
  if (verdict.kind !== 'holds') return check(name, false, verdict.sentence);
  const probed = pods.flatMap((pod) =>
    pod.containers.flatMap(attemptTexts).map((text) => `${podPrefix(pods, pod)}${text}`),
  );
  return probed.length === 0
    ? skipped(name, 'no liveness or readiness probe')
    : check(name, true, probed.join('; '));
}

/** Returns what was seen of a container's probes: `app liveness: 12 attempts, 12 succeeded`. */
function attemptTexts({ name, probes }: ContainerView): readonly string[] {
  return probes
    .filter(({ type }) => type !== 'startup')
    .map(({ type, successes, failures, errors }) => {
      const attempts = counted(successes + failures + errors, 'attempt');
      return `${name} ${type}: ${attempts}, ${successes} succeeded`;
    });
}

/** Checks that each container that kprobe runs lived until the deletion at `after`, and exited before KILL. */
export function shutdownCheck(pods: readonly PodSummary[], after: number, runs: IsRun): Check {
  const name = CHECKS.shutdown;
  const texts: string[] = [];
  for (const pod of pods) {
    const grace = podGracePeriod(pod.object);
    for (const container of pod.containers.filter(runs)) {
      const run = container.runs.at(-1);
      if (container.role === 'init' || run?.startedAt === undefined) continue;
      const { endedAt, exitCode } = run;
      if (endedAt === undefined) return check(name, false, `${container.name} still runs`);
      if (endedAt < after) {
        const early = `${container.name} ended by itself before the deletion, exit code ${exitCode ?? '?'}`;
        return check(name, false, early);
      }
      const took = formatSeconds(endedAt - after);
      const killed = `${container.name} was killed after ${took}: the grace period is ${grace} s`;
      if (exitCode === 137) return check(name, false, killed);
      const ended = `${container.name} ended ${took} after the deletion (grace period ${grace} s)`;
      texts.push(`${ended}, exit code ${exitCode ?? '?'}`);
    }
  }
  return texts.length === 0 ? skipped(name, 'nothing runs') : check(name, true, texts.join(', '));
}

/** Numbers of requests during a shutdown, by their outcome. */
export interface RequestCounts {
  readonly answered: number;
  /** Accepted, and not answered whole, or with a server error that came with the deletion. */
  readonly lost: number;
  /** Not accepted: the server no longer listens, or the kernel has reset a connection that waited to be accepted. */
  readonly refused: number;
  /** Answered with a server error before the deletion already: such an endpoint shows nothing about traffic. */
  readonly failedBefore: number;
}

export function requestsCheck(counts: RequestCounts | undefined): Check {
  const name = CHECKS.requests;
  if (counts === undefined) return skipped(name, 'no httpGet probe names an endpoint');
  const { answered, lost, refused, failedBefore } = counts;
  if (failedBefore > 0) {
    return skipped(name, 'the endpoint answers with 5xx all along: name another, --traffic-path /');
  }
  const after = refused === 0 ? '' : `, ${refused} refused after the server stopped listening`;
  return check(name, lost === 0, `${answered} answered, ${lost} lost${after}`);
}

/** Names the pod where there are several. */
function podPrefix(pods: readonly PodSummary[], { key }: PodSummary): string {
  return pods.length > 1 ? `${key}: ` : '';
}

/** Returns the diagnosis of a container, or else its state. */
function causeOf(
  pod: PodSummary,
  { name, state, runs }: ContainerView,
  otherwise = `${name}: ${state.text}`,
): string {
  const now = runs.at(-1)?.startedAt ?? 0;
  const found = diagnosePod(pod, now).find(({ subject }) => subject.container === name);
  if (found === undefined) return otherwise;
  return diagnosisText({ ...found, next: undefined });
}
