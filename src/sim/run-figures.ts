import type { Pod } from '../api/index.js';
import type { ContainerSummary, ProbeType } from '../kubelet/event.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { eventContainer } from '../trace/summary/fold-event.js';
import type { TraceLine } from '../trace/trace-line.js';

/** What one run of a pod came to. Times are in seconds. */
export interface RunFigures {
  /** When the pod was ready for the first time; null when it never was. */
  readonly readyAfter: number | null;
  /** Restarts of all containers. */
  readonly restarts: number;
  /** How long it was not ready, after it had been for the first time; null when it never was. */
  readonly unready: number | null;
  /** Whether a restart was put off by a back-off. */
  readonly crashLooped: boolean;
  /** Whether it was ready, or had succeeded, in the end. */
  readonly good: boolean;
  /** What kept it from that. */
  readonly obstacles: readonly Obstacle[];
}

/** Takes the lines of one run. */
export class FiguresOfRun {
  #ready = false;
  #firstReady: number | undefined;
  #unready = 0;
  #lost = 0;
  #restarts = 0;
  #crashLooped = false;
  #phase = '';
  readonly #obstacles = new Obstacles();

  line(line: TraceLine): void {
    switch (line.kind) {
      case 'status':
        this.#phase = line.phase;
        this.#obstacles.status(line);
        this.#turn(line.conditions['Ready'] === 'True', line.t);
        break;
      case 'event':
        this.#obstacles.event(line);
        break;
      case 'pod':
        this.#obstacles.pod(line.object);
        break;
      case 'started':
        if (line.run > 0) this.#restarts++;
        break;
      case 'backOff':
        this.#crashLooped = true;
        break;
      default:
    }
  }

  end(seconds: number): RunFigures {
    const ready = this.#ready;
    if (!ready && this.#firstReady !== undefined) this.#turn(true, seconds);
    const good = ready || this.#phase === 'Succeeded';
    return {
      readyAfter: this.#firstReady ?? null,
      restarts: this.#restarts,
      unready: this.#firstReady === undefined ? null : this.#unready,
      crashLooped: this.#crashLooped,
      good,
      obstacles: good ? [] : this.#obstacles.found(),
    };
  }

  #turn(ready: boolean, t: number): void {
    if (ready === this.#ready) return;
    this.#ready = ready;
    if (!ready) this.#lost = t;
    else if (this.#firstReady === undefined) this.#firstReady = t;
    else this.#unready += t - this.#lost;
  }
}

/** What of a container keeps its pod from being ready. */
export interface Obstacle {
  readonly container: string;
  /** The probe that has yet to succeed, of a container that runs. */
  readonly probe?: ProbeType;
  /** `running`, `waiting CrashLoopBackOff`, `terminated Error 1`. */
  readonly state: string;
  /** How it ended before: `terminated Error 1`; empty when it has not. */
  readonly lastState: string;
  /** What the event said that tells why: of its probe, or of what it did not start or was killed for; else empty. */
  readonly message: string;
}

type Status = Extract<TraceLine, { kind: 'status' }>;
type EventLine = Extract<TraceLine, { kind: 'event' }>;

/** What the kubelet says when it kills a container for a probe. */
const KILLED = / failed (startup|liveness) probe/;

/** Hears what is said of containers, to tell in the end which of them kept their pod from being ready. */
export class Obstacles {
  #pod: Pod | undefined;
  #status: Status | undefined;
  /** The last failures of probes: `app readiness`. */
  readonly #failures = new Map<string, string>();
  /** Why containers did not start, or were killed; of those that end by themselves, nothing. */
  readonly #ends = new Map<string, string>();

  pod(pod: Pod): void {
    this.#pod = pod;
  }

  status(status: Status): void {
    this.#status = status;
  }

  event(line: EventLine): void {
    const { reason, message } = line;
    const name = eventContainer(line);
    if (name === undefined) return;
    switch (reason) {
      case 'Unhealthy':
        // Its first word is the probe.
        this.#failures.set(`${name} ${message.split(' ', 1)[0]?.toLowerCase()}`, message);
        return;
      case 'Killing': {
        const probe = KILLED.exec(message)?.[1] as 'startup' | 'liveness' | undefined;
        if (probe !== undefined) this.#ends.set(name, this.#failureOf(name, probe));
        return;
      }
      case 'Failed':
      case 'FailedPostStartHook':
        this.#ends.set(name, message);
        return;
      case 'Started':
        this.#ends.delete(name);
    }
  }

  /** Those of the pod as it is now; behind an init container that is not through, nothing else is to blame. */
  found(): readonly Obstacle[] {
    if (this.#pod === undefined || this.#status === undefined) return [];
    const { initContainers, containers } = this.#status;
    const sidecars = new Set(
      (this.#pod.spec.initContainers ?? [])
        .filter(isRestartableInitContainer)
        .map(({ name }) => name),
    );
    const first = initContainers.find((init) =>
      sidecars.has(init.name) ? init.started !== true : !init.state.endsWith(' Completed 0'),
    );
    if (first !== undefined) return [this.#obstacle(first, sidecars.has(first.name))];
    const members = [...initContainers.filter(({ name }) => sidecars.has(name)), ...containers];
    return members.filter(({ ready }) => !ready).map((member) => this.#obstacle(member, true));
  }

  #obstacle({ name, state, lastState, started }: ContainerSummary, isProbed: boolean): Obstacle {
    const about = { container: name, state, lastState };
    if (!isProbed || state !== 'running') {
      return { ...about, message: this.#ends.get(name) ?? '' };
    }
    const probe = started === true ? 'readiness' : 'startup';
    return { ...about, probe, message: this.#failureOf(name, probe) };
  }

  #failureOf(container: string, probe: ProbeType): string {
    return this.#failures.get(`${container} ${probe}`) ?? '';
  }
}
