import {
  type Container,
  nanoOf,
  type Pod,
  type ResourceFieldSelector,
  type ResourceList,
  type ResourceRequirements,
} from '../../api/index.js';
import { fail, ok, type Result } from '../../go/result.js';

const NANO = 1_000_000_000n;
const MILLI = NANO / 1000n;
/** Resources whose limit defaults to the node's capacity. */
const DEFAULTED = ['cpu', 'memory', 'ephemeral-storage'];
/** Resources for which a limit of the whole pod takes precedence. */
const POD_LEVEL = ['cpu', 'memory'];

/**
 * A container's limit or request, in units of the divisor, rounded up. Ports containerResourceRuntimeValue
 * (pkg/kubelet/kubelet_pods.go).
 */
export function containerResourceRuntimeValue(
  selector: ResourceFieldSelector,
  pod: Pod,
  container: Container,
  allocatable: ResourceList,
): Result<string> {
  const { containerName = '' } = selector;
  const limits = defaultLimits(pod, allocatable);
  if (containerName === '') {
    return extractContainerResourceValue(selector, withLimits(container.resources, limits));
  }
  const regular = pod.spec.containers.find(({ name }) => name === containerName);
  if (regular !== undefined) {
    return extractContainerResourceValue(selector, withLimits(regular.resources, limits));
  }
  // The limits of init containers are not defaulted.
  const init = pod.spec.initContainers?.find(({ name }) => name === containerName);
  if (init !== undefined) return extractContainerResourceValue(selector, init.resources ?? {});
  return fail(`container ${containerName} not found`);
}

/** Ports ExtractContainerResourceValue (pkg/api/v1/resource/helpers.go). */
function extractContainerResourceValue(
  { resource, divisor }: ResourceFieldSelector,
  { limits = {}, requests = {} }: ResourceRequirements,
): Result<string> {
  const [, kind, name = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  if (kind === undefined || !(DEFAULTED.includes(name) || name.startsWith('hugepages-'))) {
    return fail(`unsupported container resource : ${resource}`);
  }
  const amount = nanoOf((kind === 'limits' ? limits : requests)[name]);
  const unit = nanoOf(divisor) || NANO;
  const step = name === 'cpu' ? MILLI : NANO;
  const ratio = Math.ceil(Number(divideUp(amount, step)) / Number(divideUp(unit, step)));
  return ok(String(BigInt(ratio)));
}

/** Ports defaultPodLimitsForDownwardAPI (pkg/kubelet/kubelet_resources.go). */
function defaultLimits(pod: Pod, allocatable: ResourceList): ResourceList {
  const podLimits = pod.spec.resources?.limits ?? {};
  const entries = Object.entries(allocatable).map(([name, quantity]) => {
    const ofPod = POD_LEVEL.includes(name) ? podLimits[name] : undefined;
    return [name, ofPod === undefined || nanoOf(ofPod) === 0n ? quantity : ofPod] as const;
  });
  return Object.fromEntries(entries);
}

/** Ports MergeContainerResourceLimits (pkg/api/v1/resource/helpers.go). */
function withLimits(
  resources: ResourceRequirements = {},
  defaults: ResourceList,
): ResourceRequirements {
  const missing = Object.entries(defaults).filter(
    ([name]) => DEFAULTED.includes(name) && nanoOf(resources.limits?.[name]) === 0n,
  );
  return { ...resources, limits: { ...resources.limits, ...Object.fromEntries(missing) } };
}

function divideUp(value: bigint, step: bigint): bigint {
  return value / step + (value % step > 0n ? 1n : 0n);
}
