import { parseQuantity, type Pod, type PodQOSClass, type ResourceList } from '../../api/index.js';

const COMPUTE_RESOURCES = ['cpu', 'memory'] as const;

/** The pod's quality of service. Ports GetPodQOS (pkg/apis/core/v1/helper/qos/qos.go). */
export function getPodQOS(pod: Pod): PodQOSClass {
  if (pod.status.qosClass !== undefined) return pod.status.qosClass;
  const { resources, containers, initContainers = [] } = pod.spec;
  const requirements =
    resources === undefined
      ? [...containers, ...initContainers].map((container) => container.resources ?? {})
      : [resources];
  const requests = sum(requirements.map((r) => r.requests));
  const limits = sum(requirements.map((r) => r.limits));
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const allLimited = requirements.every(({ limits: own }) =>
    COMPUTE_RESOURCES.every((name) => amount(own?.[name]) > 0n),
  );
  const equal = COMPUTE_RESOURCES.every((name) => requests.get(name) === limits.get(name));
  return allLimited && equal ? 'Guaranteed' : 'Burstable';
}

function sum(lists: readonly (ResourceList | undefined)[]): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const list of lists) {
    for (const name of COMPUTE_RESOURCES) {
      const value = amount(list?.[name]);
      if (value > 0n) total.set(name, (total.get(name) ?? 0n) + value);
    }
  }
  return total;
}

/** A quantity in billionths. */
function amount(text: string | undefined): bigint {
  const parsed = parseQuantity(text ?? '0');
  return parsed.kind === 'quantity' ? parsed.quantity.nano : 0n;
}
