import type { Pod } from '../../src/api/index.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import {
  encodeLine,
  type TraceEnd,
  type TraceHeader,
  type TraceRecord,
} from '../../src/trace/trace-record.js';
import { buildPod } from './builders.js';

export const HEADER: TraceHeader = {
  t: 0,
  kind: 'trace',
  version: 2,
  kprobe: '0.1.0',
  kubelet: '1.36',
  target: 'attached',
};

export function buildEnd(overrides: Partial<TraceEnd> = {}): TraceEnd {
  const end = {
    how: 'goal',
    at: 10,
    verdict: 'holds',
    sentence: 'default/web ready',
    exitCode: 0,
  } as const;
  return { t: 10, kind: 'end', ...end, ...overrides };
}

export function podLine(object: Pod = buildPod(), t = 0): TraceLine {
  const { namespace, name } = object.metadata;
  return { t, kind: 'pod', pod: `${namespace}/${name}`, object };
}

type AttemptDone = Extract<TraceLine, { kind: 'attemptDone' }>;

export function buildAttemptDone(overrides: Partial<AttemptDone> = {}): AttemptDone {
  return {
    t: 1.5,
    kind: 'attemptDone',
    pod: 'default/web',
    container: 'app',
    probe: 'readiness',
    attempt: 1,
    containerID: 'test://app-1',
    result: 'success',
    output: 'ok',
    tries: 1,
    latency: 12,
    lastResult: 'success',
    resultRun: 1,
    threshold: 1,
    nextTick: 10.5,
    ...overrides,
  };
}

/** A trace file's text. */
export function traceText(...records: readonly TraceRecord[]): string {
  return records.map((record) => `${encodeLine(record)}\n`).join('');
}
