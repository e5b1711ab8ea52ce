import type { RecordedRequest } from '../../helpers/servers/fleet.js';
import { mustAgree } from './exceptions.js';
import type { CaseRun } from './run-case.js';

interface ExpectedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly messageB64?: string;
}

/** A line of the expected file. Null and named in `unstable`: it varies between runs of the real thing. */
export interface Expected {
  readonly id: string;
  readonly handler: string;
  readonly result: string;
  readonly output: string | null;
  readonly outputB64?: string;
  readonly error: string | null;
  readonly tries: number;
  readonly attempts: number | null;
  readonly event: ExpectedEvent | null;
  readonly kubeletResult: string;
  readonly command?: readonly string[];
  readonly request: string | null;
  readonly requests?: readonly RecordedRequest[];
  readonly elapsedClass: string | null;
  readonly unstable?: readonly string[];
  /** The values seen of what varies. */
  readonly anyOf?: Readonly<Record<string, readonly unknown[]>>;
}

export interface Observed extends CaseRun {
  readonly attempts: number | null;
  readonly requests: readonly RecordedRequest[];
  readonly elapsedClass: string;
}

const FIELDS = [
  'result',
  'tries',
  'kubeletResult',
  'eventClass',
  'attempts',
  'output',
  'outputB64',
  'error',
  'event',
  'command',
  'requests',
  'elapsedClass',
] as const;

export type Field = (typeof FIELDS)[number];

export interface Difference {
  readonly field: Field;
  readonly want: unknown;
  readonly got: unknown;
}

/** Returns in which fields an attempt differs from the kubelet's, exceptions apart. */
export function differences(expected: Expected, observed: Observed): Difference[] {
  return FIELDS.filter((field) => mustAgree(expected.id, field)).flatMap((field) => {
    const got = observedField(observed, field);
    const accepted = acceptedValues(expected, field);
    if (!accepted || accepted.some((want) => equal(want, got))) return [];
    return [{ field, want: accepted[0], got }];
  });
}

/** Undefined where any value will do. */
function acceptedValues(expected: Expected, field: Field): readonly unknown[] | undefined {
  const unstable = expected.unstable ?? [];
  if (field === 'eventClass') {
    const events =
      expected.anyOf?.['event'] ?? (unstable.includes('event') ? undefined : [expected.event]);
    return events?.map((event) => eventClass(event as ExpectedEvent | null));
  }
  if (field === 'requests') {
    if (unstable.includes('request')) return undefined;
    const one = expected.request === null ? [] : [expected.request];
    return [(expected.requests?.map(({ raw }) => raw) ?? one).map(sortedRequest)];
  }
  const anyOf = expected.anyOf?.[field];
  if (anyOf) return anyOf.map((each) => each ?? null);
  if (unstable.includes(field) || unstable.includes(`${field}.message`)) return undefined;
  if (field === 'outputB64' && unstable.includes('output')) return undefined;
  if (field === 'attempts' && expected.attempts === null) return undefined;
  return [expected[field] ?? null];
}

function observedField(observed: Observed, field: Field): unknown {
  if (field === 'eventClass') return eventClass(observed.event);
  if (field === 'requests') return observed.requests.map(({ raw }) => sortedRequest(raw));
  return observed[field] ?? null;
}

function eventClass(event: ExpectedEvent | null): string | null {
  return event && `${event.type} ${event.reason} ${event.message.split(':', 1)[0] ?? ''}`;
}

/** The order and the case of header names matter to no server. */
function sortedRequest(raw: string): string {
  const [first = '', ...lines] = raw.split('\r\n');
  const named = lines.map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()));
  return [first, ...named.sort()].join('\r\n');
}

function equal(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}

function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries);
}
