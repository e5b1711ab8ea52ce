import type { Event } from '../../kubelet/event.js';
import {
  appendBounded,
  type EventCorrelation,
  type EventView,
  type PodSummary,
} from './summary.js';

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

/** So many different messages of one reason within so many seconds are made one event. */
const MAX_MESSAGES = 10;
const GROUP_INTERVAL = 600;
/** A pod may have so many events of a type at once, and one more each 300 seconds. */
const BURST = 25;
const SECONDS_PER_TOKEN = 300;

export interface Correlated {
  readonly message: string;
  /** The same message came together with others like it before: only the reason tells it apart. */
  readonly combined: boolean;
  /** Whether the rate limit lets it pass. */
  readonly sent: boolean;
  readonly correlation: EventCorrelation;
}

/**
 * What the kubelet's event recorder makes of an event before the API server hears of it. Ports EventCorrelate
 * (client-go/tools/record/events_cache.go).
 */
export function correlateEvent(
  before: EventCorrelation,
  { type, reason, message }: Extract<Event, { kind: 'event' }>,
  t: number,
): Correlated {
  const key = `${type} ${reason}`;
  const group = before.groups[key];
  const recent = group !== undefined && t - group.at <= GROUP_INTERVAL ? group.messages : [];
  const messages = recent.includes(message) ? recent : [...recent, message];
  const combined = messages.length >= MAX_MESSAGES;
  const kept = messages.slice(0, MAX_MESSAGES - 1);
  const budget = refilled(before.budgets[type], t);
  const sent = budget >= 1;
  return {
    message: combined ? `(combined from similar events): ${message}` : message,
    combined,
    sent,
    correlation: {
      budgets: { ...before.budgets, [type]: { tokens: sent ? budget - 1 : budget, at: t } },
      groups: { ...before.groups, [key]: { messages: kept, at: t } },
    },
  };
}

function refilled(budget: { tokens: number; at: number } | undefined, t: number): number {
  if (budget === undefined) return BURST;
  return Math.min(BURST, budget.tokens + (t - budget.at) / SECONDS_PER_TOKEN);
}

/** The container that an event is about: that of `spec.containers{app}`; undefined of one about the pod itself. */
export function eventContainer({
  fieldPath = '',
}: Extract<Event, { kind: 'event' }>): string | undefined {
  return /\{(.*)\}$/.exec(fieldPath)?.[1];
}
