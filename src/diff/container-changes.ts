import { type Container, type Pod, present } from '../api/index.js';
import type { Span } from '../explain/probe-times.js';
import { stopTimes } from '../explain/stop-times.js';
import {
  hashContainer,
  setTerminationGracePeriod,
} from '../kubelet/containers/container-to-kill.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';

export type Role = 'container' | 'sidecar' | 'init';

/** A container of either pod, as the kubelet tells it from another. */
export interface ContainerChange {
  readonly name: string;
  readonly role: Role;
  /** The kubelet's container hash, of name and image; absent where there is no such container. */
  readonly hash: { readonly before?: string; readonly after?: string };
  readonly image: { readonly before?: string; readonly after?: string };
  /** Set when the kubelet restarts it in a pod that runs: how long its stop takes, in seconds. */
  readonly stops?: Span;
}

/** A container and the list of the pod that it is in. */
interface Found {
  readonly container: Container;
  readonly role: Role;
}

/** The containers of which the hash differs, or which only one of the pods has; by name. */
export function containerChanges(before: Pod, after: Pod): ContainerChange[] {
  const [olds, news] = [containersOf(before), containersOf(after)];
  const names = [...new Set([...olds.keys(), ...news.keys()])];
  return names.flatMap((name) => changeOf(name, before, olds.get(name), news.get(name)));
}

function containersOf({ spec }: Pod): ReadonlyMap<string, Found> {
  const inits = (spec.initContainers ?? []).map((container): [string, Found] => [
    container.name,
    { container, role: isRestartableInitContainer(container) ? 'sidecar' : 'init' },
  ]);
  const regular = spec.containers.map((container): [string, Found] => [
    container.name,
    { container, role: 'container' },
  ]);
  return new Map([...inits, ...regular]);
}

function changeOf(
  name: string,
  pod: Pod,
  old: Found | undefined,
  now: Found | undefined,
): ContainerChange[] {
  const role = (now ?? old)?.role ?? 'container';
  const hash = present({
    before: old && hashContainer(old.container),
    after: now && hashContainer(now.container),
  });
  if (hash.before === hash.after) return [];
  const image = present({ before: old?.container.image, after: now?.container.image });
  const change = { name, role, hash, image };
  // An init container that has ended is not run again for another image.
  if (old === undefined || now === undefined || role === 'init') return [change];
  const grace = setTerminationGracePeriod(pod, old.container, 'Unknown');
  return [{ ...change, stops: stopTimes(old.container, grace) }];
}
