import { type Clock, withTimeout } from '../../clock/clock.js';
import type { Event, EventOf } from '../../trace/event.js';
import type { LogRecorder } from './log-recorder.js';
import type { logReader } from './watch-requests.js';

type ReadLog = ReturnType<typeof logReader>;

/** Milliseconds that the end of a run waits for its log. */
const LOG_WAIT = 1000;

/** Records the crashes of pods after their logs, so that their causes are known at once. */
export class CrashRecorder {
  /** Events of pods since the end of a run whose log is being read, by the pod's key. */
  readonly #held = new Map<string, Event[]>();
  /** Names of containers that must not end, by the pod's key. */
  readonly #servers = new Map<string, readonly string[]>();

  constructor(
    private readonly clock: Clock,
    private readonly readLog: ReadLog,
    private readonly logs: Pick<LogRecorder, 'output'>,
    private readonly emit: (event: Event) => void,
  ) {}

  isHeld(pod: string): boolean {
    return this.#held.has(pod);
  }

  record(event: Event): void {
    this.#know(event);
    this.#record(event);
  }

  #record(event: Event): void {
    const held = 'pod' in event ? this.#held.get(event.pod) : undefined;
    if (held !== undefined) held.push(event);
    else if (this.#isCrash(event)) void this.#recordHeld(event.pod, [event]);
    else this.emit(event);
  }

  /** Records the first events of a pod; if one is a crash, all of them wait for its log. */
  recordNew(pod: string, events: readonly Event[]): void {
    for (const event of events) this.#know(event);
    if (events.some((event) => this.#isCrash(event))) void this.#recordHeld(pod, [...events]);
    else for (const event of events) this.#record(event);
  }

  async #recordHeld(pod: string, held: Event[]): Promise<void> {
    this.#held.set(pod, held);
    // Wait for the status of the same report: it shows whether another run has begun.
    await Promise.resolve();
    const restarts = held.flatMap((event) =>
      event.kind === 'status' ? [...event.initContainers, ...event.containers] : [],
    );
    const read = new Map<Event, Awaited<ReturnType<ReadLog>>>();
    const crashes = held.filter((event) => this.#isCrash(event));
    const readings = crashes.map(async (ended) => {
      const { container, run } = ended;
      const { restartCount = run } = restarts.findLast(({ name }) => name === container) ?? {};
      const reading = this.readLog(ended, restartCount);
      const first = await withTimeout(this.clock, reading, LOG_WAIT);
      read.set(ended, first === 'done' ? await reading : undefined);
      // Even a late log, as on a busy machine, shows why the run crashed.
      if (first !== 'done') void reading.then((lines) => this.logs.output(ended, lines));
    });
    await Promise.all(readings);
    this.#held.delete(pod);
    for (const event of held) {
      if (event.kind === 'exited' && read.has(event)) {
        const log = read.get(event);
        this.logs.output(event, log);
        this.emit(log?.length === 0 ? { ...event, wroteNothing: true } : event);
      } else this.#record(event);
    }
  }

  #know(event: Event): void {
    if (event.kind !== 'pod') return;
    const { spec, metadata } = event.object;
    const names = spec.containers.map(({ name }) => name);
    // The containers of a deleted pod are to end.
    if (spec.restartPolicy === 'Always' && metadata.deletionTimestamp === undefined)
      this.#servers.set(event.pod, names);
    else this.#servers.delete(event.pod);
  }

  /** A server that ends with 0 has a reason for it, too. */
  #isCrash(event: Event): event is EventOf<'exited'> {
    if (event.kind !== 'exited') return false;
    const isServer = this.#servers.get(event.pod)?.includes(event.container) === true;
    return event.exitCode !== 0 || isServer;
  }
}
