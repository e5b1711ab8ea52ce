import { parseQuantity } from './quantity.js';
import type { Decoded } from './schema/decoded.js';
import type { PodQOSClass } from './types/status.js';

type PodSpec = Decoded<'PodSpec'>;
type Resources = Decoded<'ResourceRequirements'>;

const QOS_RESOURCES = ['cpu', 'memory'];

/** Ports ComputePodQOS (pkg/apis/core/v1/helper/qos/qos.go). */
export function computePodQOS(spec: PodSpec): PodQOSClass {
  const all = resourcesOf(spec);
  const requests = sum(all.map((each) => each.requests));
  const limits = sum(all.map((each) => each.limits));
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const everyLimited = all.every(({ limits: own }) =>
    QOS_RESOURCES.every((name) => amount(own?.[name]) > 0n),
  );
  const equal =
    requests.size === limits.size &&
    [...requests].every(([name, value]) => limits.get(name) === value);
  return everyLimited && equal ? 'Guaranteed' : 'Burstable';
}

/** The pod's own resources when it says so, else those of its containers. */
function resourcesOf(spec: PodSpec): readonly Resources[] {
  const { resources, containers = [], initContainers = [] } = spec;
  if (resources) return [resources];
  return [...containers, ...initContainers].map((container) => container.resources ?? {});
}

function sum(
  lists: readonly (Readonly<Record<string, string>> | undefined)[],
): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const list of lists) {
    for (const name of QOS_RESOURCES) {
      const value = amount(list?.[name]);
      if (value > 0n) total.set(name, (total.get(name) ?? 0n) + value);
    }
  }
  return total;
}

function amount(text: string | undefined): bigint {
  const parsed = parseQuantity(text ?? '0');
  return parsed.kind === 'quantity' ? parsed.quantity.nano : 0n;
}
