import { formatQuantity, parseQuantity, type Quantity, roundUpToMilli } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { isHugePageResourceName } from '../validation/resource-names.js';

type PodSpec = Decoded<'PodSpec'>;
type ResourceList = Readonly<Record<string, string>>;
type Amounts = Map<string, Quantity>;

/**
 * The pod's own resources, completed from its containers'. Ports defaultHugePagePodLimits and defaultPodRequests
 * (pkg/apis/core/v1/defaults.go).
 */
export function setDefaultsPodResources(spec: PodSpec): PodSpec {
  const { resources } = spec;
  if (resources === undefined) return spec;
  const limits = { ...hugePageLimits(spec), ...resources.limits };
  const requests = { ...resources.requests };
  if (Object.keys(limits).length > 0) addRequests(spec, limits, requests);
  return {
    ...spec,
    resources: {
      ...resources,
      ...(Object.keys(limits).length > 0 && { limits }),
      ...(Object.keys(requests).length > 0 && { requests }),
    },
  };
}

function isSupported(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePageResourceName(name);
}

function hugePageLimits(spec: PodSpec): ResourceList {
  const { limits = {}, requests = {} } = spec.resources ?? {};
  if (Object.keys({ ...limits, ...requests }).length === 0) return {};
  const sums = aggregateContainerResources(spec, 'limits');
  const entries = [...sums].filter(
    ([name]) => isHugePageResourceName(name) && !Object.hasOwn(requests, name),
  );
  return Object.fromEntries(entries.map(([name, amount]) => [name, formatQuantity(amount)]));
}

function addRequests(spec: PodSpec, limits: ResourceList, requests: Record<string, string>): void {
  for (const [name, amount] of aggregateContainerResources(spec, 'requests')) {
    if (name === 'cpu' || name === 'memory') requests[name] ??= formatQuantity(amount);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (isSupported(name)) requests[name] ??= limit;
  }
}

/**
 * What the containers of a pod ask for together: the sum of those that run at once, or what an init container
 * needs beside the sidecars before it. Ports AggregateContainerRequests and AggregateContainerLimits
 * (component-helpers resource/helpers.go).
 */
export function aggregateContainerResources(
  spec: PodSpec,
  list: 'limits' | 'requests',
): ReadonlyMap<string, Quantity> {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) add(total, amounts(container.resources?.[list]));
  const sidecars: Amounts = new Map();
  const needed: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container.resources?.[list]);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) {
      add(total, own);
      add(sidecars, own);
    } else add(own, sidecars);
    raise(needed, isSidecar ? sidecars : own);
  }
  raise(total, needed);
  return total;
}

function amounts(list: ResourceList = {}): Amounts {
  const parsed = Object.entries(list).flatMap(([name, text]) => {
    const result = parseQuantity(text);
    return result.kind === 'quantity' ? [[name, roundUpToMilli(result.quantity)] as const] : [];
  });
  return new Map(parsed);
}

function add(list: Amounts, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, { nano, format, text }] of more) {
    const known = list.get(name);
    const sum =
      known === undefined
        ? { nano, format, ...(text !== undefined && { text }) }
        : { nano: known.nano + nano, format: known.nano === 0n ? format : known.format };
    list.set(name, sum);
  }
}

function raise(list: Amounts, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of other) {
    const known = list.get(name);
    if (known === undefined || amount.nano > known.nano) list.set(name, amount);
  }
}
