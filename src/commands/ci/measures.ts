import type { Container } from '../../api/index.js';
import { podGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { containerPath } from '../../report/run-report.js';
import { startupBudget } from '../../schedule/probe-times.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import { percentile } from '../../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';

/** Distinguishes the containers that kprobe runs from those that it only assumes. */
export type IsRun = (container: Pick<Container, 'name'>) => boolean;

/** A time of one start of the pods, and the setting that limits it. Times are in seconds. */
export interface Measure {
  /** `namespace/name` of the pod. */
  readonly pod: string;
  /** `app startup`: with the pod, it identifies the measure in every start. */
  readonly name: string;
  /** `startup took`, `readiness p99` */
  readonly words: string;
  readonly seconds: number;
  /** Absent where no setting limits it. */
  readonly limit?: number;
  /** The smallest difference between two starts that counts. */
  readonly resolution: number;
  /** The field of the pod that sets the limit. */
  readonly path: string;
}

/** One measure over all starts, beside those of the baseline. */
export interface Margin extends Measure {
  readonly now: readonly number[];
  /** Empty without a baseline. */
  readonly before: readonly number[];
}

/** Differences up to this share of a limit do not count. */
const MAX_CHANGE = 0.05;

/** Returns the times of a start: `stable` is the state before the deletion at `deletedAt`, and `ended` the one after it. */
export function measuresOf(
  stable: Summary,
  ended: Summary,
  deletedAt: number,
  runs: IsRun,
): readonly Measure[] {
  return stable.pods
    .filter(({ phase }) => phase !== 'Succeeded')
    .flatMap((pod) => {
      const last = ended.pods.find(({ key }) => key === pod.key);
      const live = pod.containers.filter(({ role }) => role !== 'init');
      const starts = live.flatMap((container) => startupMeasure(pod, container));
      return [
        ...(starts.length === 0 ? readyMeasure(pod, live) : starts),
        ...live.flatMap((container) => latencyMeasures(pod, container)),
        ...(last?.containers ?? [])
          .filter(runs)
          .flatMap((container) => stopMeasure(pod, container, deletedAt)),
      ];
    });
}

/** Returns the seconds from a container's first start to the success of its startup probe. */
export function startupSeconds({ probes, runs }: ContainerView): number {
  const startup = probes.find(({ type }) => type === 'startup');
  const success = startup?.attempts.find(({ result }) => result === 'success');
  return (success?.endedAt ?? 0) - (runs[0]?.startedAt ?? 0);
}

function startupMeasure(pod: PodSummary, container: ContainerView): readonly Measure[] {
  const probe = probeOf(container.spec, 'startup');
  if (probe === undefined) return [];
  const limit = startupBudget(probe);
  return [
    {
      pod: pod.key,
      name: `${container.name} startup`,
      words: 'startup took',
      seconds: startupSeconds(container),
      limit,
      resolution: Math.max(probe.periodSeconds, MAX_CHANGE * limit),
      path: `${containerPath(pod, container.name)}.startupProbe`,
    },
  ];
}

/** Returns the time to ready of a pod without startup probes, which nothing limits. */
function readyMeasure(pod: PodSummary, live: readonly ContainerView[]): readonly Measure[] {
  const { key, firstReadyAt, addedAt } = pod;
  if (firstReadyAt === undefined) return [];
  const periods = live.map(({ spec }) => probeOf(spec, 'readiness')?.periodSeconds ?? 1);
  const subject = { pod: key, name: 'ready', words: 'ready after', path: 'spec' };
  return [{ ...subject, seconds: firstReadyAt - addedAt, resolution: Math.max(1, ...periods) }];
}

function latencyMeasures(pod: PodSummary, { name, spec, probes }: ContainerView) {
  return probes.flatMap(({ type, latencies }): readonly Measure[] => {
    const p99 = percentile(latencies, 99);
    const limit = probeOf(spec, type)?.timeoutSeconds;
    if (type === 'startup' || p99 === undefined || limit === undefined) return [];
    const subject = { pod: pod.key, name: `${name} ${type}`, words: `${type} p99` };
    const path = `${containerPath(pod, name)}.${type}Probe.timeoutSeconds`;
    return [{ ...subject, seconds: p99 / 1000, limit, resolution: MAX_CHANGE * limit, path }];
  });
}

function stopMeasure(
  { key, object }: PodSummary,
  { name, role, runs }: ContainerView,
  deletedAt: number,
): readonly Measure[] {
  const endedAt = runs.at(-1)?.endedAt;
  const limit = podGracePeriod(object);
  if (role === 'init' || endedAt === undefined || limit === 0) return [];
  const subject = { pod: key, name: `${name} shutdown`, words: 'shutdown took' };
  const path = 'spec.terminationGracePeriodSeconds';
  const seconds = Math.max(0, endedAt - deletedAt);
  return [{ ...subject, seconds, limit, resolution: MAX_CHANGE * limit, path }];
}
