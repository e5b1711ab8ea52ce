import type { Event } from '../../kubelet/event.js';
import { appendBounded, type EventView } from './summary.js';

/** Different events of a pod that are remembered. */
const MAX_EVENTS = 500;

/** The pod's events with one more; the same again counts up and moves to the end, as `kubectl describe` has it. */
export function foldEvent(
  events: readonly EventView[],
  event: Extract<Event, { kind: 'event' }>,
  t: number,
): readonly EventView[] {
  const { type, reason, message } = event;
  const container = /\{(.*)\}$/.exec(event.fieldPath ?? '')?.[1] ?? '';
  const isSame = (e: EventView): boolean =>
    e.reason === reason && e.message === message && e.container === container && e.type === type;
  const before = events.find(isSame);
  if (before === undefined) {
    const first = { type, reason, message, container, count: 1, firstAt: t, lastAt: t };
    return appendBounded(events, first, MAX_EVENTS);
  }
  const again = { ...before, count: before.count + 1, lastAt: t };
  return [...events.filter((e) => e !== before), again];
}
