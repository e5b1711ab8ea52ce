import { aggregateContainerResources } from '../helpers/resources.js';
import type { Decoded } from '../schema/decoded.js';
import { formatQuantity } from '../values/quantity.js';
import { isHugePageResourceName } from '../values/resource-names.js';
import { setDefaults } from './defaults.js';

type Container = Decoded<'Container'>;
type PodSpec = Decoded<'PodSpec'>;
type ResourceList = Readonly<Record<string, string>>;

/** Sets the defaults that a pod spec gets wherever it stands, in a pod or in a template. */
export function setDefaultsPodSpec(spec: PodSpec): PodSpec {
  return setDefaults('PodSpec', spec);
}

/** The defaults that only a pod gets, not a template. Ports SetDefaults_Pod (pkg/apis/core/v1/defaults.go). */
export function setDefaultsPod(spec: PodSpec): PodSpec {
  const complete = (container: Container): Container => {
    const withRequests = requestsFromLimits(container);
    return spec.hostNetwork === true ? defaultHostNetworkPorts(withRequests) : withRequests;
  };
  return setDefaultsPodResources({
    ...spec,
    enableServiceLinks: spec.enableServiceLinks ?? true,
    ...negativeGracePeriod(spec),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(complete) }),
    containers: (spec.containers ?? []).map(complete),
  });
}

/**
 * A negative one becomes 1 without a word: Convert_v1_Pod_To_core_Pod (pkg/apis/core/v1/conversion.go). A
 * template keeps it.
 */
function negativeGracePeriod({
  terminationGracePeriodSeconds: seconds = 0,
}: PodSpec): Pick<PodSpec, 'terminationGracePeriodSeconds'> {
  return seconds < 0 ? { terminationGracePeriodSeconds: 1 } : {};
}

function requestsFromLimits(container: Container): Container {
  const limits = container.resources?.limits;
  if (limits === undefined) return container;
  const resources: Decoded<'ResourceRequirements'> = {
    ...container.resources,
    requests: { ...limits, ...container.resources?.requests },
  };
  return { ...container, resources };
}

/** Ports defaultHostNetworkPorts (pkg/apis/core/v1/defaults.go). */
function defaultHostNetworkPorts(container: Container): Container {
  if (container.ports === undefined) return container;
  const ports = container.ports.map((port) => ({
    ...port,
    hostPort: port.hostPort ?? port.containerPort,
  }));
  return { ...container, ports };
}

/**
 * The pod's own resources, completed from its containers'. Ports defaultHugePagePodLimits and defaultPodRequests
 * (pkg/apis/core/v1/defaults.go).
 */
function setDefaultsPodResources(spec: PodSpec): PodSpec {
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
