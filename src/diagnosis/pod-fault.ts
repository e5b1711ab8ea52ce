import { isPodReady } from '../trace/summary/condition-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { advise } from './change.js';
import type { Finding, Trouble } from './fault.js';
import { parseKubeletMessage } from './kubelet-message.js';
import { missingObject } from './start-fault.js';

/** Returns what keeps the pod as a whole: no node, a volume, a readiness gate. */
export function podTroubles(pod: PodSummary): (Trouble & { readonly container: string })[] {
  if (pod.deletedAt !== undefined) return [];
  const finding = unscheduled(pod) ?? unmounted(pod) ?? closedGate(pod);
  if (finding === undefined) return [];
  const urgency = finding.fault.kind === 'gate' ? 'notReady' : 'blocked';
  return [{ ...finding, urgency, symptom: { kind: 'waiting' }, needed: 0, container: '' }];
}

function unscheduled({ status }: PodSummary): Finding | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return undefined;
  const fault = { kind: 'unschedulable', text: scheduled.message ?? '' } as const;
  return { fault, certainty: 'proven', evidence: [], changes: advise({ do: 'schedule' }) };
}

/** The kubelet mounts volumes before it starts the first container. */
function unmounted({ events, containers }: PodSummary): Finding | undefined {
  if (containers.some(({ runs }) => runs.length > 0)) return undefined;
  const event = events.findLast(({ reason }) => reason === 'FailedMount');
  const message = event && parseKubeletMessage(event.message);
  if (message?.kind !== 'mount') return undefined;
  const { volume = '', text } = message;
  const missing = missingObject(text);
  const changes = advise(
    missing === undefined
      ? { do: 'correct', fields: ['volumes'] }
      : { do: 'addObject', ...missing },
  );
  return {
    fault: { kind: 'mountFailed', volume, text, missing },
    certainty: 'proven',
    evidence: [],
    changes,
  };
}

function closedGate(pod: PodSummary): Finding | undefined {
  const { object, status, containers } = pod;
  const gates = object.spec.readinessGates ?? [];
  const all = containers.filter(({ role }) => role !== 'init');
  if (gates.length === 0 || isPodReady(pod) || !all.every(({ ready }) => ready)) {
    return undefined;
  }
  const closed = gates.find(
    ({ conditionType }) =>
      status?.conditions?.find(({ type }) => type === conditionType)?.status !== 'True',
  );
  if (closed === undefined) return undefined;
  const gate = closed.conditionType;
  const changes = advise({ do: 'setCondition', gate });
  return { fault: { kind: 'gate', gate }, certainty: 'proven', evidence: [], changes };
}
