import type { Pod } from '../api/index.js';
import type { ContainerSummary, ProbeType } from '../kubelet/event.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { eventContainer } from '../trace/event-container.js';
import type { TraceLine } from '../trace/trace-line.js';

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
