import type { Pod, PodCondition } from '../api/index.js';
import { type Clock, sleep, withTimeout } from '../clock/clock.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { podGracePeriod } from '../kubelet/containers/termination-grace-period.js';
import { Kubelet, type KubeletOptions } from '../kubelet/kubelet.js';
import { parseContainerID, podKey, withConfigSource } from '../kubelet/pod-name.js';
import { type ProbeTransports, type Runtime, type StatusSink } from '../kubelet/ports.js';
import { changedProbes, withProbesOf } from '../kubelet/prober/probe-of.js';
import { behaviorOf, type KubeletConfig } from '../kubelet/release.js';
import { conditionsOfOthers } from '../kubelet/status/conditions.js';
import { runtimeErrorMessage } from '../kubelet/sync-result.js';
import { type EngineListener, TracedRuntime } from '../kubelet/traced-runtime.js';
import type { KnownSecrets } from '../secrets/known-secrets.js';
import type { Event, ProbeType } from '../trace/event.js';
import { fold } from '../trace/summary/fold.js';
import { EMPTY_SUMMARY, findContainer, findPod, type Summary } from '../trace/summary/summary.js';
import { toTraceLine, type TraceLine } from '../trace/trace-line.js';
import { TraceMask } from '../trace/trace-mask.js';
import { EvidenceCollector, type TrialScope } from './evidence.js';

export interface TargetRuntime extends Runtime {
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly clock: Clock;
  readonly createRuntime: (listener: EngineListener) => TargetRuntime;
  readonly transports: ProbeTransports;
  readonly hostIP: string;
  /** Uptime of the kubelet in milliseconds. */
  readonly kubeletAge: number;
  readonly kubelet: KubeletConfig;
  readonly runsHooks?: KubeletOptions['runsHooks'];
  /** Secrets that are masked in the trace, in addition to those of the pods. */
  readonly secrets?: KnownSecrets;
  /** When true, all secrets stay in the trace. */
  readonly withSecrets?: boolean | undefined;
  /** The servers against which changes are tried; none by default. */
  readonly trials?: TrialScope | undefined;
  /** Present where changes of settings are replayed. */
  readonly isSimulated?: IsSimulated | undefined;
}

/**
 * Milliseconds between two pods at the start, and from the first to the last. A kubelet that has been up for long got its
 * pods one after another, so that their probes are spread over time.
 */
const MAX_GAP = 10;
const SPREAD = 1000;

/** Milliseconds that a runtime may take at the end of a run to report what has ended. */
const REFRESH_LIMIT = 2000;

export type LineListener = (line: TraceLine, summary: Summary) => void;

/** The trace of what a kubelet does, with secrets masked, and its summary. */
export class Recording {
  protected readonly clock: Clock;
  /** When the trace began, in the clock's milliseconds. */
  readonly origin: number;
  readonly #listeners = new Set<LineListener>();
  readonly #mask: TraceMask | undefined;
  #summary = EMPTY_SUMMARY;

  constructor(
    { clock, secrets, withSecrets }: Pick<SessionOptions, 'clock' | 'secrets' | 'withSecrets'>,
    origin = clock.now(),
  ) {
    this.clock = clock;
    this.origin = origin;
    this.#mask = withSecrets === true ? undefined : new TraceMask(secrets);
  }

  get summary(): Summary {
    return this.#summary;
  }

  /** Seconds since the trace began. */
  get now(): number {
    return (this.clock.now() - this.origin) / 1000;
  }

  onLine(listener: LineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  note(level: 'info' | 'warning', text: string): void {
    this.record({ kind: 'note', level, text });
  }

  add(line: TraceLine): void {
    this.#summary = fold(this.#summary, line);
    for (const listener of this.#listeners) listener(line, this.#summary);
  }

  protected record(event: Event): void {
    const line = toTraceLine(event, this.clock.now(), this.origin);
    this.add(this.#mask?.line(line) ?? line);
  }
}

/** A kubelet that runs pods, with its trace and summary. */
export class Session extends Recording {
  readonly #kubelet: Kubelet;
  readonly #runtime: TracedRuntime<TargetRuntime>;
  readonly #pods = new Map<string, Pod>();
  readonly #evidence: EvidenceCollector;
  readonly #updatesProbes: boolean;
  #ending: Promise<void> | undefined;
  #ended = false;

  constructor(options: SessionOptions) {
    super(options);
    const emit = (event: Event): void => this.record(event);
    this.#runtime = new TracedRuntime(emit, options.createRuntime);
    const { kubelet, kubeletAge, trials = 'none' } = options;
    this.#updatesProbes = behaviorOf(kubelet).updatesProbes;
    this.#evidence = new EvidenceCollector({
      ...options,
      runtime: this.#runtime,
      trials,
      kubeletAge: kubeletAge / 1000,
      record: emit,
      summary: () => this.summary,
      podOf: (key) => [...this.#pods.values()].find((pod) => podKey(pod) === key),
    });
    this.#kubelet = new Kubelet({
      ...options,
      runtime: this.#runtime,
      emit,
      age: kubeletAge,
      sink: ACCEPTING_SINK,
      config: kubelet,
    });
  }

  start(pods: readonly Pod[]): void {
    this.#kubelet.start();
    this.update(pods, Math.min(MAX_GAP, SPREAD / pods.length));
  }

  /** Sets the desired pods: adds new ones, updates changed ones, and deletes the others. New ones come `gap` milliseconds apart. */
  update(pods: readonly Pod[], gap = 0): void {
    const wanted = new Map(pods.map((pod) => [pod.metadata.uid, withConfigSource(pod, 'api')]));
    for (const [uid, pod] of this.#pods) if (!wanted.has(uid)) this.#delete(pod);
    let delay = 0;
    for (const [uid, pod] of wanted) {
      const known = this.#pods.get(uid);
      if (known === undefined) {
        this.#pods.set(uid, pod);
        this.#add(pod, delay);
        delay += gap;
      } else this.#change(known, pod);
    }
  }

  /** Sets conditions of the pods that a kubelet does not set, such as those of readiness gates. */
  setConditions(conditions: readonly PodCondition[]): void {
    const others = conditionsOfOthers(conditions);
    for (const [uid, pod] of this.#pods) {
      if (JSON.stringify(pod.status.conditions ?? []) === JSON.stringify(others)) continue;
      this.#pods.set(uid, { ...pod, status: { conditions: others } });
      this.#kubelet.update('UPDATE', this.#pods.get(uid) ?? pod);
    }
  }

  /** Makes the runtime report containers that have ended. Resolves with an error when it does not answer in time. */
  async refresh(): Promise<string | undefined> {
    const listing = this.#runtime.getPods().then(() => undefined, runtimeErrorMessage);
    const first = await withTimeout(this.clock, listing, REFRESH_LIMIT);
    await sleep(this.clock, 0);
    return first === 'timeout' ? `${this.#runtime.name} does not answer` : listing;
  }

  override add(line: TraceLine): void {
    if (this.#ended) return;
    super.add(line);
    this.#evidence.keepLine(line);
  }

  /** Tries the changes that may end a probe's failure. Returns the number of attempts. */
  tryChanges(pod: string, container: string, probe: ProbeType): number {
    return this.#evidence.tryNow({ pod, container, probe });
  }

  /** Triggers a probe now. Returns false when it has no worker. */
  trigger(key: string, container: string, probeType: ProbeType): boolean {
    const pod = findPod(this.summary, key);
    if (pod === undefined) return false;
    return this.#kubelet.proberManager.trigger(pod.object.metadata.uid, container, probeType);
  }

  /**
   * Stops a container's current run with the pod's grace period, as if somebody had killed it; the kubelet notices
   * the exit. Resolves with the reason why not, or undefined when it was stopped.
   */
  async restart(key: string, container: string): Promise<string | undefined> {
    const pod = findPod(this.summary, key);
    const view = pod && findContainer(pod, container);
    const run = view?.runs.at(-1);
    const { containerStatuses = [], initContainerStatuses = [] } = pod?.status ?? {};
    const statuses = [...containerStatuses, ...initContainerStatuses];
    const id = statuses.find(({ name }) => name === container)?.containerID;
    if (pod === undefined || id === undefined || run?.endedAt !== undefined || run === undefined) {
      return `${container} is not running`;
    }
    if (view?.stopping !== undefined) return `${container} is already being stopped`;
    this.record({ kind: 'restartAsked', pod: key, container, run: run.run });
    try {
      await this.#runtime.stopContainer(parseContainerID(id), podGracePeriod(pod.object));
      return undefined;
    } catch (error) {
      return runtimeErrorMessage(error);
    }
  }

  /** Stops the kubelet, publishes the last statuses, and stops everything that the target started. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#evidence.close();
    this.#kubelet.stop();
    await Promise.all([this.#runtime.inner.close(), this.#kubelet.flushStatuses()]);
    this.#ended = true;
  }

  #add(pod: Pod, delay: number): void {
    this.record({ kind: 'pod', pod: podKey(pod), object: pod });
    const add = (): void => {
      if (this.#ending === undefined) this.#kubelet.update('ADD', pod);
    };
    if (delay === 0) add();
    else this.clock.setTimeout(add, delay);
  }

  #change(before: Pod, wanted: Pod): void {
    const pod = this.#updatesProbes ? wanted : withProbesOf(before, wanted);
    const names = new Set(changedProbes(pod, wanted).map(({ container }) => container.name));
    if (names.size > 0) {
      this.note(
        'warning',
        `probes of ${[...names].join(', ')} keep their old settings: a kubelet does not change probes of a running pod; end kprobe and start it again`,
      );
    }
    this.#pods.set(pod.metadata.uid, pod);
    if (JSON.stringify(before.spec) === JSON.stringify(pod.spec)) return;
    this.record({ kind: 'action', pod: podKey(pod), do: 'update' });
    this.record({ kind: 'pod', pod: podKey(pod), object: pod });
    this.#kubelet.update('UPDATE', pod);
  }

  /** Marks the pod for deletion, as `kubectl delete` does; it is removed when it has ended. */
  #delete(pod: Pod): void {
    this.#pods.delete(pod.metadata.uid);
    this.record({ kind: 'action', pod: podKey(pod), do: 'delete' });
    this.#kubelet.update('UPDATE', {
      ...pod,
      metadata: {
        ...pod.metadata,
        deletionTimestamp: this.clock.now(),
        deletionGracePeriodSeconds: podGracePeriod(pod),
      },
    });
  }

  protected override record(event: Event): void {
    if (event.kind === 'attemptDone') this.#evidence.inspect(event);
    const isEnd = event.kind === 'exited' || event.kind === 'hookDone';
    super.record(isEnd && this.#ending !== undefined ? { ...event, ending: true } : event);
    if (event.kind === 'started') this.#evidence.watchStart(event);
    if (event.kind !== 'attemptDone') return;
    this.#evidence.try(event);
    void this.#evidence.replay(event);
  }
}

/** Acts as the API server: it accepts every status, after which the kubelet shows it and removes deleted pods. */
const ACCEPTING_SINK: StatusSink = {
  patchPodStatus: () => Promise.resolve(),
  deletePod: () => Promise.resolve(),
};
