import type { TraceLine } from '../../../src/trace/trace-line.js';

/** Something that the kubelet decided, or a state that a container took. */
export interface Step {
  readonly value: string;
  /** Seconds since the first container started. */
  readonly t: number;
  /** Seconds since the container, for a pod's step any of its containers, last started or exited. */
  readonly since: number;
}

/** By subject: `app runs`, `app ready`, `pod phase` … */
export type Decisions = ReadonlyMap<string, readonly Step[]>;

/** Events whose time is the node's affair, or that repeat what the runs say. */
const LEFT_OUT = ['Pulling', 'Created', 'Scheduled', 'FailedMount', 'NodeNotReady'];
const POD = 'pod';

/** Reads the decisions of a trace. */
export function decisionsOf(lines: readonly TraceLine[]): Decisions {
  const reader = new Reader(lines.find(isStart)?.t ?? 0);
  for (const line of inOrder(lines)) reader.add(line);
  return reader.found;
}

/** Puts exits before the restarts that they led to: a cluster reports them later, and to the second. */
function inOrder(lines: readonly TraceLine[]): readonly TraceLine[] {
  const sorted: TraceLine[] = [];
  for (const line of lines) {
    if (line.kind !== 'exited') {
      sorted.push(line);
      continue;
    }
    const t = timeOf(line);
    const restart = sorted.findLastIndex(
      (other) => isEvent(other, 'Pulled', line.container) && other.t > t - 1,
    );
    const start = sorted.findLastIndex((other) => isEvent(other, 'Started', line.container));
    // A run that ended at once was over before the next one began, and after its own start.
    const at = restart > start || isOver(sorted, line) ? restart : -1;
    if (at < 0) sorted.push({ ...line, t: Math.max(t, sorted[start]?.t ?? t) });
    else sorted.splice(at, 0, { ...line, t: Math.min(t, sorted[at]!.t) });
  }
  return sorted;
}

/** Returns whether the exit belongs to the run before the container's current one. */
function isOver(
  lines: readonly TraceLine[],
  { container }: Extract<TraceLine, { kind: 'exited' }>,
): boolean {
  const starts = lines.filter((line) => isEvent(line, 'Started', container)).length;
  const exits = lines.filter(
    (line) => line.kind === 'exited' && line.container === container,
  ).length;
  return exits < starts - 1;
}

class Reader {
  readonly found = new Map<string, Step[]>();
  readonly #anchors = new Map<string, number>();

  constructor(private readonly origin: number) {}

  add(line: TraceLine): void {
    switch (line.kind) {
      case 'event':
        return this.#event(line, containerOf(line.fieldPath));
      case 'exited':
        if (line.ending === true) return;
        this.#push(line.container, 'runs', `exit ${line.exitCode}`, line.t);
        return this.#anchor(line.container, line.t);
      case 'status':
        return this.#status(line);
      default:
    }
  }

  #event(line: Extract<TraceLine, { kind: 'event' }>, container: string): void {
    const { reason, t } = line;
    if (LEFT_OUT.includes(reason)) return;
    if (reason === 'Pulled') {
      // The kubelet starts the container next; the first run waits for the node, too.
      if (this.#anchors.has(container)) this.#push(container, 'runs', 'restart', t);
      return;
    }
    if (reason === 'Started') {
      this.#push(container, 'runs', 'start', t);
      return this.#anchor(container, t);
    }
    // Those of different probes may come at once, in either order.
    const probe = /^(\w+) probe /.exec(line.message)?.[1] ?? '';
    this.#change(container, `${probe} events`.trim(), `${reason}: ${withoutIDs(line.message)}`, t);
  }

  #status({
    t,
    phase,
    conditions,
    containers,
    initContainers,
  }: Extract<TraceLine, { kind: 'status' }>): void {
    this.#change(POD, 'phase', phase, t);
    for (const type of ['Initialized', 'Ready']) {
      const value = conditions[type]?.split(' ')[0];
      if (value !== undefined) this.#change(POD, type, value, t);
    }
    for (const { name, ready, started, restartCount, state } of [
      ...containers,
      ...initContainers,
    ]) {
      this.#change(name, 'ready', String(ready), t);
      this.#change(name, 'started', String(started ?? false), t);
      this.#change(name, 'restartCount', String(restartCount), t);
      this.#change(name, 'state', state, t);
    }
  }

  #anchor(container: string, t: number): void {
    this.#anchors.set(container, t);
    this.#anchors.set(POD, t);
  }

  #push(who: string, what: string, value: string, t: number): void {
    const subject = `${who} ${what}`;
    const steps = this.found.get(subject) ?? [];
    this.found.set(subject, steps);
    steps.push({ value, t: t - this.origin, since: t - (this.#anchors.get(who) ?? this.origin) });
  }

  #change(who: string, what: string, value: string, t: number): void {
    if (this.found.get(`${who} ${what}`)?.at(-1)?.value !== value) this.#push(who, what, value, t);
  }
}

function isStart(line: TraceLine): boolean {
  return line.kind === 'event' && line.reason === 'Started';
}

function isEvent(line: TraceLine, reason: string, container: string): boolean {
  return (
    line.kind === 'event' && line.reason === reason && containerOf(line.fieldPath) === container
  );
}

/** Time of an exit: the middle of the second that a cluster names. */
function timeOf(line: Extract<TraceLine, { kind: 'exited' }>): number {
  return line.at === undefined ? line.t : Math.min(line.at + 0.5, line.t);
}

function containerOf(fieldPath: string | undefined): string {
  return /\{(.*)\}/.exec(fieldPath ?? '')?.[1] ?? POD;
}

function withoutIDs(text: string): string {
  return text.replace(/ in pod \S+$/, '').replace(/[0-9a-f]{64}|\([0-9a-f-]{36}\)/g, '(id)');
}
