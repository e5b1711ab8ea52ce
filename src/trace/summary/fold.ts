import type { TraceLine } from '../trace-line.js';
import type { ContainerView } from './container-view.js';
import { foldActions, foldContainerEvent, foldStatus } from './fold-container.js';
import { foldEvent } from './fold-event.js';
import { foldProbeEvent } from './fold-probe.js';
import { containersOf, newPodSummary } from './new-pod.js';
import { appendBounded, type PodSummary, type Summary } from './summary.js';

/** Notes that are remembered. */
const MAX_NOTES = 100;

/** What stands after one more line. */
export function fold(summary: Summary, event: TraceLine): Summary {
  const { t } = event;
  if (event.kind === 'note') {
    const { level, text } = event;
    return { ...summary, t, notes: appendBounded(summary.notes, { t, level, text }, MAX_NOTES) };
  }
  if (event.kind === 'runtime') {
    const { runtimeError, ...rest } = summary;
    return event.up
      ? { ...rest, t }
      : { ...rest, t, runtimeError: event.error ?? 'it cannot be reached' };
  }
  const known = summary.pods.find(({ key }) => key === event.pod);
  if (known === undefined) {
    if (event.kind !== 'pod') return { ...summary, t };
    return { ...summary, t, pods: [...summary.pods, newPodSummary(event.pod, event.object, t)] };
  }
  const pod = foldPod(known, event);
  if (pod === known) return { ...summary, t };
  return { ...summary, t, pods: summary.pods.map((p) => (p === known ? pod : p)) };
}

type PodEvent = Exclude<TraceLine, { kind: 'runtime' | 'note' }>;

function foldPod(pod: PodSummary, event: PodEvent): PodSummary {
  const { t } = event;
  switch (event.kind) {
    case 'pod':
      return {
        ...pod,
        object: event.object,
        containers: containersOf(event.object, pod.containers),
      };
    case 'action':
      return event.do === 'delete' ? { ...pod, deletedAt: t } : pod;
    case 'status':
      return foldStatus(pod, event, t);
    case 'event':
      return foldEvent(pod, event, t);
    case 'actions':
      return foldActions(pod, event, t);
    case 'runPodSandbox':
    case 'stopPodSandbox':
      return pod;
    case 'attempt':
    case 'attemptDone':
    case 'worker':
      return inContainer(pod, event.container, (c) => foldProbeEvent(c, event, t));
    default:
      return inContainer(pod, event.container, (c) => foldContainerEvent(c, event, t));
  }
}

function inContainer(
  pod: PodSummary,
  name: string,
  change: (container: ContainerView) => ContainerView,
): PodSummary {
  return {
    ...pod,
    containers: pod.containers.map((c) => (c.name === name ? change(c) : c)),
  };
}
