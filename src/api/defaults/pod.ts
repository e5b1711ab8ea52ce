import type { Decoded } from '../schema/decoded.js';
import { setDefaultsContainer } from './container.js';
import { setDefaultsPodResources } from './pod-resources.js';
import { setDefaultsVolume } from './volume.js';

type UncheckedContainer = Decoded<'Container'>;
type UncheckedPodSpec = Decoded<'PodSpec'>;

const DEFAULT_TERMINATION_GRACE_PERIOD_SECONDS = 30;

/**
 * The defaults that a pod spec gets wherever it stands, in a pod or in a template. Ports SetDefaults_PodSpec
 * (pkg/apis/core/v1/defaults.go) and what zz_generated.defaults.go calls for the parts.
 */
export function setDefaultsPodSpec(spec: UncheckedPodSpec): UncheckedPodSpec {
  const { volumes, initContainers, ephemeralContainers } = spec;
  return {
    ...spec,
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    restartPolicy: spec.restartPolicy ?? 'Always',
    securityContext: spec.securityContext ?? {},
    terminationGracePeriodSeconds:
      spec.terminationGracePeriodSeconds ?? DEFAULT_TERMINATION_GRACE_PERIOD_SECONDS,
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    ...(volumes && { volumes: volumes.map(setDefaultsVolume) }),
    ...(initContainers && { initContainers: initContainers.map(setDefaultsContainer) }),
    containers: (spec.containers ?? []).map(setDefaultsContainer),
    ...(ephemeralContainers && {
      ephemeralContainers: ephemeralContainers.map(setDefaultsContainer),
    }),
  };
}

/** The defaults that only a pod gets, not a template. Ports SetDefaults_Pod (pkg/apis/core/v1/defaults.go). */
export function setDefaultsPod(spec: UncheckedPodSpec): UncheckedPodSpec {
  const complete = (container: UncheckedContainer): UncheckedContainer => {
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
}: UncheckedPodSpec): Pick<UncheckedPodSpec, 'terminationGracePeriodSeconds'> {
  return seconds < 0 ? { terminationGracePeriodSeconds: 1 } : {};
}

function requestsFromLimits(container: UncheckedContainer): UncheckedContainer {
  const limits = container.resources?.limits;
  if (limits === undefined) return container;
  const resources: Decoded<'ResourceRequirements'> = {
    ...container.resources,
    requests: { ...limits, ...container.resources?.requests },
  };
  return { ...container, resources };
}

/** Ports defaultHostNetworkPorts (pkg/apis/core/v1/defaults.go). */
function defaultHostNetworkPorts(container: UncheckedContainer): UncheckedContainer {
  if (container.ports === undefined) return container;
  const ports = container.ports.map((port) => ({
    ...port,
    hostPort: port.hostPort ?? port.containerPort,
  }));
  return { ...container, ports };
}
