import { omitUndefined, ownField } from '../../api/index.js';
import type { EventOf } from '../event.js';
import {
  appendBounded,
  type EventCorrelation,
  type EventView,
  type PodSummary,
} from './summary.js';

type PodEvent = EventOf<'event'>;

const MAX_EVENTS = 500;

/** Applies an event; a repeated one is counted and moves to the end, as in `kubectl describe`. */
export function foldEvent(pod: PodSummary, event: PodEvent, t: number): PodSummary {
  if (event.count !== undefined) return foldReported(pod, event, event.count, t);
  const { type, reason } = event;
  const { message, combined, sent, correlation } = correlateEvent(pod.correlation, event, t);
  const container = eventContainer(event) ?? '';
  const isSame = (e: EventView): boolean =>
    e.reason === reason &&
    e.type === type &&
    (combined ? e.combined : e.message === message && e.container === container);
  const before = pod.events.find(isSame);
  const count = (before?.count ?? 0) + 1;
  const shown = sent ? { count, lastAt: t } : before?.sent;
  const subject = { type, reason, message, combined, container };
  const times = { count, firstAt: before?.firstAt ?? t, lastAt: t };
  const after: EventView = { ...subject, ...times, ...omitUndefined({ sent: shown }) };
  const others = before === undefined ? pod.events : pod.events.filter((e) => e !== before);
  return { ...pod, correlation, events: appendBounded(others, after, MAX_EVENTS) };
}

/** Applies an event that a cluster has already correlated. */
function foldReported(pod: PodSummary, event: PodEvent, count: number, t: number): PodSummary {
  const { type, reason, message, at: lastAt = t, firstAt = lastAt } = event;
  const container = eventContainer(event) ?? '';
  const others = pod.events.filter(
    (e) => e.reason !== reason || e.message !== message || e.container !== container,
  );
  const combined = message.startsWith(COMBINED);
  const subject = { type, reason, message, container, combined };
  const after: EventView = { ...subject, count, firstAt, lastAt, sent: { count, lastAt } };
  return { ...pod, events: appendBounded(others, after, MAX_EVENTS) };
}

export const COMBINED = '(combined from similar events): ';

/** From this many messages of one reason within the interval, in seconds, events are combined. */
const MAX_MESSAGES = 10;
const GROUP_INTERVAL = 600;
/** Events of a type that a pod may have at once, and the seconds until another one is allowed. */
const BURST = 25;
const SECONDS_PER_TOKEN = 300;

/**
 * Combines events and limits their rate; an event within the limit is `sent`. Ports EventCorrelate
 * (client-go/tools/record/events_cache.go).
 */
function correlateEvent(before: EventCorrelation, { type, reason, message }: PodEvent, t: number) {
  const key = `${type} ${reason}`;
  const group = before.groups[key];
  const recent = group !== undefined && t - group.at <= GROUP_INTERVAL ? group.messages : [];
  const messages = recent.includes(message) ? recent : [...recent, message];
  const combined = messages.length >= MAX_MESSAGES;
  const kept = messages.slice(0, MAX_MESSAGES - 1);
  const budget = tokensAt(t, ownField(before.budgets, type));
  const sent = budget >= 1;
  const correlation: EventCorrelation = {
    budgets: { ...before.budgets, [type]: { tokens: sent ? budget - 1 : budget, at: t } },
    groups: { ...before.groups, [key]: { messages: kept, at: t } },
  };
  return { message: combined ? COMBINED + message : message, combined, sent, correlation };
}

/** Returns the tokens of a rate limit at `t`. Follows EventSourceObjectSpamFilter (client-go/tools/record). */
export function tokensAt(
  t: number,
  { tokens, at }: { readonly tokens: number; readonly at: number } = { tokens: BURST, at: t },
): number {
  return Math.min(BURST, tokens + Math.max(0, t - at) / SECONDS_PER_TOKEN);
}

/** Returns `app` for `spec.containers{app}`; undefined when the event is about the pod. */
export function eventContainer({ fieldPath = '' }: PodEvent): string | undefined {
  return /\{(.*)\}$/.exec(fieldPath)?.[1];
}
