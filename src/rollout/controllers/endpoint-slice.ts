import type { Pod } from '../../api/index.js';
import type { ApiPod, Service } from './objects.js';
import { isPodReady, isPodTerminal, isTerminating } from './pod-util.js';

/** Conditions of an endpoint in an EndpointSlice (discovery.k8s.io/v1). */
export interface EndpointConditions {
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** Returns the conditions of the pod's endpoint, or undefined when it has none. Ports podToEndpoint (k8s.io/endpointslice/utils.go). */
export function podToEndpoint(pod: ApiPod, { spec }: Service): EndpointConditions | undefined {
  const { podIP = '' } = pod.status;
  if (!isSelected(pod, spec.selector) || isPodTerminal(pod) || podIP === '') return undefined;
  const serving = isPodReady(pod);
  const terminating = isTerminating(pod);
  return {
    ready: spec.publishNotReadyAddresses === true || (serving && !terminating),
    serving,
    terminating,
  };
}

/** Returns whether a Service selects a pod; one without a selector selects none. */
export function isSelected(
  { metadata: { labels = {} } }: Pod,
  selector: Service['spec']['selector'],
): boolean {
  const pairs = Object.entries(selector ?? {});
  return pairs.length > 0 && pairs.every(([key, value]) => labels[key] === value);
}

export interface EndpointChange {
  readonly service: Service;
  readonly pod: ApiPod;
  /** Absent when the pod has no endpoint any more. */
  readonly endpoint?: EndpointConditions | undefined;
}

/** The endpoints of all Services, by the UIDs of Service and pod. */
export class Endpoints {
  readonly #byService = new Map<string, Map<string, EndpointConditions>>();

  constructor(private readonly onChange: (change: EndpointChange) => void) {}

  of({ metadata: { uid } }: Service): readonly EndpointConditions[] {
    return [...(this.#byService.get(uid)?.values() ?? [])];
  }

  /** Updates the pod's endpoint of a Service; `isGone` once the pod is deleted. */
  update(service: Service, pod: ApiPod, isGone: boolean): void {
    const { uid } = service.metadata;
    const endpoints = this.#byService.get(uid) ?? new Map<string, EndpointConditions>();
    this.#byService.set(uid, endpoints);
    const before = endpoints.get(pod.metadata.uid);
    const endpoint = isGone ? undefined : podToEndpoint(pod, service);
    if (JSON.stringify(before) === JSON.stringify(endpoint)) return;
    if (endpoint === undefined) endpoints.delete(pod.metadata.uid);
    else endpoints.set(pod.metadata.uid, endpoint);
    this.onChange({ service, pod, endpoint });
  }
}
