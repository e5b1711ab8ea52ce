import type { Pod } from '../../api/index.js';
import { diagnosePod } from '../../diagnosis/diagnosis.js';
import { diagnosisText } from '../../diagnosis/words.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { type Check, check, skipped } from '../../report/check.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { Verdict } from '../../trace/summary/verdict.js';

/** Names of the checks, in the order of the table. */
export const CHECKS = {
  startup: 'startup within its budget',
  ready: 'ready',
  alive: 'alive',
  shutdown: 'shutdown within the grace period',
  requests: 'no request lost in the shutdown',
} as const;

/** Checks that startup took no longer than the startup probe allows. */
export function startupCheck({ pods }: Summary): Check {
  const name = CHECKS.startup;
  const probed = pods.flatMap((pod) =>
    pod.containers.flatMap((container) => {
      const startup = container.probes.find(({ type }) => type === 'startup');
      const probe = probeOf(container.spec, 'startup');
      return startup && probe ? [{ pod, container, startup, probe }] : [];
    }),
  );
  if (probed.length === 0) return skipped(name, 'no startup probe');
  const killed = probed.find(({ container }) =>
    container.runs.some(({ killReason }) => killReason === 'StartupProbe'),
  );
  const failed = killed ?? probed.find(({ container }) => !container.started);
  if (failed !== undefined) return check(name, false, whyOf(failed.pod, failed.container));
  const texts = probed.map(({ container, startup, probe }) => {
    const budget = probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
    const success = startup.attempts.find(({ result }) => result === 'success');
    const took = (success?.endedAt ?? 0) - (container.runs[0]?.startedAt ?? 0);
    return `${container.name} after ${formatSeconds(took)} of ${budget} s`;
  });
  return check(name, true, texts.join(', '));
}

export function readyCheck({ pods }: Summary, verdict: Verdict): Check {
  const late = pods.find(({ conditions }) => conditions['Ready'] !== 'True');
  if (late !== undefined || verdict.kind !== 'holds')
    return check(CHECKS.ready, false, verdict.sentence);
  const texts = pods.map(
    ({ key, firstReadyAt = 0, addedAt }) => `${key} after ${formatSeconds(firstReadyAt - addedAt)}`,
  );
  return check(CHECKS.ready, true, texts.join(', '));
}

/** Seconds of the longest period of a liveness probe; undefined where there is none. */
export function livenessPeriod(pods: readonly Pod[]): number | undefined {
  const periods = pods.flatMap(({ spec }) =>
    spec.containers.flatMap(({ livenessProbe }) => livenessProbe?.periodSeconds ?? []),
  );
  return periods.length === 0 ? undefined : Math.max(...periods);
}

export function livenessCheck({ pods }: Summary, periods: number, verdict: Verdict): Check {
  const name = CHECKS.alive;
  for (const pod of pods) {
    const dead = pod.containers.find(({ runs, role }) => role !== 'init' && runs.length > 1);
    const restarted = dead ?? pod.containers.find(({ runs }) => runs.at(-1)?.killReason);
    if (restarted !== undefined) return check(name, false, whyOf(pod, restarted));
  }
  if (verdict.kind !== 'holds') return check(name, false, verdict.sentence);
  const period = livenessPeriod(pods.map(({ object }) => object)) ?? 1;
  const text = `${counted(periods, 'period')} of ${period} s without a failure that counts`;
  return check(name, true, text);
}

/** Checks that each container exited before KILL. */
export function shutdownCheck(pods: readonly PodSummary[], after: number): Check {
  const name = CHECKS.shutdown;
  const texts: string[] = [];
  for (const pod of pods) {
    const grace = pod.object.spec.terminationGracePeriodSeconds ?? 30;
    for (const { name: container, runs, role } of pod.containers) {
      const run = runs.at(-1);
      if (role === 'init' || run?.startedAt === undefined) continue;
      const { endedAt, exitCode } = run;
      if (endedAt === undefined) return check(name, false, `${container} still runs`);
      const took = formatSeconds(endedAt - after);
      const killed = `${container} was killed after ${took}: the grace period is ${grace} s`;
      if (exitCode === 137) return check(name, false, killed);
      const ended = `${container} ended ${took} after the deletion (grace period ${grace} s)`;
      texts.push(`${ended}, exit code ${exitCode ?? '?'}`);
    }
  }
  return check(name, true, texts.join(', '));
}

export interface RequestCounts {
  readonly answered: number;
  /** Accepted, and never answered. */
  readonly lost: number;
  /** Not accepted: the server listens no more. The kernel resets connections that it had not taken by then. */
  readonly refused: number;
}

export function requestsCheck(counts: RequestCounts | undefined): Check {
  const name = CHECKS.requests;
  if (counts === undefined) return skipped(name, 'no httpGet probe names an endpoint');
  const { answered, lost, refused } = counts;
  const after = refused === 0 ? '' : `, ${refused} refused after the server stopped listening`;
  return check(name, lost === 0, `${answered} answered, ${lost} lost${after}`);
}

/** Returns the diagnosis of a container, or its state. */
function whyOf(pod: PodSummary, { name, state, runs }: ContainerView): string {
  const found = diagnosePod(pod, runs.at(-1)?.startedAt ?? 0).find(
    ({ subject }) => subject.container === name,
  );
  if (found === undefined) return `${name}: ${state.text}`;
  return diagnosisText({ ...found, next: undefined });
}
