import { parseQuantity, type Quantity, roundUpToMilli } from '../values/quantity.js';
import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;
type ResourceList = Readonly<Record<string, string>>;
type Amounts = Map<string, Quantity>;

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
