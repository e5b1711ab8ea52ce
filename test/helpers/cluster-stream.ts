import { readFileSync } from 'node:fs';

import { PodObserver } from '../../src/cluster/observe/pod-observer.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../../src/trace/summary/summary.js';
import { toTraceLine, type TraceLine } from '../../src/trace/trace-line.js';

/** What a watch received, and when. */
export interface Received {
  readonly now: number;
  readonly kind: 'pods' | 'events';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Readonly<Record<string, Fields>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a stream recorded from a real cluster; a pod's spec stands in its first line alone. */
export function readStream(name: string): readonly Received[] {
  const file = new URL(`../fixtures/cluster/${name}.ndjson`, import.meta.url);
  const specs = new Map<unknown, Fields>();
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const received = JSON.parse(line) as Received;
      const { metadata, spec } = received.object;
      if (received.kind === 'events') return received;
      const known = spec ?? specs.get(metadata?.['uid']) ?? {};
      specs.set(metadata?.['uid'], known);
      return { ...received, object: { ...received.object, spec: known } };
    });
}

export interface Watched {
  readonly lines: readonly TraceLine[];
  readonly summary: Summary;
}

/** Watches a stream from `from` on: what came before is listed then, events first. Seconds since the stream's begin. */
export function watchStream(stream: readonly Received[], from = 0, to = Infinity): Watched {
  const origin = stream[0]?.now ?? 0;
  const start = origin + from * 1000;
  const listed = new Map(
    stream.filter(({ now }) => now <= start).map((one) => [one.object['metadata']?.['uid'], one]),
  );
  const first = [...listed.values()].filter(({ type }) => type !== 'DELETED');
  const later = stream.filter(({ now }) => now > start && now <= origin + to * 1000);
  const observers = new Map<unknown, PodObserver>();
  const lines: TraceLine[] = [];
  let last = start;
  for (const one of [
    ...first.filter(({ kind }) => kind === 'events').map((each) => ({ ...each, now: start })),
    ...first.filter(({ kind }) => kind === 'pods').map((each) => ({ ...each, now: start })),
    ...later,
  ]) {
    const { now, kind, type, object } = one;
    for (; last + 1000 < now; last += 1000) {
      for (const observer of observers.values()) {
        lines.push(...observer.elapsed(last).map((event) => toTraceLine(event, last, origin)));
      }
    }
    const uid = object[kind === 'pods' ? 'metadata' : 'involvedObject']?.['uid'];
    const observer = observers.get(uid) ?? new PodObserver();
    observers.set(uid, observer);
    const method = kind === 'events' ? 'event' : type === 'DELETED' ? 'removed' : 'pod';
    lines.push(...observer[method](object, now).map((event) => toTraceLine(event, now, origin)));
  }
  return { lines, summary: lines.reduce(fold, EMPTY_SUMMARY) };
}
