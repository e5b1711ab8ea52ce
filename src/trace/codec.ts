import type { Event } from '../kubelet/event.js';
import type { AttemptDetail } from '../kubelet/ports.js';
import { apiPodStatus } from '../kubelet/status/api-status.js';

/** A line of a trace: an event, and its seconds since the begin. */
export type TraceLine = { readonly t: number } & Event;

/**
 * An event as a line of NDJSON. `t` and the times in it are seconds since `origin`, which is in the clock's
 * milliseconds; wall times stand as in the API.
 */
export function encodeEvent(event: Event, t: number, origin: number): string {
  const seconds = (time: number): number => Math.trunc(time - origin) / 1000;
  return JSON.stringify({ t: Math.trunc(t * 1000) / 1000, ...plain(event, seconds) });
}

function plain(event: Event, seconds: (time: number) => number): object {
  switch (event.kind) {
    case 'status':
      return { ...event, podStatus: apiPodStatus(event.podStatus) };
    case 'worker':
      return event.nextTick === undefined ? event : { ...event, nextTick: seconds(event.nextTick) };
    case 'attemptDone': {
      const detail = event.detail === undefined ? {} : { detail: plainDetail(event.detail) };
      return { ...event, nextTick: seconds(event.nextTick), ...detail };
    }
    case 'backOff':
      return { ...event, until: seconds(event.until), delay: event.delay / 1000 };
    default:
      return event;
  }
}

/** The body is text where it is UTF-8, and base64 where it is not. */
function plainDetail(detail: AttemptDetail): object {
  const { body, ...rest } = detail;
  if (body === undefined) return rest;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  return text.includes('\uFFFD') ? { ...rest, bodyB64: base64(body) } : { ...rest, body: text };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
