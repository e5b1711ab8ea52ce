import { controllerOf } from '../api/index.js';
import { diagnosePod, isEndOfRun } from '../diagnosis/diagnosis.js';
import { type Diagnosis, isPast, URGENCIES } from '../diagnosis/fault.js';
import { isOfProbe } from '../diagnosis/kubelet-message.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { diagnosisText } from '../diagnosis/words.js';
import { counted } from '../text/count.js';
import { isPodReady } from '../trace/summary/condition-view.js';
import { findPod, type PodSummary, type Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';

/** Lines that can change a diagnosis. */
const CAUSAL: ReadonlySet<TraceLine['kind']> = new Set([
  'trial',
  'replayed',
  'exited',
  'startFailed',
  'status',
]);

/**
 * A pod with more containers is not diagnosed after each line, but at most once in N milliseconds, where N is the number of
 * containers in all pods. A diagnosis of 500 containers takes 15 ms, and their probes may bring a thousand lines a second:
 * after each line, diagnoses made kprobe so late that attempts failed.
 */
const MANY = 10;

/** Seconds without a line after which time shows nothing new of a pod: thousands may be quiet for hours. */
const MAX_QUIET = 60;
/** The same of a pod that is deleted: it may have a long grace period. */
const MAX_QUIET_DELETED = 3600;

export interface DiagnosisChange {
  readonly t: number;
  readonly pod: PodSummary;
  /** The worst first, without what is over. */
  readonly diagnoses: readonly Diagnosis[];
  readonly before: readonly Diagnosis[];
}

/** Follows what is wrong with the pods of a run, until kprobe stops what it has started. */
export class DiagnosisChanges {
  #live: Summary | undefined;
  readonly #before = new Map<string, readonly Diagnosis[]>();
  /** Pods without a diagnosis, of which a success says nothing new. */
  readonly #calm = new Set<string>();
  readonly #diagnosedAt = new Map<string, number>();
  /** When the last line of each pod came, but for what its containers write. */
  readonly #heardAt = new Map<string, number>();
  #summary: Summary | undefined;
  /** The second at which the quiet pods are diagnosed next. */
  #second = Infinity;

  /** Follows the worst diagnoses of each pod, at most `max` of them; without `isSimulated` none. */
  constructor(
    private readonly isSimulated: IsSimulated | undefined,
    private readonly max = Infinity,
  ) {}

  /** Returns the pods before kprobe stopped what it had started. */
  get live(): Summary | undefined {
    return this.#live;
  }

  /** Reports whether kprobe has begun to stop what it started. */
  get isOver(): boolean {
    return this.#live !== this.#summary;
  }

  /** Takes the next line of the run. Returns its pod's diagnoses where they are others than before. */
  line(line: TraceLine, summary: Summary): DiagnosisChange | undefined {
    if (!this.isOver && !isEndOfRun(line)) this.#live = summary;
    if (this.#summary === undefined) this.#second = Math.floor(line.t) + 1;
    this.#summary = summary;
    if (this.isOver || this.isSimulated === undefined || !('pod' in line)) return undefined;
    if (line.kind !== 'output') this.#heardAt.set(line.pod, line.t);
    // A server that answers may listen where no kubelet reaches it.
    if (line.kind === 'listening') this.#calm.delete(line.pod);
    const pod = findPod(summary, line.pod);
    if (pod === undefined || !mayChange(line, pod, this.#calm.has(line.pod))) return undefined;
    if (pod.containers.length > MANY) {
      const diagnosedAt = this.#diagnosedAt.get(line.pod) ?? -Infinity;
      const containers = summary.pods.reduce((sum, each) => sum + each.containers.length, 0);
      if (line.t - diagnosedAt < containers / 1000) return undefined;
      this.#diagnosedAt.set(line.pod, line.t);
    }
    return this.#change(pod, line.t, this.isSimulated);
  }

  /**
   * Returns what the time shows that passes until `t` without a line: that a pod still waits, or what a late log explains.
   * To be called before each line, so that a recording shows the same, and each second.
   */
  pass(t: number): readonly DiagnosisChange[] {
    const { isSimulated, live } = this;
    const found: DiagnosisChange[] = [];
    if (this.isOver || isSimulated === undefined || live === undefined) return found;
    for (; this.#second <= t; this.#second += 1) {
      const quiet = ({ key }: PodSummary): number =>
        this.#second - (this.#heardAt.get(key) ?? -Infinity);
      const open = live.pods.filter((pod) => !isSettled(pod, quiet(pod)));
      if (open.length === 0) this.#second = Math.floor(t);
      for (const pod of open) {
        // What belongs together comes within a second.
        if (quiet(pod) < 1) continue;
        const change = this.#change(pod, this.#second, isSimulated);
        if (change !== undefined) found.push(change);
      }
    }
    return found;
  }

  #change(pod: PodSummary, t: number, isSimulated: IsSimulated): DiagnosisChange | undefined {
    const before = this.#before.get(pod.key) ?? [];
    const diagnoses = diagnosePod(pod, t, isSimulated)
      .slice(0, this.max)
      .filter((each) => !isPast(each));
    if (diagnoses.length === 0) this.#calm.add(pod.key);
    else this.#calm.delete(pod.key);
    const keyOf = (all: readonly Diagnosis[]): string => all.map(diagnosisKey).join();
    if (keyOf(diagnoses) === keyOf(before)) return undefined;
    this.#before.set(pod.key, diagnoses);
    return { t, pod, diagnoses, before };
  }
}

/** Identifies a diagnosis: another key means another diagnosis. */
export function diagnosisKey({ subject, symptom, fault, changes }: Diagnosis): string {
  // The texts of answers and errors have times and numbers in them.
  const stable = (name: string, value: unknown): unknown => (name === 'text' ? undefined : value);
  return JSON.stringify([subject, symptom, fault, changes], stable);
}

/** Returns the worst diagnosis of each pod with its text, the worst first: one for all pods of a controller that have the same. */
export function worstOfPods(pods: readonly PodSummary[], now: number, isSimulated: IsSimulated) {
  const found = new Map<string, { pod: PodSummary; worst: Diagnosis; more: number }>();
  for (const pod of pods) {
    const [worst] = diagnosePod(pod, now, isSimulated);
    if (worst === undefined) continue;
    const { subject, symptom, fault, changes } = worst;
    const { uid } = controllerOf(pod.object.metadata) ?? pod.object.metadata;
    const shared = [uid, subject.container, subject.probe, symptom.kind, fault, changes];
    // Each pod has its own address.
    const key = JSON.stringify(shared).replaceAll(pod.status?.podIP ?? '', '');
    const known = found.get(key);
    if (known === undefined) found.set(key, { pod, worst, more: 0 });
    else known.more += 1;
  }
  const rank = ({ urgency }: Diagnosis): number => URGENCIES.indexOf(urgency);
  const sorted = [...found.values()].sort((a, b) => rank(a.worst) - rank(b.worst));
  return sorted.map(({ pod, worst, more }) => {
    const others = more === 0 ? '' : ` (and ${counted(more, 'more pod')})`;
    return { pod, worst, text: `${diagnosisText({ ...worst, next: undefined })}${others}` };
  });
}

/** Reports whether the time shows nothing new of a pod that has been quiet for so many seconds. */
function isSettled(pod: PodSummary, quiet: number): boolean {
  if (pod.deletedAt !== undefined) return quiet > MAX_QUIET_DELETED;
  // The end of a stop shows why it was asked for.
  const isStopping = pod.containers.some(({ stopping }) => stopping !== undefined);
  return quiet > MAX_QUIET || isPodReady(pod) || isStopping;
}

/** A success of a pod without a diagnosis is by far the most frequent line, and changes nothing. */
function mayChange(line: TraceLine, { status }: PodSummary, isCalm: boolean): boolean {
  // The status that ends the past of a pod shows what is left of it.
  const isPast = 'evidence' in line && line.evidence !== undefined && status === undefined;
  if (isPast || ('at' in line && (line.at ?? 0) < 0 && line.kind !== 'status')) return false;
  switch (line.kind) {
    case 'event':
      // The attempt that an Unhealthy event is about ends after it.
      return line.type === 'Warning' && !isOfProbe(line);
    case 'attemptDone':
      return line.result !== 'success' || !isCalm;
    default:
      return CAUSAL.has(line.kind);
  }
}
