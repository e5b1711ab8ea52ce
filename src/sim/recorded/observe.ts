import { type Container, containerNamed, type Pod, present } from '../../api/index.js';
import type { ProbeType } from '../../kubelet/event.js';
import type { ProbeOutcome } from '../../kubelet/ports.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { endpointOf } from '../endpoint.js';

/** Returns the behavior of the containers of a trace. */
export function observe(lines: readonly TraceLine[]): readonly ObservedPod[] {
  const pods = new Map<string, PodObserver>();
  for (const line of lines) {
    if (!('pod' in line)) continue;
    const known = pods.get(line.pod);
    if (known !== undefined) known.add(line);
    else if (line.kind === 'pod')
      pods.set(line.pod, new PodObserver(line.pod, line.object, line.t));
  }
  return [...pods.values()].map((pod) => pod.observed());
}

type PodLine = Extract<TraceLine, { readonly pod: string }>;
type ContainerLine = Extract<PodLine, { readonly container: string }>;

class PodObserver {
  readonly #addedAt: number;
  readonly #actions: ObservedAction[] = [];
  readonly #containers = new Map<string, ContainerObserver>();
  #current: Pod;
  /** Time at which the kubelet was free to start the next container. */
  #freeAt = 0;

  constructor(
    private readonly key: string,
    private readonly object: Pod,
    t: number,
  ) {
    this.#addedAt = milliseconds(t);
    this.#freeAt = this.#addedAt;
    this.#current = object;
  }

  add(line: PodLine): void {
    const at = milliseconds(line.t) - this.#addedAt;
    switch (line.kind) {
      case 'pod':
        this.#current = line.object;
        this.#actions.push({ at, do: 'update', object: line.object });
        return;
      case 'action':
        if (line.do === 'delete') this.#actions.push({ at, do: 'delete' });
        return;
      case 'actions':
        this.#freeAt = milliseconds(line.t);
        return;
      case 'divergence':
      case 'gone':
        return;
      default:
        if ('container' in line) this.#inContainer(line);
    }
  }

  observed(): ObservedPod {
    const { key, object } = this;
    const containers = new Map(
      [...this.#containers].map(([name, container]) => [name, container.runs()] as const),
    );
    return { key, object, addedAt: this.#addedAt, actions: this.#actions, containers };
  }

  #inContainer(line: ContainerLine): void {
    const container = containerNamed(this.#current.spec, line.container);
    if (container === undefined) return;
    const observer = this.#containers.get(line.container) ?? new ContainerObserver();
    this.#containers.set(line.container, observer);
    observer.add(line, container, this.#freeAt);
    if (line.kind === 'started' || line.kind === 'hookDone') this.#freeAt = milliseconds(line.t);
  }
}

interface OpenRun extends ObservedRun {
  readonly answers: Map<string, Observation[]>;
  end?: ObservedEnd;
  stoppedAt?: number;
}

class ContainerObserver {
  readonly #runs: OpenRun[] = [];
  /** Start of the current attempt, by probe. */
  readonly #begun = new Map<string, { readonly at: number; readonly run: OpenRun }>();

  add(line: ContainerLine, container: Container, freeAt: number): void {
    const at = milliseconds(line.t);
    switch (line.kind) {
      case 'started':
        this.#begin(line.run, at, at - freeAt);
        return;
      case 'startFailed':
        this.#begin(line.run, at, at - freeAt, line.error);
        return;
      case 'stop':
        this.#change((run) => (run.stoppedAt = at));
        return;
      case 'exited':
        this.#change((run) => (run.end = endOf(run, at, line.exitCode)));
        return;
      case 'attempt': {
        const run = this.#runs.at(-1);
        this.#begun.delete(line.probe);
        // An attempt on a container that has ended shows nothing about it.
        if (run !== undefined && run.end === undefined) this.#begun.set(line.probe, { at, run });
        return;
      }
      case 'attemptDone':
        return this.#answer(line, container);
      default:
        return;
    }
  }

  runs(): readonly ObservedRun[] {
    return this.#runs;
  }

  #begin(run: number, startedAt: number, startTakes: number, startError?: string): void {
    const answers = new Map<string, Observation[]>();
    this.#runs.push(present({ run, startedAt, startTakes, answers, startError }));
  }

  #change(change: (run: OpenRun) => void): void {
    const run = this.#runs.at(-1);
    if (run !== undefined) change(run);
  }

  #answer(line: Extract<TraceLine, { kind: 'attemptDone' }>, container: Container): void {
    const begun = this.#begun.get(line.probe);
    const probe = probeOf(container, line.probe);
    const endpoint = probe && endpointOf(probe, container);
    if (begun === undefined || probe === undefined || endpoint === undefined) return;
    const { result, output, error, statusCode, exitCode, reason, detail } = line;
    const latency = line.latency / line.tries;
    const timeout = probe.timeoutSeconds * 1000;
    const timedOut = result === 'failure' && latency >= timeout;
    const answers = begun.run.answers.get(endpoint) ?? [];
    insert(answers, {
      probe: line.probe,
      age: begun.at - begun.run.startedAt,
      latency,
      outcome: { result, output, error, statusCode, exitCode, reason, detail },
      ...(timedOut ? { timedOutAfter: timeout } : {}),
    });
    begun.run.answers.set(endpoint, answers);
  }
}

/** Inserts in the order of age: answers come nearly in the order of their attempts. */
function insert(answers: Observation[], answer: Observation): void {
  let place = answers.length;
  while ((answers[place - 1]?.age ?? -Infinity) > answer.age) place--;
  answers.splice(place, 0, answer);
}

function endOf({ startedAt, stoppedAt }: OpenRun, at: number, exitCode: number): ObservedEnd {
  const age = at - startedAt;
  return stoppedAt === undefined
    ? { kind: 'itself', age, exitCode }
    : { kind: 'stopped', age: stoppedAt - startedAt, exitCode, took: at - stoppedAt };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/*
 * The recorded behavior of containers: when they were probed and what they answered. All times are in milliseconds; ages
 * count from a run's start.
 */

export interface ObservedPod {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: Pod;
  /** Since the trace began. */
  readonly addedAt: number;
  readonly actions: readonly ObservedAction[];
  readonly containers: ReadonlyMap<string, readonly ObservedRun[]>;
}

type ObservedAction =
  | { readonly at: number; readonly do: 'delete' }
  | { readonly at: number; readonly do: 'update'; readonly object: Pod };

/** One run of a container. */
export interface ObservedRun {
  readonly run: number;
  /** Since the trace began. */
  readonly startedAt: number;
  /** From the decision to start it to the start. */
  readonly startTakes: number;
  readonly startError?: string;
  readonly end?: ObservedEnd;
  /** By endpoint, in the order of age. */
  readonly answers: ReadonlyMap<string, readonly Observation[]>;
}

type ObservedEnd =
  | { readonly kind: 'itself'; readonly age: number; readonly exitCode: number }
  /** It was stopped: its further behavior is unknown. */
  | {
      readonly kind: 'stopped';
      readonly age: number;
      readonly exitCode: number;
      readonly took: number;
    };

/** An attempt and its outcome. */
export interface Observation {
  readonly probe: ProbeType;
  readonly age: number;
  readonly latency: number;
  readonly outcome: ProbeOutcome;
  /** The timeout that the attempt ran into: when an answer would have come is unknown. */
  readonly timedOutAfter?: number;
}
