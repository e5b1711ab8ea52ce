import {
  allContainers,
  JsonReader,
  omitUndefined,
  type Pod,
  type PodStatus,
} from '../../api/index.js';
import { parseTime } from '../../clock/rfc3339.js';
import { podKey } from '../../kubelet/pod-name.js';
import { behaviorOf, DEFAULT_BEHAVIOR, nearestKubelet } from '../../kubelet/release.js';
import { statusEvent } from '../../kubelet/status/status-event.js';
import type { Event, EventOf } from '../../trace/event.js';
import { tokensAt } from '../../trace/summary/fold-event.js';
import type { ProbeCount } from '../types.js';
import { AttemptReports } from './attempt-reports.js';
import { ContainerObserver } from './container-observer.js';
import {
  type ClusterEvent,
  type DecodedPod,
  decodePod,
  readClusterEvent,
} from './decode-objects.js';
import { type Divergence, divergenceCause, type NodeFacts } from './divergence.js';
import { inOrder, type ObserverContext, type Step } from './restart-observer.js';

/** Tokens below which a failure may have left no event. */
const MIN_EVENT_TOKENS = 4;
/** Milliseconds after which a report is old. */
const OLD_REPORT = 4_000;

/**
 * Turns a cluster's reports about one pod (one UID) into events of the trace. Times are milliseconds since the epoch.
 * Events that come before the pod are its history, so list them first: they explain runs before the watch.
 */
export class PodObserver {
  readonly #containers = new Map<string, ContainerObserver>();
  readonly #events = new Map<string, ClusterEvent>();
  readonly #early: ClusterEvent[] = [];
  /** Rate limits of the kubelet's event recorder, by type of event. */
  readonly #budgets = new Map<string, { readonly tokens: number; readonly at: number }>();
  readonly #reports = new AttemptReports();
  readonly #divergences = new Set<string>();
  /** The reported divergence of a node that is not ready; it ends when the node is ready again. */
  #silence: EventOf<'divergence'> | undefined;
  #out: Event[] = [];
  #pod: DecodedPod | undefined;
  #status = '';
  #isReady = false;
  #isRemoved = false;
  #node: NodeFacts | undefined;
  #behavior = DEFAULT_BEHAVIOR;
  /** Milliseconds by which the node's clock is ahead, at least. */
  #skew = 0;
  #now = 0;
  /** When `elapsed` was called last. */
  #passedAt = -Infinity;

  pod(object: object, now: number): readonly Event[] {
    return this.#collect(now, () => this.#apply(decodePod(object), now));
  }

  removed(object: object, now: number): readonly Event[] {
    return this.#collect(now, () => {
      if (this.#pod === undefined || this.#isRemoved) return;
      const isDeleted = this.#pod.pod.metadata.deletionTimestamp !== undefined;
      if ('status' in object) this.#apply(decodePod(object), now);
      if (!isDeleted && this.#pod.pod.metadata.deletionTimestamp === undefined) {
        this.#emit({ kind: 'action', pod: podKey(this.#pod.pod), do: 'delete' });
      }
      this.#isRemoved = true;
      this.#pass(now);
    });
  }

  event(object: object, now: number): readonly Event[] {
    return this.#collect(now, () => {
      const event = readClusterEvent(object);
      if (this.#pod === undefined) this.#early.push(event);
      else this.#report(event, now, now - (event.lastAt ?? now) > OLD_REPORT);
    });
  }

  counts(totals: readonly ProbeCount[], now: number): readonly Event[] {
    return this.#collect(now, () => {
      for (const count of totals) {
        this.#containers.get(count.container)?.probes.get(count.probe)?.count(count, now);
      }
    });
  }

  node(object: object, now: number): readonly Event[] {
    return this.#collect(now, () => {
      const status = new JsonReader(object).in('status');
      const ready = status.list('conditions').find((item) => item.text('type') === 'Ready');
      const isBad = ready !== undefined && ready.text('status') !== 'True';
      const version = status.in('nodeInfo').text('kubeletVersion');
      const isNew = version !== '' && version !== this.#node?.kubeletVersion;
      if (isNew && this.#pod !== undefined) {
        const kubelet = nearestKubelet(version);
        this.#behavior = behaviorOf(kubelet);
        this.#emit({ kind: 'kubelet', pod: podKey(this.#pod.pod), ...kubelet, version });
      }
      this.#node = {
        kubeletVersion: version,
        notReady: isBad ? `${ready.text('reason')}: ${ready.text('message')}` : undefined,
      };
      if (this.#node.notReady !== undefined)
        this.#nodeIsSilent(`the node is not ready: ${this.#node.notReady}`);
      else if (this.#silence !== undefined) {
        this.#emit({ ...this.#silence, over: true });
        this.#silence = undefined;
      }
    });
  }

  /** Reports a node that is not ready, once: its kubelet decides and reports nothing. */
  #nodeIsSilent(reason: string): void {
    if (this.#pod === undefined || this.#isRemoved || this.#silence !== undefined) return;
    const { pod } = this.#pod;
    this.#silence = {
      kind: 'divergence',
      pod: podKey(pod),
      expected: `reports from the kubelet of node ${pod.spec.nodeName ?? ''}`,
      happened: reason.replace(/\.$/, ''),
      cause: 'its kubelet is stopped or paused, or cannot reach the API server',
    };
    this.#emit(this.#silence);
  }

  /** Returns events that only the passing time shows; called about once a second while the watches are up. */
  elapsed(now: number): readonly Event[] {
    return this.#collect(now, () => {
      this.#pass(now);
      this.#passedAt = now;
    });
  }

  #collect(now: number, apply: () => void): readonly Event[] {
    this.#now = now;
    apply();
    const out = this.#out;
    this.#out = [];
    return out;
  }

  readonly #emit = (event: Event): void => {
    this.#out.push(event);
  };

  #apply(next: DecodedPod, now: number): void {
    const before = this.#pod;
    const key = podKey(next.pod);
    this.#pod = next;
    if (before?.version !== next.version) this.#change(before?.pod, next, key);
    const isHistory = before === undefined;
    const { initContainerStatuses = [], containerStatuses = [] } = next.status;
    const statuses = [...initContainerStatuses, ...containerStatuses];
    for (const { state } of statuses) this.#keepSkew(state.running?.startedAt, now);
    const steps = statuses.flatMap(
      (status) => this.#containers.get(status.name)?.steps(status, now) ?? [],
    );
    if (isHistory) {
      steps.push(...this.#history(now), ...this.#readiness(next.status, now));
      for (const status of statuses) this.#containers.get(status.name)?.restarts.foresee(status);
    }
    for (const step of isHistory ? inOrder(steps) : steps) step.play();
    const readyChangedAt = this.#readyChangedAt(next.status, now);
    for (const status of statuses) {
      this.#containers.get(status.name)?.show(status, now, readyChangedAt, this.#isOver);
    }
    this.#reports.flush(this.#containers, now);
    // Record old successes before the status: the pod has a diagnosis from its status on.
    this.#pass(now);
    this.#showStatus(next, readyChangedAt);
  }

  #change(before: Pod | undefined, { pod, createdAt }: DecodedPod, key: string): void {
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    const wasDeleted = before?.metadata.deletionTimestamp !== undefined;
    const at = before === undefined ? createdAt : undefined;
    this.#emit({ kind: 'pod', pod: key, object: pod, ...omitUndefined({ at }) });
    if (isDeleted && !wasDeleted) {
      const deletedAt = before === undefined ? deletionOf(pod) : undefined;
      this.#emit({ kind: 'action', pod: key, do: 'delete', ...omitUndefined({ at: deletedAt }) });
    }
    for (const spec of allContainers(pod.spec)) {
      const known = this.#containers.get(spec.name);
      if (known === undefined) {
        this.#containers.set(spec.name, new ContainerObserver(this.#contextOf(key), pod, spec));
      } else known.update(pod, spec, this.#now);
    }
  }

  #contextOf(key: string): ObserverContext {
    return {
      key,
      emit: this.#emit,
      diverge: (container, divergence) => this.#diverge(key, container, divergence),
      mayBeSilent: (type) => this.#silence !== undefined || this.#mayBeSilent(type, this.#now),
      behavior: () => this.#behavior,
    };
  }

  /** Returns when the Ready condition has changed, if that is older than this report. */
  #readyChangedAt({ conditions = [] }: PodStatus, now: number): number | undefined {
    const ready = conditions.find(({ type }) => type === 'Ready');
    this.#keepSkew(ready?.lastTransitionTime, now);
    const { lastTransitionTime: at } = ready ?? {};
    return at !== undefined && now - at > OLD_REPORT ? at : undefined;
  }

  #showStatus({ pod, status }: DecodedPod, readyChangedAt: number | undefined): void {
    const text = JSON.stringify(status);
    if (text === this.#status) return;
    const isReady = status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True');
    const hasTurned = isReady !== this.#isReady || this.#status === '';
    this.#status = text;
    this.#isReady = isReady === true;
    this.#emit({
      ...statusEvent(pod, status),
      ...omitUndefined({ at: hasTurned ? readyChangedAt : undefined }),
    });
  }

  /** Returns the earlier events as steps of the pod's life. */
  #history(now: number): Step[] {
    const early = this.#early.splice(0);
    return early.map((event) => {
      const at = event.lastAt ?? now;
      const play = () => this.#report(event, now, now - at > OLD_REPORT, true);
      return { at, container: event.container, run: Infinity, phase: 'event', play };
    });
  }

  /** Returns the readiness successes that a pod with containers that are no longer ready must have had. */
  #readiness({ conditions = [], containerStatuses = [] }: PodStatus, now: number): Step[] {
    const ready = conditions.find(({ type }) => type === 'ContainersReady');
    const { lastTransitionTime: readyChangedAt = 0 } = ready ?? {};
    return containerStatuses.flatMap(({ name: container, state, restartCount: run }): Step[] => {
      const { startedAt = Infinity } = state.running ?? {};
      const probe = this.#containers.get(container)?.probes.get('readiness');
      const isOlder = startedAt <= readyChangedAt - OLD_REPORT;
      if (probe === undefined || ready?.status !== 'False' || !isOlder) return [];
      const at = readyChangedAt - probe.spec.periodSeconds * 1000;
      const play = (): void => probe.succeed(now, at, 'inferred');
      return [{ at: Math.max(at, startedAt), container, run, phase: 'event', play }];
    });
  }

  #report(event: ClusterEvent, now: number, isOld: boolean, isHistory = false): void {
    const before = this.#events.get(event.id);
    const more = event.count - (before?.count ?? 0);
    if (before !== undefined && more <= 0 && before.lastAt === event.lastAt) return;
    this.#events.set(event.id, event);
    this.#keepSkew(event.lastAt, now);
    this.#spend(event.type, Math.max(1, more), isOld ? (event.lastAt ?? now) : now);
    const { type, reason, message, count, firstAt, lastAt } = event;
    const fieldPath = event.fieldPath === '' ? undefined : event.fieldPath;
    const at = isOld ? lastAt : undefined;
    const pod = podKey(this.#pod?.pod ?? NO_POD);
    const times = omitUndefined({ fieldPath, count, firstAt, at });
    this.#emit({ kind: 'event', pod, type, reason, message, ...times });
    if (reason === 'NodeNotReady' && !isOld) this.#nodeIsSilent(message);
    const container = this.#containers.get(event.container);
    // An event of the previous run does not concern this one.
    if (container === undefined || container.isBefore(event, now, isOld)) return;
    if (reason === 'Killing') container.killed(event, now, at);
    else if (reason === 'FailedPostStartHook' && container.isRunning) container.hookFailed(message);
    else if (reason === 'BackOff') container.restarts.backOff(container.isRunning);
    else if (reason === 'Unhealthy' || reason === 'ProbeWarning') {
      const count = isHistory || before === undefined ? undefined : more;
      const silent = this.#mayBeSilent('Warning', now);
      const found = this.#reports.report(container, { event, more: count, now, at, silent });
      this.#diverge(pod, event.container, found);
    }
  }

  #spend(type: ClusterEvent['type'], count: number, now: number): void {
    const tokens = tokensAt(now / 1000, this.#budgets.get(type)) - count;
    this.#budgets.set(type, { tokens: Math.max(0, tokens), at: now / 1000 });
  }

  /** Reports whether the kubelet may have dropped events of the type. */
  #mayBeSilent(type: ClusterEvent['type'], now: number): boolean {
    return tokensAt(now / 1000, this.#budgets.get(type)) < MIN_EVENT_TOKENS;
  }

  #pass(now: number): void {
    // When kprobe itself is late, it has not read all reports yet.
    const isLate = now - this.#passedAt > LATE;
    for (const container of this.#containers.values()) container.pass(now, this.#isOver, isLate);
  }

  get #isOver(): boolean {
    const { phase } = this.#pod?.status ?? {};
    return this.#isRemoved || phase === 'Succeeded' || phase === 'Failed';
  }

  #keepSkew(at: number | undefined, now: number): void {
    if (at !== undefined) this.#skew = Math.max(this.#skew, at - now);
  }

  /** Reports each kind of divergence once. */
  #diverge(key: string, container: string, divergence: Divergence | undefined): void {
    if (divergence === undefined || this.#pod === undefined) return;
    const { expected, happened, concerns } = divergence;
    // restartPolicyRules that restart all containers cause no back-off.
    const all = allContainers(this.#pod.pod.spec);
    if (concerns !== 'probe' && all.some((item) => item.restartPolicyRules?.length)) return;
    const id = `${container} ${divergence.expected}`;
    if (this.#divergences.has(id)) return;
    this.#divergences.add(id);
    const cause = divergenceCause(divergence, this.#pod.pod, this.#node, this.#skew);
    const found = { expected, happened, ...omitUndefined({ cause }) };
    this.#emit({ kind: 'divergence', pod: key, container, ...found });
  }
}

/** Returns when the deletion of a pod was requested: its timestamp is the end of the grace period. */
function deletionOf({ metadata, spec }: Pod): number | undefined {
  const end = parseTime(String(metadata.deletionTimestamp));
  // Once the containers have ended, the kubelet deletes the pod again, without a grace period.
  const { terminationGracePeriodSeconds: whole = 0 } = spec;
  const grace = metadata.deletionGracePeriodSeconds || whole;
  return end === undefined ? undefined : end - grace * 1000;
}

/** Milliseconds between two calls of `elapsed` from which kprobe counts as late. */
const LATE = 2500;
const NO_POD = { metadata: { namespace: '', name: '' } };
