import type { Event } from '../../kubelet/event.js';
import { eventContainer } from '../event-container.js';
import { correlateEvent } from './correlate-event.js';
import type { EventView } from './event-view.js';
import { appendBounded, type PodSummary } from './summary.js';

/** Different events of a pod that are remembered. */
const MAX_EVENTS = 500;

/** The pod with one more event; the same again counts up and moves to the end, as `kubectl describe` has it. */
export function foldEvent(
  pod: PodSummary,
  event: Extract<Event, { kind: 'event' }>,
  t: number,
): PodSummary {
  const { type, reason } = event;
  const { message, combined, sent, correlation } = correlateEvent(pod.correlation, event, t);
  const container = eventContainer(event) ?? '';
  const isSame = (e: EventView): boolean =>
    e.reason === reason &&
    e.type === type &&
    (combined
      ? e.message.startsWith('(combined from similar events): ')
      : e.message === message && e.container === container);
  const before = pod.events.find(isSame);
  const count = (before?.count ?? 0) + 1;
  const shown = sent ? { count, lastAt: t } : before?.sent;
  const after: EventView = {
    type,
    reason,
    message,
    container,
    count,
    firstAt: before?.firstAt ?? t,
    lastAt: t,
    ...(shown === undefined ? {} : { sent: shown }),
  };
  const others = before === undefined ? pod.events : pod.events.filter((e) => e !== before);
  return { ...pod, correlation, events: appendBounded(others, after, MAX_EVENTS) };
}
