import type { Decoded } from '../schema/schema.js';
import type { Pod, PodQOSClass } from '../schema/stored.js';
import type * as v1 from '../schema/types.js';
import { nanoOf, parseQuantity, type Quantity, roundUpToMilli } from '../values/quantity.js';

type PodSpec = Decoded<v1.PodSpec>;
type ResourceList = Readonly<Record<string, string>>;
type Amounts = Map<string, Quantity>;

/**
 * Returns the resources of all containers: the sum of those that run at once, or those of an init container and the
 * sidecars before it. Ports AggregateContainerRequests and AggregateContainerLimits
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
    const resources = amounts(container.resources?.[list]);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) {
      add(total, resources);
      add(sidecars, resources);
    } else add(resources, sidecars);
    raise(needed, isSidecar ? sidecars : resources);
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

type Resources = Pick<Decoded<v1.ResourceRequirements>, 'requests' | 'limits'>;

/** The parts of a pod spec that determine its QoS class, with or without defaults. */
interface SpecWithResources {
  readonly resources?: Resources | undefined;
  readonly containers?: readonly { readonly resources?: Resources | undefined }[] | undefined;
  readonly initContainers?: readonly { readonly resources?: Resources | undefined }[] | undefined;
}

const QOS_RESOURCES = ['cpu', 'memory'];

/** Ports GetPodQOS (pkg/apis/core/v1/helper/qos/qos.go): a class that the API server stored is kept. */
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
    QOS_RESOURCES.every((name) => nanoOf(each.limits?.[name]) > 0n),
  );
  const equal = QOS_RESOURCES.every((name) => requests.get(name) === limits.get(name));
  return everyLimited && equal ? 'Guaranteed' : 'Burstable';
}

function sum(lists: readonly Resources['limits'][]): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const list of lists) {
    for (const name of QOS_RESOURCES) {
      const value = nanoOf(list?.[name]);
      if (value > 0n) total.set(name, (total.get(name) ?? 0n) + value);
    }
  }
  return total;
}

/* Ported from pkg/apis/core/helper/helpers.go, with its names. */

export const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];
const INTEGER_RESOURCES = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
export const STANDARD_RESOURCES = [
  ...CONTAINER_RESOURCES,
  ...CONTAINER_RESOURCES.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...INTEGER_RESOURCES,
  'storage',
  'requests.storage',
];

const MAX_PREFIX = 253;
/** A label key with a prefix; the `requests.` of a quota counts toward its length. */
const EXTENDED_NAME =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

export function isHugePageResourceName(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Ports IsIntegerResourceName (pkg/apis/core/helper/helpers.go), without extended resources. */
export function isIntegerResourceName(name: string): boolean {
  return INTEGER_RESOURCES.includes(name);
}

export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

export function isExtendedResourceName(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  const quotaName = `requests.${name}`;
  return quotaName.indexOf('/') <= MAX_PREFIX && EXTENDED_NAME.test(quotaName);
}

export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePageResourceName(name);
}
