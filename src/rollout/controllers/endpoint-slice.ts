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
