import type { TraceLine } from '../../../src/trace/trace-line.js';

export type Value = string | number | boolean;

export interface Observation {
  readonly value: Value;
  /** Seconds since the pod was added. */
  readonly t: number;
}

/** What a trace says. */
export interface Observed {
  /** By subject (`runs/app`, `containers/app/ready`), the values that it takes one after the other. */
  readonly sequences: ReadonlyMap<string, readonly Observation[]>;
  /** How often something happens: attempts of a command, events by their text. */
  readonly counts: ReadonlyMap<string, number>;
}

const FIELDS = ['ready', 'started', 'restartCount', 'state', 'lastState'] as const;

/** A trace as sequences and counts, which do not depend on ids or wall time. */
export function observe(lines: readonly TraceLine[]): Observed {
  const observer = new Observer();
  for (const line of lines) observer.add(line);
  return observer;
}

class Observer implements Observed {
  readonly sequences = new Map<string, Observation[]>();
  readonly counts = new Map<string, number>();

  add(line: TraceLine): void {
    switch (line.kind) {
      case 'started':
        return this.#push(`runs/${line.container}`, 'start', line.t);
      case 'exited':
        return this.#push(`runs/${line.container}`, `exit ${line.exitCode}`, line.t);
      case 'stop':
        return this.#push(`stops/${line.container}`, line.gracePeriod, line.t);
      case 'execDone':
        this.#change(`attempts/${line.command}/run ${line.run}`, outcomeOf(line), line.t);
        return this.#count(`exec/${line.command}/run ${line.run}`);
      case 'event': {
        const { fieldPath = 'pod', type, reason, message } = line;
        return this.#count(`event/${fieldPath}/${type} ${reason}: ${message}`);
      }
      case 'status':
        return this.#addStatus(line);
      default:
    }
  }

  #addStatus({ t, ...status }: Extract<TraceLine, { kind: 'status' }>): void {
    this.#change('phase', status.phase, t);
    for (const [name, value] of Object.entries(status.conditions)) {
      this.#change(`condition/${name}`, value, t);
    }
    for (const list of ['containers', 'initContainers'] as const) {
      for (const container of status[list]) {
        for (const field of FIELDS) {
          const value = container[field];
          if (value !== undefined) this.#change(`${list}/${container.name}/${field}`, value, t);
        }
      }
    }
  }

  #push(subject: string, value: Value, t: number): void {
    const sequence = this.sequences.get(subject);
    if (sequence === undefined) this.sequences.set(subject, [{ value, t }]);
    else sequence.push({ value, t });
  }

  #change(subject: string, value: Value, t: number): void {
    if (this.sequences.get(subject)?.at(-1)?.value !== value) this.#push(subject, value, t);
  }

  #count(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

function outcomeOf(line: Extract<TraceLine, { kind: 'execDone' }>): string {
  if ('timedOut' in line) return 'timed out';
  return 'error' in line ? 'error' : `exit ${line.exit}`;
}
