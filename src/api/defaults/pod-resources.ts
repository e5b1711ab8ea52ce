import { aggregateContainerResources } from '../aggregate-resources.js';
import { formatQuantity } from '../quantity.js';
import { isHugePageResourceName } from '../resource-names.js';
import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;
type ResourceList = Readonly<Record<string, string>>;

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
