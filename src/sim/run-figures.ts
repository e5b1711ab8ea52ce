import type { Pod } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import type { ContainerSummary, ProbeType } from '../trace/event.js';
import { hasCompleted, parseContainerState } from '../trace/summary/container-view.js';
import { eventContainer } from '../trace/summary/fold-event.js';
import type { LineOf, TraceLine } from '../trace/trace-line.js';

/** The results of one run of a pod. Times are in seconds. */
export interface PodFigures {
  /** Time when the pod was first ready; null if it never was. */
  readonly readyAfter: number | null;
  readonly restarts: number;
  /** Total time not ready after the first ready; null when it never was ready. */
  readonly unready: number | null;
  /** Time that the pod had been ready at the end; null when it was not ready then. */
  readonly readyFor: number | null;
  /** A back-off delayed a restart. */
  readonly crashLooped: boolean;
  /** The pod was ready or had succeeded at the end. */
  readonly good: boolean;
  /** Empty when `good`. */
  readonly obstacles: readonly Obstacle[];
}

/** Computes the figures of a run from its trace lines. */
export class PodFiguresCollector {
  #ready = false;
  #firstReady: number | undefined;
  #readySince = 0;
  #notReady = 0;
  #notReadySince = 0;
  #restarts = 0;
  #crashLooped = false;
  readonly #obstacles = new Obstacles();

  add(line: TraceLine): void {
    if (line.kind === 'status') {
      this.#obstacles.status = line;
      this.#setReady(line.conditions['Ready'] === 'True', line.t);
    } else if (line.kind === 'event') this.#obstacles.event(line);
    else if (line.kind === 'pod') this.#obstacles.pod = line.object;
    else if (line.kind === 'started' && line.run > 0) this.#restarts++;
    else if (line.kind === 'backOff') this.#crashLooped = true;
  }

  end(seconds: number): PodFigures {
    const [ready, since] = [this.#ready, this.#readySince];
    if (!ready && this.#firstReady !== undefined) this.#setReady(true, seconds);
    const good = ready || this.#obstacles.status?.phase === 'Succeeded';
    return {
      readyAfter: this.#firstReady ?? null,
      restarts: this.#restarts,
      unready: this.#firstReady === undefined ? null : this.#notReady,
      readyFor: ready ? seconds - since : null,
      crashLooped: this.#crashLooped,
      good,
      obstacles: good ? [] : this.#obstacles.found(),
    };
  }

  #setReady(ready: boolean, t: number): void {
    if (ready === this.#ready) return;
    this.#ready = ready;
    if (ready) this.#readySince = t;
    if (!ready) this.#notReadySince = t;
    else if (this.#firstReady === undefined) this.#firstReady = t;
    else this.#notReady += t - this.#notReadySince;
  }
}

/** The state of a container that keeps its pod from being ready. */
export interface Obstacle {
  readonly container: string;
  /** The probe that has not succeeded, of a running container. */
  readonly probe?: ProbeType;
  /** `running`, `waiting CrashLoopBackOff`, `terminated Error 1`. */
  readonly state: string;
  /** The previous end: `terminated Error 1`, or empty. */
  readonly lastState: string;
  /** The event's message with the reason: of its probe, its failed start or its kill; or empty. */
  readonly message: string;
}

/** The kubelet's message for a kill by a probe. */
const KILLED = / failed (startup|liveness) probe/;

/** Collects what keeps a pod from being ready. */
class Obstacles {
  pod: Pod | undefined;
  status: LineOf<'status'> | undefined;
  /** The last failure by container and probe: `app readiness`. */
  readonly #failures = new Map<string, string>();
  /** The reason of a failed start or a kill, by container. */
  readonly #ends = new Map<string, string>();

  event(line: LineOf<'event'>): void {
    const { reason, message } = line;
    const name = eventContainer(line);
    if (name === undefined) return;
    if (reason === 'Unhealthy') {
      // The first word of the message is the probe.
      this.#failures.set(`${name} ${message.split(' ', 1)[0]?.toLowerCase()}`, message);
    } else if (reason === 'Killing') {
      const probe = KILLED.exec(message)?.[1] as 'startup' | 'liveness' | undefined;
      if (probe !== undefined) this.#ends.set(name, this.#failureOf(name, probe));
    } else if (reason === 'Failed' || reason === 'FailedPostStartHook') {
      this.#ends.set(name, message);
    } else if (reason === 'Started') this.#ends.delete(name);
  }

  /** Returns the current obstacles; an init container that has not completed is the only one. */
  found(): readonly Obstacle[] {
    if (this.pod === undefined || this.status === undefined) return [];
    const { initContainers, containers } = this.status;
    const sidecars = new Set(
      (this.pod.spec.initContainers ?? [])
        .filter(isRestartableInitContainer)
        .map(({ name }) => name),
    );
    const first = initContainers.find((init) =>
      sidecars.has(init.name)
        ? init.started !== true
        : !hasCompleted(parseContainerState(init.state)),
    );
    if (first !== undefined) return [this.#obstacle(first, sidecars.has(first.name))];
    const members = [...initContainers.filter(({ name }) => sidecars.has(name)), ...containers];
    return members.filter(({ ready }) => !ready).map((member) => this.#obstacle(member, true));
  }

  #obstacle({ name, state, lastState, started }: ContainerSummary, isProbed: boolean): Obstacle {
    const obstacle = { container: name, state, lastState };
    if (!isProbed || state !== 'running') {
      return { ...obstacle, message: this.#ends.get(name) ?? '' };
    }
    const probe = started === true ? 'readiness' : 'startup';
    return { ...obstacle, probe, message: this.#failureOf(name, probe) };
  }

  #failureOf(container: string, probe: ProbeType): string {
    return this.#failures.get(`${container} ${probe}`) ?? '';
  }
}
