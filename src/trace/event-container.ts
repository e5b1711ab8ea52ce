import type { Event } from '../kubelet/event.js';

/** The container that an event is about: that of `spec.containers{app}`; undefined of one about the pod itself. */
export function eventContainer({
  fieldPath = '',
}: Extract<Event, { kind: 'event' }>): string | undefined {
  return /\{(.*)\}$/.exec(fieldPath)?.[1];
}
