import {
  allContainers,
  type Container,
  containerNamed,
  omitUndefined,
  type Pod,
} from '../../api/index.js';
import { hashContainer } from '../../kubelet/containers/container-hash.js';
import { setTerminationGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import {
  type ExplainedContainer,
  explainPod,
  type Role,
  roleOf,
} from '../../schedule/explain-pod.js';
import { probeMoments } from '../../schedule/explain-probe.js';
import type { Moment, Span } from '../../schedule/probe-times.js';
import { stopTimes } from '../../schedule/stop-times.js';
import type { ProbeType } from '../../trace/event.js';
import { changedFields, type FieldChange } from './field-change.js';

export interface ContainerChange {
  readonly name: string;
  readonly role: Role;
  /** The kubelet's container hash, of name and image; absent where the container is. */
  readonly hash: { readonly before?: string; readonly after?: string };
  readonly image: { readonly before?: string; readonly after?: string };
  /** Seconds that its stop takes; set when the kubelet restarts it in a running pod. */
  readonly stops?: Span;
}

/** Returns the containers whose hash differs, or that only one pod has. */
export function containerChanges(before: Pod, after: Pod): ContainerChange[] {
  const all = [...allContainers(before.spec), ...allContainers(after.spec)];
  const names = [...new Set(all.map(({ name }) => name))];
  return names.flatMap((name) => changeOf(name, before, after));
}

function changeOf(name: string, before: Pod, after: Pod): ContainerChange[] {
  const [old, now] = [before, after].map(({ spec }) => containerNamed(spec, name));
  const role = now ? roleOf(after, now) : old ? roleOf(before, old) : 'container';
  const hash = omitUndefined({
    before: old && hashContainer(old),
    after: now && hashContainer(now),
  });
  if (hash.before === hash.after) return [];
  const change = {
    name,
    role,
    hash,
    image: omitUndefined({ before: old?.image, after: now?.image }),
  };
  // An init container that has ended does not run again for another image.
  if (old === undefined || now === undefined || role === 'init') return [change];
  const grace = setTerminationGracePeriod(before, old, 'Unknown');
  return [{ ...change, stops: stopTimes(old, grace) }];
}

/** A probe that only one pod has, or that behaves differently. */
export interface ProbeChange {
  readonly type: ProbeType;
  readonly what: 'added' | 'removed' | 'changed';
  /** Changed settings, with defaults: `periodSeconds`, `httpGet.path`; empty unless both pods have the probe. */
  readonly settings: readonly FieldChange[];
  readonly times: readonly TimeChange[];
}

interface BehaviorChange {
  readonly name: string;
  /** Times of its life when nothing fails, and times when something does. */
  readonly times: readonly TimeChange[];
  readonly probes: readonly ProbeChange[];
}

export interface PodBehaviorChange {
  /** Changed times until the pod is ready, and until it is gone after deletion. */
  readonly times: readonly TimeChange[];
  readonly containers: readonly BehaviorChange[];
}

/** Compares the kubelet's behavior, with the times of `explain`. */
export function behaviorChanges(before: LoadedPod, after: LoadedPod): PodBehaviorChange {
  const old = explainPod(before.pod, before.defaulted);
  const now = explainPod(after.pod, after.defaulted);
  const containers = now.containers.flatMap((container) => {
    const same = old.containers.find(({ name }) => name === container.name);
    if (same === undefined) return [];
    const times = timeChanges(momentsOf(same), momentsOf(container));
    const [was, is] = [before, after].map(({ pod }) => containerNamed(pod.spec, container.name));
    const probes = probeChanges(was, is);
    return times.length + probes.length === 0 ? [] : [{ name: container.name, times, probes }];
  });
  return { times: timeChanges([old.ready, old.gone], [now.ready, now.gone]), containers };
}

function momentsOf({ life, failures }: ExplainedContainer): ExplainedContainer['life'] {
  return [...life, ...failures];
}

function probeChanges(before: Container | undefined, after: Container | undefined): ProbeChange[] {
  if (before === undefined || after === undefined) return [];
  return PROBE_TYPES.flatMap((type): ProbeChange[] => {
    const [old, now] = [probeOf(before, type), probeOf(after, type)];
    const times = timeChanges(timesOf(before, type), timesOf(after, type));
    if (old === undefined && now === undefined) return [];
    if (old === undefined) return [{ type, what: 'added', settings: [], times }];
    if (now === undefined) return [{ type, what: 'removed', settings: [], times }];
    const settings = changedFields(old, now, '');
    if (settings.length + times.length === 0) return [];
    return [{ type, what: 'changed', settings, times }];
  });
}

/** Topics that the container's moments already cover. */
const CONTAINER_TOPICS = ['budget', 'hanging'];

function timesOf(container: Container, type: ProbeType): ReturnType<typeof probeMoments> {
  const probe = probeOf(container, type);
  if (probe === undefined) return [];
  return probeMoments(container, type, probe).filter(
    ({ topic }) => !CONTAINER_TOPICS.includes(topic),
  );
}

/** An action of the kubelet at another time. */
export interface TimeChange {
  readonly topic: string;
  /** Event that the spans count from. */
  readonly since: string;
  /** Absent where it cannot happen. */
  readonly before?: Span;
  readonly after?: Span;
}

type Timed = Pick<Moment, 'topic' | 'since' | 'span'>;

/** Returns the moments of two explanations that differ in time, paired by topic and start. */
function timeChanges(before: readonly Timed[], after: readonly Timed[]): TimeChange[] {
  const all = [...after, ...before];
  const named = all.filter(
    (moment, index) => all.findIndex((other) => isSame(moment, other)) === index,
  );
  return named.flatMap((name) => {
    const [old, now] = [before, after].map((moments) =>
      moments.find((moment) => isSame(moment, name)),
    );
    if (old?.span.from === now?.span.from && old?.span.to === now?.span.to) return [];
    return {
      topic: name.topic,
      since: name.since,
      ...(old && { before: old.span }),
      ...(now && { after: now.span }),
    };
  });
}

function isSame(a: Timed, b: Timed): boolean {
  return a.topic === b.topic && a.since === b.since;
}
