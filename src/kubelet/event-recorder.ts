import type { Container, Pod } from '../api/index.js';
import type { EmitEvent } from './event.js';
import { podKey } from './pod-name.js';

export type EventType = 'Normal' | 'Warning';

/** Says what happens, as `kubectl describe` lists it. Ports EventRecorder (client-go/tools/record). */
export class EventRecorder {
  constructor(private readonly emit: EmitEvent) {}

  /** An event about the pod. */
  podEvent(pod: Pod, type: EventType, reason: string, message: string): void {
    this.emit({ kind: 'event', pod: podKey(pod), type, reason, message });
  }

  /** An event about one of its containers. */
  containerEvent(
    pod: Pod,
    container: Container,
    type: EventType,
    reason: string,
    message: string,
  ): void {
    const fieldPath = fieldPathOf(pod, container.name);
    this.emit({ kind: 'event', pod: podKey(pod), type, reason, message, fieldPath });
  }
}

/** `spec.containers{app}`. Ports fieldPath (pkg/kubelet/container/ref.go). */
function fieldPathOf({ spec }: Pod, name: string): string {
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'] as const) {
    if (spec[list]?.some((container) => container.name === name) === true) {
      return `spec.${list}{${name}}`;
    }
  }
  return `implicitly required container ${name}`;
}
