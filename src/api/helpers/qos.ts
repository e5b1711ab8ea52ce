import type { Decoded } from '../schema/decoded.js';
import type { Pod } from '../types/pod.js';
import type { PodQOSClass } from '../types/status.js';
import { parseQuantity } from '../values/quantity.js';

type Resources = Pick<Decoded<'ResourceRequirements'>, 'requests' | 'limits'>;

/** The parts of a pod spec that decide its class, with or without defaults. */
interface SpecWithResources {
  readonly resources?: Resources | undefined;
  readonly containers?: readonly { readonly resources?: Resources | undefined }[] | undefined;
  readonly initContainers?: readonly { readonly resources?: Resources | undefined }[] | undefined;
}

const QOS_RESOURCES = ['cpu', 'memory'];

/** Ports GetPodQOS (pkg/apis/core/v1/helper/qos/qos.go): the class that the API server has stored stays. */
export function getPodQOS({ status, spec }: Pod): PodQOSClass {
  return status.qosClass ?? computePodQOS(spec);
}

/** Ports ComputePodQOS (pkg/apis/core/v1/helper/qos/qos.go). */
export function computePodQOS(spec: SpecWithResources): PodQOSClass {
  const { resources, containers = [], initContainers = [] } = spec;
  const all = resources
    ? [resources]
    : [...containers, ...initContainers].map((container) => container.resources ?? {});
  const requests = sum(all.map((each) => each.requests));
  const limits = sum(all.map((each) => each.limits));
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const everyLimited = all.every((each) =>
    QOS_RESOURCES.every((name) => amount(each.limits?.[name]) > 0n),
  );
  const equal = QOS_RESOURCES.every((name) => requests.get(name) === limits.get(name));
  return everyLimited && equal ? 'Guaranteed' : 'Burstable';
}

function sum(lists: readonly Resources['limits'][]): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const list of lists) {
    for (const name of QOS_RESOURCES) {
      const value = amount(list?.[name]);
      if (value > 0n) total.set(name, (total.get(name) ?? 0n) + value);
    }
  }
  return total;
}

/** A quantity in billionths. */
function amount(text = '0'): bigint {
  const parsed = parseQuantity(text);
  return parsed.kind === 'quantity' ? parsed.quantity.nano : 0n;
}
