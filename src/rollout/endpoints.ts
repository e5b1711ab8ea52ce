import { type EndpointConditions, podToEndpoint } from './controllers/endpoint-slice.js';
import type { ApiPod, Service } from './controllers/objects.js';

export interface EndpointChange {
  readonly service: Service;
  readonly pod: ApiPod;
  /** Absent when the pod has none any more. */
  readonly endpoint?: EndpointConditions | undefined;
}

/** The endpoints of all Services, by the UIDs of Service and pod. */
export class Endpoints {
  readonly #byService = new Map<string, Map<string, EndpointConditions>>();
  readonly #onChange: (change: EndpointChange) => void;

  constructor(onChange: (change: EndpointChange) => void) {
    this.#onChange = onChange;
  }

  of({ metadata: { uid } }: Service): readonly EndpointConditions[] {
    return [...(this.#byService.get(uid)?.values() ?? [])];
  }

  /** Brings the pod's endpoint of a Service up to date; `isGone` once the pod is deleted. */
  update(service: Service, pod: ApiPod, isGone = false): void {
    const { uid } = service.metadata;
    const endpoints = this.#byService.get(uid) ?? new Map<string, EndpointConditions>();
    this.#byService.set(uid, endpoints);
    const before = endpoints.get(pod.metadata.uid);
    const endpoint = isGone ? undefined : podToEndpoint(pod, service);
    if (JSON.stringify(before) === JSON.stringify(endpoint)) return;
    if (endpoint === undefined) endpoints.delete(pod.metadata.uid);
    else endpoints.set(pod.metadata.uid, endpoint);
    this.#onChange({ service, pod, endpoint });
  }
}
