import { describe, expect, it } from 'vitest';

import { readTrace } from '../../src/trace/read-trace.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { encodeLine, lineEncoder, type TraceRecord } from '../../src/trace/trace-record.js';
import { buildAttemptDone, HEADER } from '../helpers/traces.js';

const DAY = 'Sun, 22 Nov 2026 12:14';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const detail = {
  address: '10.0.0.1:8080',
  request: 'GET /healthz HTTP/1.1\r\nHost: 10.0.0.1:8080\r\n\r\n',
  response: `HTTP/1.1 200 OK\r\nDate: ${DAY}:08 GMT\r\nContent-Type: text/plain\r\n\r\n`,
  body: bytes('ok'),
  timings: { connect: 0.412, firstByte: 1.2, total: 1.34 },
};
const later = {
  ...detail,
  response: detail.response.replace(':08', ':09'),
  timings: { connect: 0.4, firstByte: 1.1, total: 1.2 },
};

function began(attempt: number, containerID = 'test://app-1'): TraceLine {
  const about = { pod: 'default/web', container: 'app', probe: 'readiness' } as const;
  return { t: attempt, kind: 'attempt', ...about, attempt, containerID };
}

const done = (attempt: number, overrides: object = {}): TraceLine =>
  buildAttemptDone({ t: attempt, attempt, ...overrides });

function encoded(records: readonly TraceRecord[]): readonly string[] {
  const encode = lineEncoder();
  return records.map((record) => encode(record));
}

/** The lines that a reader gets. */
const read = (lines: readonly string[]) => readTrace(`${lines.join('\n')}\n`).trace?.lines;

describe('an attempt like the one before it', () => {
  const lines = [began(1), done(1, { detail }), began(2), done(2, { detail: later })];

  it('names that one and leaves out what it repeats', () => {
    const written: unknown = JSON.parse(encoded([HEADER, ...lines]).at(-1) ?? '');
    expect(written).toEqual({
      ...JSON.parse(encodeLine(done(2))),
      containerID: undefined,
      detail: { sameAs: 1, date: `${DAY}:09 GMT`, timings: later.timings },
    });
  });

  it('is written in less than 400 bytes', () => {
    expect(encoded([HEADER, ...lines]).at(-1)?.length).toBeLessThan(400);
  });

  it('is read whole', () => {
    expect(read(encoded([HEADER, ...lines]))).toEqual(lines);
  });
});

it.each<[string, object]>([
  ['another body', { ...later, body: bytes('not ok') }],
  ['a longer body', { ...later, body: bytes('x'.repeat(1000)) }],
  ['no body', { address: detail.address, timings: detail.timings }],
  ['a body that is not UTF-8', { ...later, body: new Uint8Array([0xff, 0]) }],
  ['a response without a date', { ...later, response: 'HTTP/1.1 200 OK\r\n\r\n' }],
  ['another status', { ...later, response: later.response.replace('200 OK', '503 No') }],
  [
    'a date in another place',
    { ...later, response: `HTTP/1.1 200 OK\r\nA: b\r\ndate: now\r\n\r\n` },
  ],
  ['a date of dollar signs', { ...later, response: detail.response.replace(`${DAY}:08`, '$1$&') }],
])('an attempt with %s is read as it was, and so are those after it', (_, other) => {
  const lines = [
    ...[began(1), done(1, { detail }), began(2), done(2, { detail: other })],
    ...[began(3), done(3, { detail: later }), began(4), done(4)],
    ...[began(5, 'test://app-2'), done(5, { containerID: 'test://app-2', detail: other })],
  ];
  expect(read(encoded([HEADER, ...lines]))).toEqual(lines);
});

it('probes of one container do not stand for each other', () => {
  const of = (probe: 'liveness' | 'readiness', attempt: number, text: string) =>
    done(attempt, { probe, detail: { ...detail, body: bytes(text) } });
  const lines = [of('liveness', 1, 'a'), of('readiness', 1, 'b'), of('liveness', 2, 'a')];
  expect(read(encoded([HEADER, ...lines]))).toEqual(lines);
});

it('whole lines, as version 1 has them, are read as they are', () => {
  const lines = [began(1), done(1, { detail }), began(2), done(2, { detail: later })];
  const text = [{ ...HEADER, version: 1 }, ...lines].map((line) => encodeLine(line));
  expect(read(text)).toEqual(lines);
});

it('an attempt that repeats a line that cannot be read has no detail', () => {
  const lines = [began(1), done(1, { detail }), began(2), done(2, { detail: later })];
  const text = encoded([HEADER, ...lines]).map((line, index) => (index === 2 ? '{' : line));
  expect(read(text)).toEqual([began(1), began(2), done(2)]);
});
