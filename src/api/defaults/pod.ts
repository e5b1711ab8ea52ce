import { aggregateContainerResources, isHugePageResourceName } from '../helpers/resources.js';
import {
  type ApiServer,
  DEFAULT_SERVER,
  isServerSince,
  treatmentOf,
} from '../schema/api-server.js';
import type { Decoded, v1 } from '../schema/schema.js';
import { formatQuantity } from '../values/quantity.js';
import { setDefaults } from './defaults.js';

type Container = Decoded<v1.Container>;
type PodSpec = Decoded<v1.PodSpec>;
type ResourceList = Readonly<Record<string, string>>;

/** Sets the defaults that a pod spec gets both in a pod and in a template. */
export function setDefaultsPodSpec(spec: PodSpec): PodSpec {
  return setDefaults('PodSpec', spec);
}

/** The defaults that only a pod gets, not a template. Ports SetDefaults_Pod (pkg/apis/core/v1/defaults.go). */
export function setDefaultsPod(spec: PodSpec, server?: ApiServer): PodSpec {
  const hasProtocol =
    server !== undefined && treatmentOf('HTTPGetAction', 'protocol', server).kind === 'stored';
  const complete = (container: Container): Container => {
    const withRequests = requestsFromLimits(
      hasProtocol ? defaultHTTPProbeProtocol(container) : container,
    );
    return spec.hostNetwork === true ? defaultHostNetworkPorts(withRequests) : withRequests;
  };
  const withContainers = {
    ...spec,
    enableServiceLinks: spec.enableServiceLinks ?? true,
    // A negative grace period becomes 1: Convert_v1_Pod_To_core_Pod (pkg/apis/core/v1/conversion.go). A template
    // keeps it.
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0 && { terminationGracePeriodSeconds: 1 }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(complete) }),
    containers: (spec.containers ?? []).map(complete),
  };
  return setDefaultsPodResources(withContainers, server ?? DEFAULT_SERVER);
}

function requestsFromLimits(container: Container): Container {
  const limits = container.resources?.limits;
  if (limits === undefined) return container;
  const resources: Decoded<v1.ResourceRequirements> = {
    ...container.resources,
    requests: { ...limits, ...container.resources?.requests },
  };
  return { ...container, resources };
}

/** Ports defaultHTTPProbeProtocol (pkg/apis/core/v1/defaults.go of v1.37). */
function defaultHTTPProbeProtocol(container: Container): Container {
  const { startupProbe, readinessProbe, livenessProbe, lifecycle } = container;
  const { postStart, preStop } = lifecycle ?? {};
  return {
    ...container,
    ...withProtocol({ startupProbe, readinessProbe, livenessProbe }),
    ...(lifecycle && { lifecycle: { ...lifecycle, ...withProtocol({ postStart, preStop }) } }),
  };
}

function withProtocol(
  handlers: Readonly<Record<string, Decoded<v1.LifecycleHandler> | undefined>>,
): object {
  const entries = Object.entries(handlers).flatMap(([name, handler]) => {
    if (handler?.httpGet === undefined) return [];
    return [[name, { ...handler, httpGet: { protocol: 'HTTP1', ...handler.httpGet } }] as const];
  });
  return Object.fromEntries(entries);
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
 * Completes the resources of the pod itself from those of its containers. Ports defaultHugePagePodLimits and
 * defaultPodRequests (pkg/apis/core/v1/defaults.go).
 */
function setDefaultsPodResources(spec: PodSpec, server: ApiServer): PodSpec {
  const { resources } = spec;
  if (resources === undefined) return spec;
  const isBeta = isServerSince('1.34', server);
  const limits = { ...(isBeta && hugePageLimits(spec)), ...resources.limits };
  const requests = { ...resources.requests };
  // 1.32 has no huge pages, and from 1.34 on requests follow from their limits.
  const isSummed = !isBeta && isServerSince('1.33', server) ? isHugePageResourceName : () => false;
  if (Object.keys(limits).length > 0) addRequests(spec, limits, requests, isSummed);
  return {
    ...spec,
    resources: {
      ...resources,
      ...(Object.keys(limits).length > 0 && { limits }),
      ...(Object.keys(requests).length > 0 && { requests }),
    },
  };
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

function addRequests(
  spec: PodSpec,
  limits: ResourceList,
  requests: Record<string, string>,
  isSummed: (name: string) => boolean,
): void {
  for (const [name, amount] of aggregateContainerResources(spec, 'requests')) {
    if (name === 'cpu' || name === 'memory' || isSummed(name))
      requests[name] ??= formatQuantity(amount);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (name === 'cpu' || name === 'memory' || isHugePageResourceName(name))
      requests[name] ??= limit;
  }
}

type Labels = Readonly<Record<string, string>>;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * Makes the label keys of a pod's affinity and spread constraints part of their selectors, with the values
 * of the pod's own labels. Ports mutatePodAffinity and mutateTopologySpreadConstraints
 * (pkg/registry/core/pod/strategy.go), which a template does not pass through.
 */
export function applyLabelKeys(spec: PodSpec, labels: Labels = {}): PodSpec {
  const { affinity, topologySpreadConstraints: constraints } = spec;
  if (affinity === undefined && constraints === undefined) return spec;
  return {
    ...spec,
    affinity: affinity && {
      ...affinity,
      podAffinity: applyToTerms(affinity.podAffinity, labels),
      podAntiAffinity: applyToTerms(affinity.podAntiAffinity, labels),
    },
    topologySpreadConstraints: constraints?.map((each) => applyToTerm(each, labels)),
  };
}

function applyToTerms(terms: Decoded<v1.PodAffinity> | undefined, labels: Labels) {
  return (
    terms && {
      [REQUIRED]: terms[REQUIRED]?.map((each) => applyToTerm(each, labels)),
      [PREFERRED]: terms[PREFERRED]?.map(({ podAffinityTerm = {}, ...each }) => ({
        ...each,
        podAffinityTerm: applyToTerm(podAffinityTerm, labels),
      })),
    }
  );
}

type Term = Pick<
  Decoded<v1.PodAffinityTerm>,
  'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'
>;

/** Adds the label keys to a term's selector. A term without a selector matches nothing and stays unchanged. */
function applyToTerm<T extends Term>(term: T, labels: Labels): T {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const added = [
    ...expressions(matchLabelKeys, 'In', labels),
    ...expressions(mismatchLabelKeys, 'NotIn', labels),
  ];
  if (labelSelector === undefined || added.length === 0) return term;
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
  return { ...term, labelSelector: { ...labelSelector, matchExpressions } };
}

function expressions(
  keys: readonly string[],
  operator: string,
  labels: Labels,
): Decoded<v1.LabelSelectorRequirement>[] {
  return keys
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
}
