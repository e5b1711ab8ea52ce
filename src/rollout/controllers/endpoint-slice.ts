import type { ApiPod, Service } from './objects.js';
import { isPodReady, isPodTerminal } from './pod-util.js';

/** discovery.k8s.io/v1 Endpoint. */
export interface Endpoint {
  readonly pod: string;
  readonly address: string;
  readonly nodeName: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** Returns the pod's endpoint, or undefined when the pod has none. Ports podToEndpoint (k8s.io/endpointslice/utils.go). */
export function podToEndpoint(pod: ApiPod, { spec }: Service): Endpoint | undefined {
  const { podIP = '' } = pod.status;
  if (!isSelected(pod, spec.selector) || isPodTerminal(pod) || podIP === '') return undefined;
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  return {
    pod: pod.metadata.name,
    address: podIP,
    nodeName: pod.spec.nodeName ?? '',
    ready: spec.publishNotReadyAddresses === true || (serving && !terminating),
    serving,
    terminating,
  };
}

function isSelected({ metadata }: ApiPod, selector: Service['spec']['selector']): boolean {
  const pairs = Object.entries(selector ?? {});
  return pairs.length > 0 && pairs.every(([key, value]) => metadata.labels[key] === value);
}
