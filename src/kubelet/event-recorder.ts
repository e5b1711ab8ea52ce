import type { Container, Pod } from '../api/index.js';
import type { EmitEvent, EventType } from '../trace/event.js';
import { podKey } from './pod-name.js';

/** Records events as `kubectl describe` lists them. Ports EventRecorder (client-go/tools/record). */
export class EventRecorder {
  constructor(private readonly emit: EmitEvent) {}

  podEvent(pod: Pod, type: EventType, reason: string, message: string): void {
    this.emit({ kind: 'event', pod: podKey(pod), type, reason, message });
  }

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

/** Returns a path such as `spec.containers{app}`. Ports fieldPath (pkg/kubelet/container/ref.go). */
function fieldPathOf({ spec }: Pod, name: string): string {
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'] as const) {
    if (spec[list]?.some((container) => container.name === name) === true) {
      return `spec.${list}{${name}}`;
    }
  }
  return `implicitly required container ${name}`;
}
