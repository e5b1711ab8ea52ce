import { parseProbeMessage, reportedOutcome } from '../../diagnosis/kubelet-message.js';
import type { AttemptOutcome } from '../../kubelet/ports.js';
import type { ProbeType } from '../../trace/event.js';
import type { ContainerObserver } from './container-observer.js';
import type { ClusterEvent } from './decode-objects.js';
import { type Divergence, startupGateDivergence, stillProbedDivergence } from './divergence.js';
import type { ProbeObserver } from './probe-observer.js';

interface AttemptReport {
  readonly event: ClusterEvent;
  /** Attempts since the previous report; undefined for the first one, which may count attempts of earlier runs. */
  readonly more: number | undefined;
  readonly now: number;
  /** When the last attempt ended, if that is long ago. */
  readonly at: number | undefined;
  /** The kubelet may have dropped reports. */
  readonly silent: boolean;
}

/** Milliseconds for which a report waits for the status that shows its container running. */
const MAX_WAIT = 10_000;

/** Turns the Unhealthy and ProbeWarning events of a pod into attempts. */
export class AttemptReports {
  #waiting: { readonly container: string; readonly report: AttemptReport }[] = [];
  /** First report of a probe that has to wait for startup, by container and probe. */
  readonly #gated = new Map<string, { readonly run: number | undefined; readonly at: number }>();

  /** Applies a report; returns a divergence if there is one. */
  report(container: ContainerObserver, report: AttemptReport): Divergence | undefined {
    const { event, now, at } = report;
    const message = parseProbeMessage(event.message);
    const probe = message && container.probes.get(message.probe);
    if (message === undefined || probe === undefined) return undefined;
    const outcome = reportedOutcome(message, probe.spec);
    if (!container.isRunning && outcome.error === undefined && at === undefined) {
      this.#waiting.push({ container: container.name, report });
      return undefined;
    }
    const ended = at ?? now;
    const period = probe.spec.periodSeconds * 1000;
    const count = attemptsIn(report, probe, container.startedAt);
    const first = ended - (count - 1) * period;
    const isUnsure = outcome.error !== undefined || isOfSeveralRuns(report, container.startedAt);
    if (!isUnsure && probe.breakRow(first, report.silent)) {
      probe.succeed(now, (probe.quietSince ?? first) + period, 'inferred');
    }
    probe.recordRow(count, (left) => {
      const earlier = ended - left * period;
      return { outcome, evidence: 'seen', now, at: left === 0 ? at : earlier };
    });
    return at === undefined ? this.#divergence(container, probe, outcome, now) : undefined;
  }

  /** Applies the reports that came before the status of their run. */
  flush(containers: ReadonlyMap<string, ContainerObserver>, now: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) {
      const container = containers.get(each.container);
      const { event } = each.report;
      if (container === undefined || now - each.report.now > MAX_WAIT) continue;
      if (!container.isRunning) this.#waiting.push(each);
      else if ((event.lastAt ?? now) >= (container.startedAt ?? 0))
        this.report(container, each.report);
    }
  }

  #divergence(
    container: ContainerObserver,
    probe: ProbeObserver,
    outcome: AttemptOutcome,
    now: number,
  ): Divergence | undefined {
    if (outcome.result !== 'failure') return undefined;
    const { type, spec } = probe;
    const { reachedAt, inRow } = probe.watchRow(now);
    const early = startupGateDivergence(type, this.#gate(container, type, now), now);
    return early ?? stillProbedDivergence({ type, probe: spec }, reachedAt, now, inRow);
  }

  /** Returns the time of the first attempt in this run that should have waited for startup. */
  #gate({ name, probes, isUnstarted, startedAt }: ContainerObserver, type: ProbeType, now: number) {
    const key = `${name} ${type}`;
    const isEarly = type !== 'startup' && probes.has('startup') && isUnstarted;
    const before = this.#gated.get(key);
    if (!isEarly) this.#gated.delete(key);
    else if (before?.run !== startedAt) this.#gated.set(key, { run: startedAt, at: now });
    return this.#gated.get(key)?.at;
  }
}

/** Returns true if a count includes attempts of earlier runs, so that the number of this run's attempts is unknown. */
function isOfSeveralRuns({ event, more }: AttemptReport, startedAt = 0): boolean {
  return more === undefined && (event.firstAt ?? 0) < startedAt;
}

/** Returns the number of this run's attempts in a report. */
function attemptsIn(
  report: AttemptReport,
  { spec, type }: Pick<ProbeObserver, 'spec' | 'type'>,
  startedAt: number | undefined,
): number {
  const { event, more, at, now } = report;
  if (more !== undefined) return Math.max(1, more);
  const { count, firstAt = 0, lastAt = at ?? now } = event;
  const periods = (lastAt - firstAt) / 1000 / spec.periodSeconds;
  // Attempts with pauses between them are not in a row.
  if (isOfSeveralRuns(report, startedAt) || count - 1 < periods - 0.5) return 1;
  return type === 'readiness' ? count : Math.min(count, spec.failureThreshold);
}
