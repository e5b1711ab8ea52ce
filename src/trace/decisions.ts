import { omitUndefined } from '../api/index.js';
import type { LineOf, TraceLine } from './trace-line.js';

/** A decision of the kubelet, or a consequence of one. */
export interface Decision {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly pod: string;
  readonly container: string;
  /** `ready`, `killed: …`; equal texts in two traces are one decision at two times. */
  readonly what: string;
}

export function decisionsOf(lines: readonly TraceLine[]): readonly Decision[] {
  const isReady = new Map<string, boolean>();
  /** Seconds of the back-off of each container that waits for its start. */
  const backOffs = new Map<string, number>();
  return lines.flatMap((line): Decision[] => {
    switch (line.kind) {
      case 'started':
        backOffs.delete(`${line.pod} ${line.container}`);
        return [decision(line, line.run === 0 ? 'starts' : `starts again (run ${line.run})`)];
      case 'startFailed':
        return [decision(line, `does not start: ${line.error}`)];
      case 'exited':
        return [decision(line, `ended with exit code ${line.exitCode}`)];
      case 'attemptDone':
        if (line.probe !== 'startup' || line.set !== 'success') return [];
        return [decision(line, 'started')];
      case 'actions':
        return line.containersToKill.map(({ name, message }) =>
          decision({ ...line, container: name }, `killed: ${message}`),
        );
      case 'backOff': {
        const key = `${line.pod} ${line.container}`;
        if (backOffs.get(key) === line.delay) return [];
        backOffs.set(key, line.delay);
        return [decision(line, `back-off of ${line.delay} s`)];
      }
      case 'status':
        return readyDecisions(line, isReady);
      default:
        return [];
    }
  });
}

function readyDecisions(line: LineOf<'status'>, isReady: Map<string, boolean>): Decision[] {
  return [...line.initContainers, ...line.containers].flatMap(({ name, ready }) => {
    const key = `${line.pod} ${name}`;
    if (ready === (isReady.get(key) ?? false)) return [];
    isReady.set(key, ready);
    return [decision({ ...line, container: name }, ready ? 'ready' : 'not ready')];
  });
}

function decision({ t, pod, container }: Omit<Decision, 'what'>, what: string): Decision {
  return { t, pod, container, what };
}

/** A decision in two traces, with its time in each. */
export interface ComparedDecision extends Omit<Decision, 't'> {
  readonly before?: number;
  readonly after?: number;
}

/**
 * Pairs the decisions of two traces by text and order. Where the simulation with `unchanged` settings decides at the
 * same time as the changed one, the recorded time is kept.
 */
export function compareDecisions(
  before: readonly Decision[],
  after: readonly Decision[],
  unchanged: readonly Decision[] = [],
): readonly ComparedDecision[] {
  const [left, right, same] = [numbered(before), numbered(after), numbered(unchanged)];
  return [...new Map([...left, ...right])]
    .map(([key, { pod, container, what }]): ComparedDecision => {
      const [old, now] = [left.get(key)?.t, right.get(key)?.t];
      const isSame = now !== undefined && same.get(key)?.t === now;
      const times = omitUndefined({ before: old, after: isSame ? (old ?? now) : now });
      return { pod, container, what, ...times };
    })
    .sort((a, b) => earliest(a) - earliest(b));
}

function earliest({ before = Infinity, after = Infinity }: ComparedDecision): number {
  return Math.min(before, after);
}

function numbered(decisions: readonly Decision[]): ReadonlyMap<string, Decision> {
  const counts = new Map<string, number>();
  return new Map(
    decisions.map((each) => {
      const text = `${each.pod} ${each.container} ${each.what}`;
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return [`${text} ${count}`, each] as const;
    }),
  );
}
