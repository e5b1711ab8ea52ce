import { JsonReader } from '../../api/index.js';
import type { Clock, Timer } from '../../clock/clock.js';
import { missingNamespace } from '../../cluster/client/cluster.js';
import { ClusterError, withRule } from '../../cluster/cluster-error.js';
import { rewrittenProbes } from '../../cluster/observe/divergence.js';
import { PodObserver } from '../../cluster/observe/pod-observer.js';
import type {
  Cluster,
  ConnectionState,
  KubeObject,
  ReflectHandler,
  ResourceKind,
  Selection,
} from '../../cluster/types.js';
import { podKey } from '../../kubelet/pod-name.js';
import type { Event } from '../../trace/event.js';
import { currentRun, lastStarted } from '../../trace/summary/container-view.js';
import { findContainerOf } from '../../trace/summary/summary.js';
import { Recording } from '../session.js';
import type { RunSession } from '../wait-for-goal.js';
import { ClaimEvents } from './claim-events.js';
import { kubeletNote } from './cluster-version.js';
import { CrashRecorder } from './crash-recorder.js';
import { LogRecorder } from './log-recorder.js';
import {
  type LoggedRun,
  logReader,
  placeOf,
  type PodOnNode,
  type PolledData,
  pollNodes,
} from './watch-requests.js';
import {
  type SharedObjects,
  singularOf,
  WatchedWorkload,
  type WatchTarget,
} from './watch-target.js';

interface WatchOptions {
  readonly clock: Clock;
  readonly cluster: Pick<
    Cluster,
    'server' | 'get' | 'reflect' | 'log' | 'followLog' | 'probeCounts' | 'close'
  >;
  readonly target: WatchTarget;
  /** When true, all secrets stay in the trace. */
  readonly withSecrets?: boolean | undefined;
  /** When the trace began, in the clock's milliseconds; now when absent. */
  readonly origin?: number;
}

/** Pods whose events are kept until the pod itself comes. */
const MAX_EARLY = 1000;
/** Milliseconds between two checks of what changes with time alone. */
const TICK = 1000;
/** Seconds after which the log of a run is read. */
const LOG_TIME = 4;

/** Names of the polled data in notes. */
const POLLED_DATA: Readonly<Record<PolledData, string>> = {
  nodes: 'the nodes',
  probeCounts: "the kubelets' probe counts",
};

interface WatchedPod {
  readonly observer: PodObserver;
  readonly key: string;
  readonly place: PodOnNode | undefined;
  readonly workload: WatchedWorkload | undefined;
}

/** The pods of a cluster, with the trace and summary of what their kubelets report. */
export class WatchSession extends Recording implements RunSession {
  readonly #shared: SharedObjects = { replicasets: new Map(), endpointslices: new Map() };
  readonly #workloads: readonly (WatchedWorkload | undefined)[];
  readonly #stopping = new AbortController();
  readonly #logs: LogRecorder;
  readonly #readLog: ReturnType<typeof logReader>;
  readonly #crashes: CrashRecorder;
  /** The watched pods by UID. */
  readonly #pods = new Map<string, WatchedPod>();
  readonly #early = new Map<string, KubeObject[]>();
  readonly #claims = new ClaimEvents({
    follow: (events, onEvent) =>
      void this.#follow('events', events, onEvent).catch((error: unknown) => this.#denied(error)),
    onEvent: (event, uid) => this.#observe(uid, (observer, now) => observer.event(event, now)),
  });
  readonly #noted = new Set<string>();
  /** Runs whose log has been read because they hold their pod up. */
  readonly #readRuns = new Set<string>();
  /** Kinds whose connection is lost. */
  readonly #lost = new Set<ResourceKind>();
  /** Changes that arrived before `begin`. */
  #queued: { readonly kind: ResourceKind; readonly change: () => void }[] | undefined = [];
  #timer: Timer | undefined;
  #missing: ClusterError | undefined;

  constructor(private readonly watched: WatchOptions) {
    super(watched, watched.origin);
    this.#workloads = watched.target.parts.map(
      ({ workload }) => workload && new WatchedWorkload(workload, this.#shared),
    );
    const { signal } = this.#stopping;
    this.#logs = new LogRecorder({
      ...watched,
      signal,
      record: (line) => this.record(line),
      note: (text) => this.note('info', text),
    });
    this.#readLog = logReader({
      ...watched,
      signal,
      onDenied: (error) => this.note('info', `without the logs of containers: ${withRule(error)}`),
    });
    this.#crashes = new CrashRecorder(watched.clock, this.#readLog, this.#logs, (event) => {
      if (!signal.aborted) super.record(event);
    });
  }

  /** Resolves once everything is listed; rejects with a ClusterError when the pods cannot be. The trace starts with `begin`. */
  async list(): Promise<void> {
    const { parts, events } = this.watched.target;
    const others = [
      this.#follow('events', events, (event) => this.#event(event)),
      ...this.#followWorkloads(),
    ];
    await Promise.all([
      ...parts.map(({ pods }, index) =>
        this.#follow(
          'pods',
          pods,
          (pod) => this.#pod(pod, this.#workloads[index]),
          (pod) => this.#removed(pod),
        ),
      ),
      ...others.map((other) => other.catch((error: unknown) => this.#denied(error))),
    ]);
    const { namespace } = parts[0]?.pods ?? {};
    const isEmpty = this.#queued?.every(({ kind }) => kind !== 'pods') === true;
    if (isEmpty && namespace !== undefined) {
      this.#missing = await missingNamespace(this.watched.cluster, namespace);
    }
  }

  /** Starts the trace with the listed objects, and continues to watch. */
  begin(): void {
    const queued = this.#queued ?? [];
    this.#queued = undefined;
    // The events come first, because they have the reasons of a pod's past.
    for (const { kind, change } of queued) if (kind !== 'pods') change();
    for (const { kind, change } of queued) if (kind === 'pods') change();
    this.#early.clear();
    if (this.#pods.size === 0) {
      const texts = this.watched.target.parts.map(({ text }) => text);
      const missing = this.#missing && `${this.#missing.message}: `;
      this.note(
        'info',
        `${missing ?? ''}there are no ${texts.join(' and ')} yet: waiting for them`,
      );
    }
    this.#pollNodes();
    this.#tick();
  }

  #noteOnce(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.note('info', text);
  }

  readonly refresh = (): Promise<undefined> => Promise.resolve(undefined);

  async end(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.watched.cluster.close();
  }

  #followWorkloads(): Promise<void>[] {
    const watched = this.#workloads.filter((workload) => workload !== undefined);
    const [first] = watched;
    if (first === undefined) return [];
    const { namespace } = first.object.metadata;
    const share = (kind: keyof SharedObjects): Promise<void> =>
      this.#follow(
        kind,
        { namespace },
        (object) => void this.#shared[kind].set(object.metadata.uid, object),
        (object) => void this.#shared[kind].delete(object.metadata.uid),
      );
    const endpoints = (): Promise<void> =>
      share('endpointslices').catch((error: unknown) => this.#denied(error, 'info'));
    const kinds = watched.map(({ kind }) => kind);
    return [
      ...watched.map((workload) => this.#followWorkload(workload)),
      // A Deployment needs none of these events: its status shows that pods cannot be created.
      ...watched.flatMap((each) => (each.kind === 'deployments' ? [] : this.#followFailures(each))),
      ...(kinds.includes('deployments') ? [share('replicasets')] : []),
      ...(kinds.every((kind) => kind === 'jobs') ? [] : [endpoints()]),
    ];
  }

  #followWorkload(workload: WatchedWorkload): Promise<void> {
    const { kind, object } = workload;
    const { name, namespace } = object.metadata;
    const upsert = (changed: KubeObject): void => {
      workload.changed(changed);
      if (this.#timer !== undefined) this.#rollout(workload);
    };
    const remove = (): void => {
      workload.deleted();
      this.note('warning', `${singularOf(kind)} ${name} was deleted`);
      this.#rollout(workload);
    };
    return this.#follow(kind, { namespace, name }, upsert, remove);
  }

  #followFailures(workload: WatchedWorkload): Promise<void> {
    const { name, namespace, uid } = workload.object.metadata;
    const fieldSelector = `involvedObject.uid=${uid},involvedObject.name=${name},reason=FailedCreate`;
    return this.#follow('events', { namespace, fieldSelector }, workload.failedCreate);
  }

  #rollout(workload: WatchedWorkload): void {
    const owned = [...this.#pods.values()].filter((pod) => pod.workload === workload);
    const known = owned.filter(({ key }) => !this.#crashes.isHeld(key));
    // No pod decides about a goal before its workload is known.
    if (known.length < owned.length && workload.isReported) return;
    const keys = new Set(known.map(({ key }) => key));
    const pods = this.summary.pods.filter(({ key }) => keys.has(key));
    const event = workload.rollout(pods, this.clock.now(), this.now);
    if (event !== undefined) this.record(event);
  }

  /** Resolves once the objects are listed, and follows them until the end. */
  #follow(
    kind: ResourceKind,
    selection: Selection,
    upsert: (object: KubeObject) => void,
    remove: (object: KubeObject) => void = () => undefined,
  ): Promise<void> {
    const onceBegun = (change: (object: KubeObject) => void) => (object: KubeObject) => {
      if (this.#queued === undefined) change(object);
      else this.#queued.push({ kind, change: () => change(object) });
    };
    return new Promise((resolve, reject) => {
      const handler: ReflectHandler = {
        upsert: onceBegun(upsert),
        remove: onceBegun(remove),
        synced: resolve,
        connection: (state) => {
          if (!state.up && this.#queued !== undefined) reject(state.error);
          else this.#connection(kind, state);
        },
      };
      const { cluster } = this.watched;
      const { signal } = this.#stopping;
      void cluster.reflect(kind, selection, handler, signal).catch((error: unknown) => {
        // Once the objects are listed, the promise can no longer report a bug.
        if (!(error instanceof ClusterError)) throw error;
        reject(error);
      });
    });
  }

  /** Notes a missing permission; the watch continues without it. */
  #denied(error: unknown, level: 'warning' | 'info' = 'warning'): void {
    if (!(error instanceof ClusterError)) throw error;
    const note = (): void => this.note(level, withRule(error));
    if (this.#queued === undefined) note();
    else this.#queued.push({ kind: 'events', change: note });
  }

  /** All kinds lose their connection together: one line is enough. */
  #connection(kind: ResourceKind, state: ConnectionState): void {
    const wasUp = this.#lost.size === 0;
    if (state.up) this.#lost.delete(kind);
    else this.#lost.add(kind);
    if (wasUp === (this.#lost.size === 0)) return;
    const { server } = this.watched.cluster;
    const error = state.up ? {} : { error: state.error.message };
    this.record({ kind: 'runtime', up: state.up, server, ...error });
  }

  #pod(object: KubeObject, workload: WatchedWorkload | undefined): void {
    if (workload?.owns(object) === false) return;
    const { uid, name, namespace = '' } = object.metadata;
    const now = this.clock.now();
    const known = this.#pods.get(uid);
    const observer = known?.observer ?? new PodObserver();
    const key = podKey({ metadata: { name, namespace } });
    const place = placeOf(object);
    this.#pods.set(uid, { observer, key, place, workload: workload ?? known?.workload });
    this.#claims.onPod(object);
    const early = this.#early.get(uid) ?? [];
    this.#early.delete(uid);
    if (known === undefined) for (const text of rewrittenProbes(object)) this.#noteOnce(text);
    const events = [
      ...early.flatMap((event) => observer.event(event, now)),
      ...observer.pod(object, now),
    ];
    if (known === undefined) this.#crashes.recordNew(key, events);
    else this.#recordAll(events);
  }

  #removed(object: KubeObject): void {
    const { uid } = object.metadata;
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    this.#pods.delete(uid);
    this.#recordAll(known.observer.removed(object, this.clock.now()));
    this.record({ kind: 'gone', pod: known.key });
  }

  #event(event: KubeObject): void {
    const uid = new JsonReader(event['involvedObject']).text('uid');
    if (this.#pods.has(uid)) {
      this.#observe(uid, (observer, now) => observer.event(event, now));
      return;
    }
    this.#early.set(uid, [...(this.#early.get(uid) ?? []), event]);
    const [oldest] = this.#early.keys();
    const isFull = this.#queued === undefined && this.#early.size > MAX_EARLY;
    if (isFull && oldest !== undefined) this.#early.delete(oldest);
  }

  #observe(uid: string, observe: (observer: PodObserver, now: number) => readonly Event[]): void {
    const known = this.#pods.get(uid);
    if (known !== undefined) this.#recordAll(observe(known.observer, this.clock.now()));
  }

  #pollNodes(): void {
    pollNodes({
      ...this.watched,
      signal: this.#stopping.signal,
      pods: () => [...this.#pods.values()].flatMap(({ place }) => place ?? []),
      onNode: (node, uid) => {
        this.#noteOnce(kubeletNote(node));
        this.#observe(uid, (observer, now) => observer.node(node, now));
      },
      onCounts: (counts, uid) =>
        this.#observe(uid, (observer, now) => observer.counts(counts, now)),
      onDenied: (data, error) =>
        this.note('info', `without ${POLLED_DATA[data]}: ${withRule(error)}`),
    });
  }

  /** Records what only the passing time shows, unless the connection is lost. */
  #tick(): void {
    if (this.#lost.size === 0) {
      for (const uid of this.#pods.keys()) {
        this.#observe(uid, (observer, now) => observer.elapsed(now));
      }
      this.#readLogs();
      this.#logs.reopen(this.#isRunning);
      for (const workload of this.#workloads) if (workload !== undefined) this.#rollout(workload);
    }
    this.#timer = this.clock.setTimeout(() => this.#tick(), TICK);
  }

  /** Follows the log of a container's last run, once. */
  async followLog(pod: string, container: string): Promise<void> {
    const view = findContainerOf(this.summary, { pod, container });
    const run = view && lastStarted(view)?.run;
    if (run !== undefined) await this.#logs.follow({ pod, container, run });
  }

  readonly #isRunning = ({ run, ...ref }: LoggedRun): boolean => {
    const view = findContainerOf(this.summary, ref);
    return view !== undefined && currentRun(view)?.run === run;
  };

  /** Records what a container that holds its pod up has written: an init container that runs, or one whose probe has begun to fail. */
  #readLogs(): void {
    for (const { key: pod, containers } of this.summary.pods) {
      for (const view of containers) {
        const { name: container, role, probes } = view;
        const { run, startedAt = Infinity } = currentRun(view) ?? {};
        if (run === undefined || this.now - startedAt < LOG_TIME) continue;
        const failing = probes.find(({ lastResult }) => lastResult === 'failure');
        if (role !== 'init' && failing === undefined) continue;
        const begin = failing?.attempts.findLast(({ result }) => result === 'success')?.attempt;
        const id = [pod, container, run, begin].join(' ');
        if (this.#readRuns.has(id)) continue;
        this.#readRuns.add(id);
        const logged = { pod, container, run };
        void this.#readLog(logged, run).then((lines) => this.#logs.output(logged, lines));
      }
    }
  }

  #recordAll(events: readonly Event[]): void {
    for (const event of events) this.record(event);
  }

  protected override record(event: Event): void {
    this.#crashes.record(event);
  }
}
