import type { PodSpec } from '../api/index.js';
import { MINIMUM_GRACE_PERIOD } from '../kubelet/containers/termination-grace-period.js';
import { isPodReady } from '../trace/summary/condition-view.js';
import {
  type ContainerView,
  currentRun,
  lastEnd,
  type RunView,
  stopSignal,
} from '../trace/summary/container-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { found } from './attempt-context.js';
import { type Advice, advise, type Change } from './change.js';
import type { DiagnosisDraft, EvidenceOf, Finding } from './fault.js';
import { type KubeletMessage, parseKubeletMessage } from './kubelet-message.js';
import { missingKey, missingObject, wholeMemory } from './start-fault.js';

/** Seconds that a scheduler, a node or the controller of a finalizer may take. */
const PATIENCE = 5;

type PodDraft = DiagnosisDraft & { readonly container: string };

/** Returns what keeps the pod as a whole: no node, a volume, a gate, a finalizer, or an end by the kubelet. */
export function podDrafts(pod: PodSummary, now: number): readonly PodDraft[] {
  const finding =
    pod.deletedAt === undefined
      ? (failedAsWhole(pod) ??
        disrupted(pod) ??
        unscheduled(pod, now) ??
        unprepared(pod) ??
        closedGate(pod))
      : (heldByFinalizers(pod, pod.deletedAt, now) ??
        heldByContainer(pod, pod.deletedAt, now) ??
        disrupted(pod));
  if (finding === undefined) return [];
  const { kind } = finding.fault;
  const isEnd = kind === 'podFailed' || kind === 'disrupted';
  const symptom = isEnd ? ({ kind } as const) : ({ kind: 'waiting' } as const);
  const urgency = kind === 'gate' || kind === 'slowStop' ? 'notReady' : 'blocked';
  return [{ container: '', ...finding, urgency, symptom, needed: 0 }];
}

/** A pod that fails because its containers do has no reason of its own. */
function failedAsWhole({ phase, reason, status }: PodSummary): Finding | undefined {
  if (phase !== 'Failed' || reason === '') return undefined;
  const text = status?.message ?? '';
  const message = parseKubeletMessage(text);
  const advice =
    message?.kind === 'deadline'
      ? ({ do: 'raise', field: 'activeDeadlineSeconds' } as const)
      : message?.kind === 'evicted'
        ? evictionAdvice(message)
        : REJECTIONS.find(([pattern]) => pattern.test(reason))?.[1];
  return found({ kind: 'podFailed', reason, text }, advice ? advise(advice) : []);
}

/** A pod that something takes away, which its condition names: `PreemptionByScheduler` and others. */
function disrupted({ status }: PodSummary): Finding | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (condition?.status !== 'True') return undefined;
  const { reason = '', message: text = reason } = condition;
  const message = parseKubeletMessage(text);
  const advice = message?.kind === 'evicted' ? evictionAdvice(message) : DISRUPTIONS[reason];
  return found({ kind: 'disrupted', reason, text }, advice ? advise(advice) : []);
}

const DISRUPTIONS: Readonly<Record<string, Advice>> = {
  PreemptionByScheduler: { do: 'schedule', ways: ['priority'] },
  DeletionByTaintManager: { do: 'schedule', ways: ['taint'] },
};

/** Returns what to do about an eviction: a node's lack, or a limit of the pod's own. */
export function evictionAdvice({
  resource,
  exceeds,
}: KubeletMessage & { readonly kind: 'evicted' }): Advice {
  if (exceeds === undefined) return { do: 'request', resource };
  return { do: 'provide', what: exceeds === 'volume' ? 'space' : 'storage' };
}

/** Reasons for which a kubelet rejects a pod that it has been given. */
const REJECTIONS: readonly (readonly [reason: RegExp, advice: Advice])[] = [
  [/^SysctlForbidden$/, { do: 'correct', fields: ['securityContext.sysctls'], or: 'allow' }],
  [/^NodeAffinity$/, { do: 'schedule', ways: ['label'] }],
  [/^NodePorts$/, { do: 'schedule', ways: ['port'] }],
  [/^OutOf/, { do: 'schedule', ways: ['request'] }],
];

function unscheduled(pod: PodSummary, now: number): Finding | undefined {
  const { status, object, addedAt } = pod;
  const { conditions = [] } = status ?? {};
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  const isUntouched = status?.phase === 'Pending' && conditions.length === 0;
  if (isUntouched && now - addedAt >= PATIENCE) return pendingClaim(pod) ?? ignored(object.spec);
  if (scheduled?.status !== 'False') return undefined;
  if (scheduled.reason === 'SchedulingGated') {
    const gates = (object.spec.schedulingGates ?? []).map(({ name }) => name);
    const [entry = ''] = gates;
    const changes = advise({ do: 'removeEntry', field: 'schedulingGates', entry });
    return found({ kind: 'schedulingGates', gates }, changes);
  }
  if (scheduled.reason !== 'Unschedulable') return undefined;
  const { message: whole = '' } = scheduled;
  const message = parseKubeletMessage(whole);
  const { text, ways } =
    message?.kind === 'unschedulable' ? message : { text: whole, ways: [] as const };
  const missing = missingObject(text);
  const claim = ways.some((way) => way === 'claim') ? pendingClaim(pod) : undefined;
  if (claim !== undefined) return claim;
  const changes = missing
    ? advise({ do: 'addObject', ...missing })
    : advise({ do: 'schedule', ways });
  return found({ kind: 'unschedulable', text }, changes);
}

/** Returns what the last event of a claim of the pod says of it. */
function pendingClaim({ events }: PodSummary): Finding | undefined {
  const text = events.findLast(({ reason }) => CLAIM_EVENT.test(reason))?.message;
  if (text === undefined) return undefined;
  const [, provisioner] = /provisioner ["'](\S+)["']/.exec(text) ?? [];
  const advice: Advice = provisioner
    ? { do: 'provision', provisioner }
    : { do: 'correct', fields: ['storageClassName of the PersistentVolumeClaim'], or: 'volume' };
  return found({ kind: 'unschedulable', text }, advise(advice));
}

const CLAIM_EVENT = /^(?:FailedBinding|ProvisioningFailed|ExternalProvisioning)$/;

function ignored(spec: PodSpec): Finding {
  const { nodeName, schedulerName = DEFAULT_SCHEDULER, resourceClaims = [], volumes = [] } = spec;
  const waits = nodeName === undefined && schedulerName === DEFAULT_SCHEDULER;
  const volume = volumes.find((each) => each.persistentVolumeClaim ?? each.ephemeral);
  const device = nodeName === undefined ? resourceClaims[0]?.name : undefined;
  if (device === undefined && waits && volume !== undefined) {
    const name = volume.persistentVolumeClaim?.claimName ?? volume.name;
    const changes = advise({ do: 'schedule', ways: ['claim'] });
    return found({ kind: 'ignored', field: 'volumes', name }, changes);
  }
  const field = device ? 'resourceClaims' : nodeName === undefined ? 'schedulerName' : 'nodeName';
  const changes = advise({ do: 'correct', fields: [field] });
  return found({ kind: 'ignored', field, name: device ?? nodeName ?? schedulerName }, changes);
}

const DEFAULT_SCHEDULER = 'default-scheduler';

/** The kubelet mounts volumes and makes a sandbox before it starts the first container. */
function unprepared({ events, containers, object }: PodSummary): Finding | undefined {
  if (containers.some(({ runs }) => runs.length > 0)) return undefined;
  const event = events.findLast(({ reason }) =>
    /^Failed(?:(?:Attach|Map)Volume|Mount|CreatePodSandBox)$/.test(reason),
  );
  const message = event && parseKubeletMessage(event.message);
  if (message?.kind === 'sandbox') {
    const text = message.text.replace(/^rpc error: code = \w+ desc = /, '');
    const advice: Advice = /\bno runtime for "/.test(text)
      ? { do: 'correct', fields: ['runtimeClassName'] }
      : { do: 'provide', what: 'sandbox' };
    return found({ kind: 'sandboxFailed', text }, advise(advice));
  }
  if (message?.kind !== 'mount') return undefined;
  const { volume = '', text: whole } = message;
  const text = whole.replace(MOUNT_PROGRAM, '$1');
  const missing = missingObject(text);
  const changes = missing
    ? advise({ do: 'addObject', ...missing })
    : mountChanges(object.spec, volume, text);
  return found({ kind: 'mountFailed', volume, text, missing }, changes);
}

/** The kubelet's text around the first line of mount(8), which begins with the path on the node. */
const MOUNT_PROGRAM = /mount failed: .*?\nOutput: mount\S*: (?:\/\S*: )?(.*?)\.?(?:\n.*)?$/s;

function mountChanges(
  { volumes = [], containers }: PodSpec,
  volume: string,
  text: string,
): readonly Change[] {
  const key = missingKey(text);
  if (key !== undefined) return advise({ do: 'addKey', key, field: 'volumes' });
  if (/registered CSI drivers|no volume plugin matched|unknown filesystem type/.test(text)) {
    return advise({ do: 'provide', what: 'driver' });
  }
  // The memory limit of a pod is also that of its volumes in memory, as those of Secrets and tokens are.
  if (/no space left on device/.test(text)) return wholeMemory(containers) ?? [];
  // The kubelet names the volume of a claim as its PersistentVolume.
  const declared = volumes.find(({ name }) => name === volume);
  const isOfClaim = volume !== '' && declared === undefined;
  const source = Object.keys(declared ?? {}).find((key) => key !== 'name');
  const field = isOfClaim
    ? `the PersistentVolume ${volume}`
    : source === undefined
      ? 'volumes'
      : `volumes[].${source}`;
  return advise({ do: 'correct', fields: [field] });
}

function closedGate(pod: PodSummary): Finding | undefined {
  const { object, status, containers } = pod;
  const gates = object.spec.readinessGates ?? [];
  const all = containers.filter(({ role }) => role !== 'init');
  if (gates.length === 0 || isPodReady(pod) || !all.every(({ ready }) => ready)) {
    return undefined;
  }
  const conditionOf = (gate: string) => status?.conditions?.find(({ type }) => type === gate);
  const gate = gates
    .map(({ conditionType }) => conditionType)
    .find((type) => conditionOf(type)?.status !== 'True');
  if (gate === undefined) return undefined;
  const { message, reason } = conditionOf(gate) ?? {};
  const text = message || reason;
  const shown = text ? { text } : {};
  return found({ kind: 'gate', gate, ...shown }, advise({ do: 'setCondition', gate, ...shown }));
}

/** Returns the pod of its own StatefulSet that a program names, and that is made only after this one is ready. */
export function laterPeer(
  { object: { metadata } }: PodSummary,
  { evidence }: DiagnosisDraft,
): string | undefined {
  const [, set, ordinal] = /^(.+)-(\d+)$/.exec(metadata.name) ?? [];
  const isOfSet = metadata.ownerReferences?.some(
    ({ kind, name }) => kind === 'StatefulSet' && name === set,
  );
  if (!isOfSet) return undefined;
  const text = evidence.map((each) => (each.kind === 'written' ? each.text : '')).join(' ');
  for (const [name, owner, other] of text.matchAll(/([a-z\d-]+)-(\d+)\b/g)) {
    if (owner === set && Number(other) > Number(ordinal)) return name;
  }
  return undefined;
}

/** A stop that takes the whole grace period, or half of it so far. */
function heldByContainer(pod: PodSummary, deletedAt: number, now: number) {
  for (const container of pod.containers) {
    const run = container.runs.at(-1);
    if (run?.stop === undefined || (run.endedAt ?? now) < deletedAt) continue;
    const stop = longStop(pod, container, run);
    const patience = Math.max(PATIENCE, run.stop.gracePeriod / 2);
    const isSlow = run.endedAt === undefined && now - run.stop.at >= patience;
    if (stop === undefined && !isSlow) continue;
    const isOfHook = stop ? stop.preStop !== undefined : container.spec.lifecycle?.preStop;
    const ofProgram: Advice = { do: 'endOnSignal', signal: stopSignal(container) };
    const changes = advise(isOfHook ? { do: 'hook', hook: 'preStop' } : ofProgram);
    const held = { ...found({ kind: 'slowStop' }, changes), container: container.name };
    if (stop !== undefined) return { ...held, evidence: [stop] };
    // A cluster's kubelet shows the end of no container before all have ended.
    const open = pod.containers.filter((each) => each.runs.at(-1)?.stop && currentRun(each));
    const among = open.map(({ name }) => name);
    return among.length > 1 ? found({ kind: 'slowStop', among }, changes) : held;
  }
  return undefined;
}

/** Returns why a stop took the whole grace period: a preStop hook that went on, or a program that TERM did not end. */
export function longStop(
  { events }: PodSummary,
  { name }: ContainerView,
  { stop, endedAt = 0, exitCode, signal, oomKilled }: RunView,
): EvidenceOf<'stop'> | undefined {
  if (stop === undefined) return undefined;
  // A cluster reports times in whole seconds.
  const whole = stop.at + stop.gracePeriod - 1;
  const isKill = signal === 'SIGKILL' || (signal === undefined && exitCode === 137);
  const ignored = isKill && oomKilled !== true && endedAt >= whole;
  // A cluster's kubelet reports a hook that the grace period has ended as one that has failed by itself.
  const { lastAt = -Infinity } =
    events.findLast((each) => each.container === name && each.reason === 'FailedPreStopHook') ?? {};
  const wasCut = lastAt >= whole;
  const preStop = stop.preStop ?? (wasCut ? lastAt - stop.at : undefined);
  if (!ignored && preStop === undefined) return undefined;
  const gracePeriod = wasCut ? MINIMUM_GRACE_PERIOD : stop.gracePeriod;
  return { kind: 'stop', gracePeriod, ignored, preStop };
}

function heldByFinalizers(
  { object, containers }: PodSummary,
  deletedAt: number,
  now: number,
): Finding | undefined {
  const { finalizers = [] } = object.metadata;
  const [entry] = finalizers;
  const ends = containers.map((container) => lastEnd(container) ?? deletedAt);
  const isOver = containers.every((container) => currentRun(container) === undefined);
  if (entry === undefined || !isOver || now - Math.max(...ends) < PATIENCE) return undefined;
  const changes = advise({ do: 'removeEntry', field: 'metadata.finalizers', entry });
  return found({ kind: 'finalizers', finalizers }, changes);
}
