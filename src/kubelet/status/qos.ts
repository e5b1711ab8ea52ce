import type { ResourceList } from '../../api/types/container.js';
import type { Pod } from '../../api/types/pod.js';
import type { PodQOSClass } from '../../api/types/status.js';

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
    COMPUTE_RESOURCES.every((name) => amount(own?.[name]) > 0),
  );
  const equal = COMPUTE_RESOURCES.every((name) => requests.get(name) === limits.get(name));
  return allLimited && equal ? 'Guaranteed' : 'Burstable';
}

function sum(lists: readonly (ResourceList | undefined)[]): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  for (const list of lists) {
    for (const name of COMPUTE_RESOURCES) {
      const value = amount(list?.[name]);
      if (value > 0) total.set(name, (total.get(name) ?? 0) + value);
    }
  }
  return total;
}

const SUFFIX: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A quantity as a number, which is exact enough to compare sums. */
function amount(quantity: string | undefined): number {
  const match = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([numkMGTPE]?|[KMGTPE]i)$/.exec(quantity ?? '');
  return match === null ? 0 : Number(match[1]) * (SUFFIX[match[2] ?? ''] ?? NaN);
}
