import { stateText } from '../../src/kubelet/status/status-event.js';
import type { Event } from '../../src/trace/event.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface State {
  readonly waiting?: { readonly reason: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly finishedAt: string;
    readonly containerID?: string;
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly state: State;
  readonly lastState: State;
}

export interface PodObject {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly phase: string;
    readonly reason?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface EventObject {
  readonly involvedObject: { readonly name: string; readonly fieldPath?: string };
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What the API server says about one pod, as lines of a trace: without kprobe's own observer, which it is compared with. */
export class PodRecorder {
  readonly lines: TraceLine[] = [];
  readonly #pod: string;
  readonly #known = new Set<string>();

  constructor(
    readonly name: string,
    private readonly origin: number,
  ) {
    this.#pod = `default/${name}`;
  }

  pod({ status }: PodObject, now: number): void {
    const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    for (const container of all) this.#runs(container, now);
    const summary = (list: readonly ContainerStatus[] = []) =>
      list.map(({ name, ready, started, restartCount, state, lastState }) => ({
        name,
        ready,
        ...(started === undefined ? {} : { started }),
        restartCount,
        state: stateText(state as object),
        lastState: stateText(lastState as object),
      }));
    const conditions = (status.conditions ?? []).map(({ type, status: value, reason, message }) => [
      type,
      `${value}${reason ? ` ${reason}` : ''}${message ? `: ${message}` : ''}`,
    ]);
    this.#push(now, {
      kind: 'status',
      pod: this.#pod,
      phase: status.phase,
      reason: status.reason ?? '',
      conditions: Object.fromEntries(conditions) as Record<string, string>,
      containers: summary(status.containerStatuses),
      initContainers: summary(status.initContainerStatuses),
      podStatus: {},
    });
  }

  event(
    { source, reportingComponent, involvedObject, type, reason, message }: EventObject,
    now: number,
  ): void {
    if ((source?.component ?? reportingComponent) !== 'kubelet') return;
    const { fieldPath } = involvedObject;
    const base = { kind: 'event', pod: this.#pod, type, reason, message } as const;
    this.#push(now, fieldPath === undefined ? base : { ...base, fieldPath });
  }

  /** Exits: the status has their seconds. */
  #runs({ name, restartCount, state, lastState }: ContainerStatus, now: number): void {
    for (const { terminated } of [lastState, state]) {
      if (!terminated?.finishedAt) continue;
      const { exitCode, containerID, finishedAt } = terminated;
      this.#once(containerID ?? finishedAt, finishedAt, now, {
        kind: 'exited',
        pod: this.#pod,
        container: name,
        run: restartCount,
        exitCode,
      });
    }
  }

  #once(key: string, at: string, now: number, event: Event): void {
    if (this.#known.has(key)) return;
    this.#known.add(key);
    // The middle of the second that the kubelet names, but not after it was known.
    this.#push(Math.min(Date.parse(at) + 500, now), event);
  }

  #push(now: number, event: Event): void {
    this.lines.push({ t: (now - this.origin) / 1000, ...event });
  }
}
