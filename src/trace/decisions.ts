import type { TraceLine } from './trace-line.js';

/** Something that the kubelet decided, or that followed from it. */
export interface Decision {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly pod: string;
  readonly container: string;
  /** `ready`, `killed: …`; two of the same words are the same decision at another time. */
  readonly what: string;
}

/** The decisions of a trace, in their order. */
export function decisionsOf(lines: readonly TraceLine[]): readonly Decision[] {
  const reader = new DecisionReader();
  for (const line of lines) reader.add(line);
  return reader.decisions;
}

class DecisionReader {
  readonly decisions: Decision[] = [];
  /** Whether a container is ready. */
  readonly #ready = new Map<string, boolean>();
  /** By how much the start was put off of containers that wait for it. */
  readonly #putOff = new Map<string, number>();

  add(line: TraceLine): void {
    switch (line.kind) {
      case 'started':
        this.#putOff.delete(`${line.pod} ${line.container}`);
        return this.#tell(line, line.run === 0 ? 'starts' : `starts again (run ${line.run})`);
      case 'startFailed':
        return this.#tell(line, `does not start: ${line.error}`);
      case 'exited':
        return this.#tell(line, `ended with exit code ${line.exitCode}`);
      case 'attemptDone':
        if (line.probe === 'startup' && line.set === 'success') this.#tell(line, 'started');
        return;
      case 'actions':
        for (const { name, message } of line.containersToKill) {
          this.#tell({ ...line, container: name }, `killed: ${message}`);
        }
        return;
      case 'backOff':
        return this.#backOff(line);
      case 'status':
        return this.#status(line);
      default:
        return;
    }
  }

  #backOff(line: Extract<TraceLine, { kind: 'backOff' }>): void {
    const key = `${line.pod} ${line.container}`;
    if (this.#putOff.get(key) === line.delay) return;
    this.#putOff.set(key, line.delay);
    this.#tell(line, `back-off of ${line.delay} s`);
  }

  #status(line: Extract<TraceLine, { kind: 'status' }>): void {
    for (const { name, ready } of [...line.initContainers, ...line.containers]) {
      const key = `${line.pod} ${name}`;
      if (ready === (this.#ready.get(key) ?? false)) continue;
      this.#ready.set(key, ready);
      this.#tell({ ...line, container: name }, ready ? 'ready' : 'not ready');
    }
  }

  #tell(
    { t, pod, container }: { readonly t: number; readonly pod: string; readonly container: string },
    what: string,
  ): void {
    this.decisions.push({ t, pod, container, what });
  }
}

/** A decision of two traces, with the time in each where it was taken. */
export interface ComparedDecision extends Omit<Decision, 't'> {
  readonly before?: number;
  readonly after?: number;
}

/**
 * The decisions of two traces side by side: the n-th of some words is the n-th of the same words in the other. Where the
 * second is a simulation, `unchanged` are the decisions of one of the first: what both simulations decide at the same
 * time has the time of the first.
 */
export function compareDecisions(
  before: readonly Decision[],
  after: readonly Decision[],
  unchanged: readonly Decision[] = [],
): readonly ComparedDecision[] {
  const left = numbered(before);
  const right = numbered(after);
  const middle = numbered(unchanged);
  return [...new Set([...left.keys(), ...right.keys()])]
    .flatMap((key) => {
      const [old, now] = [left.get(key), right.get(key)];
      const decision = old ?? now;
      if (decision === undefined) return [];
      const { pod, container, what } = decision;
      const isSame = old !== undefined && now !== undefined && middle.get(key)?.t === now.t;
      const times = {
        ...(old === undefined ? {} : { before: old.t }),
        ...(now === undefined ? {} : { after: isSame ? old.t : now.t }),
      };
      return [{ pod, container, what, ...times }];
    })
    .sort((a, b) => earliest(a) - earliest(b));
}

function earliest({ before = Infinity, after = Infinity }: ComparedDecision): number {
  return Math.min(before, after);
}

function numbered(decisions: readonly Decision[]): ReadonlyMap<string, Decision> {
  const counts = new Map<string, number>();
  return new Map(
    decisions.map((decision) => {
      const words = `${decision.pod} ${decision.container} ${decision.what}`;
      const count = counts.get(words) ?? 0;
      counts.set(words, count + 1);
      return [`${words} ${count}`, decision] as const;
    }),
  );
}
