import { diagnosePod } from '../diagnosis/diagnosis.js';
import { type Diagnosis, isFailing, provenChange } from '../diagnosis/fault.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { killerOf } from '../diagnosis/run-fault.js';
import { diagnosisText, resultWord } from '../diagnosis/words.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import type { Position } from '../manifest/documents/source-file.js';
import { counted } from '../text/count.js';
import { formatSeconds } from '../text/duration.js';
import { type ContainerView, hasDied } from '../trace/summary/container-view.js';
import { fold } from '../trace/summary/fold.js';
import type { PodNumbers } from '../trace/summary/pod-numbers.js';
import { type AttemptView, type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { EMPTY_SUMMARY, findPod, type PodSummary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Ending, TraceHeader } from '../trace/trace-record.js';
import type { Check } from './check.js';
import { AttemptHistory } from './lanes.js';
import { type Entry, plainEntries, statusEntries } from './lines/entries.js';
import { handlerText } from './probe-text.js';

/** The data of all reports about a run. */
export interface RunReport {
  /** `kprobe run` */
  readonly command: string;
  readonly header: TraceHeader;
  readonly ending: Ending;
  readonly pods: readonly ReportedPod[];
  readonly notes: readonly string[];
  readonly effects: readonly SettingEffect[];
  /** Checks of `kprobe ci`, and of the workload of `kprobe watch`. */
  readonly checks?: readonly Check[] | undefined;
  /** The command's own result: a comparison, or a patch. */
  readonly result?:
    { readonly title: string; readonly text: string; readonly svg?: string } | undefined;
  /** Present when nothing was started; has the errors of the manifest, if these are the reason. */
  readonly refused?: readonly Diagnostic[];
}

export interface UnstartedRun extends Pick<RunReport, 'command' | 'header'> {
  readonly sentence: string;
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  readonly exitCode: number;
}

export function unstartedReport(run: UnstartedRun): RunReport {
  const { command, header, sentence, diagnostics = [], exitCode } = run;
  const verdict = { kind: 'unknown', sentence } as const;
  const ending: Ending = { t: 0, kind: 'goal', verdict, exitCode };
  return { command, header, ending, pods: [], notes: [], effects: [], refused: diagnostics };
}

/** Returns the sentence of an ending, which names an interruption or a timeout. */
export function endSentence({ kind, t, verdict }: Ending): string {
  if (kind === 'interrupted') return `interrupted after ${formatSeconds(t)}: ${verdict.sentence}`;
  if (kind === 'timeout') return `timed out after ${formatSeconds(t)}: ${verdict.sentence}`;
  return verdict.sentence;
}

/** Returns the result of the whole run where it failed and no part of it explains that. */
export function outcomeOfRun(report: RunReport): Check | undefined {
  const { ending, pods, checks = [], refused } = report;
  if (ending.exitCode === 0) return undefined;
  const failed = [...checks, ...pods.flatMap(({ outcomes }) => outcomes)].some(
    ({ kind }) => kind === 'failed' || kind === 'error',
  );
  if (failed && !isCutShort(ending)) return undefined;
  const name = refused === undefined ? 'the run' : 'the start';
  const kind = ending.exitCode === 1 ? 'failed' : 'error';
  return { name, kind, text: endSentence(ending) };
}

/** Returns true when a run ended before it had decided anything. */
export function isCutShort({ kind }: Ending): boolean {
  return kind === 'interrupted' || kind === 'timeout';
}

export interface ReportedPod {
  readonly pod: PodSummary;
  readonly diagnoses: readonly Diagnosis[];
  readonly outcomes: readonly Outcome[];
  readonly events: readonly ReportedEvent[];
  readonly manifest?: ReportedManifest | undefined;
  readonly marks: readonly Mark[];
  /** All attempts by `container/probe`; the summary only keeps the latest. */
  readonly attempts: ReadonlyMap<string, readonly AttemptView[]>;
}

/** An event with its repeats: the seconds of the first and the last, and their number. */
export interface ReportedEvent extends Entry {
  readonly t: number;
  readonly count: number;
  readonly lastAt: number;
}

export interface ReportedManifest {
  readonly file: string;
  /** False for a recorded pod, which has no file. */
  readonly isFile: boolean;
  /** Lines of the object, with secrets masked, and the number of the first one. */
  readonly lines: readonly string[];
  readonly first: number;
  /** Finds a field of the pod, such as `spec.containers[0].livenessProbe`. */
  readonly positions: (path: string) => Position;
}

/** The line of the manifest that a diagnosis concerns. */
interface Mark extends Position {
  readonly diagnosis: Diagnosis;
}

/** The simulated outcome of the run with a setting that a diagnosis proposes. */
export interface SettingEffect {
  readonly pod: string;
  /** `app.livenessProbe.timeoutSeconds=3` */
  readonly setting: string;
  readonly before: PodNumbers;
  readonly after: PodNumbers;
  readonly sentence: string;
}

export interface RunReportInput extends Pick<
  RunReport,
  'command' | 'header' | 'ending' | 'result' | 'checks'
> {
  readonly lines: readonly TraceLine[];
  readonly manifests: ReadonlyMap<string, ReportedManifest>;
  readonly isSimulated: IsSimulated;
}

export function runReport(input: RunReportInput): RunReport {
  const { lines, manifests, isSimulated, ...facts } = input;
  const history = new History();
  for (const line of lines) history.add(line);
  const { pods, notes, workloads } = history.summary;
  const rollouts = workloads.map(({ workload, done, sentence }): Check => {
    const name = `${workload} ${workload.startsWith('job/') ? 'complete' : 'rolled out'}`;
    return { name, kind: done ? 'passed' : 'failed', text: sentence };
  });
  return {
    ...facts,
    effects: [],
    checks: rollouts.length === 0 ? facts.checks : rollouts,
    notes: notes.map(({ text }) => text),
    pods: pods.map((pod): ReportedPod => {
      const diagnoses = diagnosePod(pod, facts.ending.t, isSimulated);
      const manifest = manifests.get(pod.key);
      return {
        pod,
        diagnoses,
        manifest,
        outcomes: outcomesOf(pod, diagnoses),
        events: history.eventsOf(pod.key),
        marks: manifest === undefined ? [] : marksOf(pod, diagnoses, manifest),
        attempts: history.attempts.ofPod(pod.key),
      };
    }),
  };
}

class History {
  summary = EMPTY_SUMMARY;
  readonly attempts = new AttemptHistory();
  readonly #events = new Map<string, Map<string, ReportedEvent>>();

  add(line: TraceLine): void {
    const before = this.summary;
    this.summary = fold(before, line);
    if (line.kind === 'attemptDone') this.attempts.add(line, this.summary);
    if (!('pod' in line)) return;
    for (const entry of entriesOf(line, findPod(before, line.pod), findPod(this.summary, line.pod)))
      this.#addEvent(line.pod, line.t, entry);
  }

  eventsOf(pod: string): readonly ReportedEvent[] {
    return [...(this.#events.get(pod)?.values() ?? [])];
  }

  /** Repetitions are counted at the first one. */
  #addEvent(pod: string, t: number, entry: Entry): void {
    const ofPod = this.#events.get(pod) ?? new Map<string, ReportedEvent>();
    const key = JSON.stringify(entry);
    const { t: firstAt = t, count = 0 } = ofPod.get(key) ?? {};
    this.#events.set(pod, ofPod.set(key, { ...entry, t: firstAt, lastAt: t, count: count + 1 }));
  }
}

function entriesOf(
  line: TraceLine,
  before: PodSummary | undefined,
  after: PodSummary | undefined,
): readonly Entry[] {
  switch (line.kind) {
    case 'status':
      return after === undefined ? [] : statusEntries(before, after);
    case 'started': {
      const { container, run } = line;
      return [{ container, type: 'Run', reason: 'Started', text: `run ${run}` }];
    }
    case 'output':
      return [];
    default:
      return plainEntries(line, after);
  }
}

function marksOf(
  pod: PodSummary,
  diagnoses: readonly Diagnosis[],
  { positions }: ReportedManifest,
): readonly Mark[] {
  return diagnoses.filter(isFailing).map((diagnosis) => {
    const probe = probeOfDiagnosis(diagnosis, pod);
    const { field = probe === undefined ? 'name' : `${probe}Probe` } =
      provenChange(diagnosis) ?? {};
    const path = `${containerPath(pod, diagnosis.subject.container)}.${field}`;
    return { ...positions(path), diagnosis };
  });
}

/** Returns the path of a container in its pod: `spec.containers[0]`. */
export function containerPath(
  { object: { spec } }: Pick<PodSummary, 'object'>,
  name: string,
): string {
  for (const list of ['containers', 'initContainers'] as const) {
    const index = spec[list]?.findIndex((container) => container.name === name) ?? -1;
    if (index >= 0) return `spec.${list}[${index}]`;
  }
  return 'spec';
}

/** The result of a container or of a probe, in the terms of test reports. */
export interface Outcome {
  /** `app`, or `app liveness: http :8080/healthz` */
  readonly name: string;
  readonly container: string;
  readonly probe?: ProbeView['type'];
  readonly kind: 'passed' | 'failed' | 'error' | 'skipped';
  /** The diagnosis of a failure, or the counts of a success. */
  readonly text: string;
  /** Type of a failure: `503`, `timeout`, `CrashLoopBackOff`. */
  readonly type?: string;
  /** Seconds from the pod's addition to the last attempt. */
  readonly time: number;
}

function outcomesOf(pod: PodSummary, diagnoses: readonly Diagnosis[]): readonly Outcome[] {
  return pod.containers.flatMap((container) => {
    const diagnosis = diagnoses.find(
      (each) => each.subject.container === container.name && isFailing(each),
    );
    const probes = container.probes.map((probe) => probeOutcome(pod, container, probe, diagnosis));
    const isReported = probes.some(({ kind }) => kind === 'failed' || kind === 'error');
    const unreported = isReported && !hasCrashed(container) ? undefined : diagnosis;
    // Attempts alone do not describe their container.
    if (unreported === undefined && container.state.kind === 'unknown') return probes;
    return [containerOutcome(pod, container, unreported), ...probes];
  });
}

/** Returns the probe that a diagnosis concerns: it fails now, or has ended the last killed run. */
export function probeOfDiagnosis(
  { subject: { probe, container } }: Diagnosis,
  { containers }: PodSummary,
): Diagnosis['subject']['probe'] {
  if (probe !== undefined) return probe;
  const runs = containers.find(({ name }) => name === container)?.runs ?? [];
  const last = runs.findLast((run) => run.endedAt !== undefined || run.killReason !== undefined);
  return last && killerOf(last);
}

/** Reports whether a run has ended by itself and failed; an init container may fail before it succeeds. */
function hasCrashed({ runs, role }: ContainerView): boolean {
  return (role === 'init' ? runs.slice(-1) : runs).some(
    ({ startError, endedAt = -1, exitCode, stop, killed }) =>
      startError !== undefined ||
      (endedAt >= 0 && exitCode !== 0 && stop === undefined && killed === undefined),
  );
}

function containerOutcome(
  pod: PodSummary,
  container: ContainerView,
  diagnosis: Diagnosis | undefined,
): Outcome {
  const { name, state, runs } = container;
  const time = Math.max(0, (runs.at(-1)?.startedAt ?? pod.addedAt) - pod.addedAt);
  const text = `${state.text || 'not started'}, ${counted(runs.length, 'run')}`;
  const common = { name, container: name, time };
  const type = state.kind === 'waiting' ? state.reason : state.kind;
  if (diagnosis !== undefined) {
    return { ...common, kind: 'failed', type, text: diagnosisText(diagnosis) };
  }
  if (hasCrashed(container)) return { ...common, kind: 'failed', type, text };
  return { ...common, kind: 'passed', text };
}

function probeOutcome(
  pod: PodSummary,
  container: ContainerView,
  probe: ProbeView,
  diagnosis: Diagnosis | undefined,
): Outcome {
  const { type, attempts, successes, failures, errors, set } = probe;
  const last = attempts.at(-1);
  const settings = probeOf(container.spec, type);
  const handler = settings === undefined ? '' : `: ${handlerText(settings, container.spec)}`;
  const common = {
    name: `${container.name} ${type}${handler}`,
    container: container.name,
    probe: type,
    time: (last?.endedAt ?? pod.addedAt) - pod.addedAt,
  };
  const kills = container.runs.filter(
    (run) => killerOf(run) === type && (hasDied(run) || run.killed !== undefined),
  ).length;
  const lastFailure = attempts.findLast((each) => verdictOfAttempt(each) === 'failure');
  const word = (lastFailure && resultWord(lastFailure)) ?? 'failed';
  const failed = { ...common, kind: 'failed', type: word } as const;
  const isDiagnosed = diagnosis && probeOfDiagnosis(diagnosis, pod) === type;
  if (isDiagnosed === true && last?.error === undefined) {
    return { ...failed, text: diagnosisText(diagnosis) };
  }
  const results = `${successes} succeeded, ${failures} failed${errors > 0 ? `, ${errors} errored` : ''}`;
  if (kills > 0) return { ...failed, text: `the ${type} probe ended ${counted(kills, 'run')}` };
  if (last === undefined) return { ...common, kind: 'skipped', text: 'no attempt was made' };
  if (last.error !== undefined && set === undefined) {
    return { ...common, kind: 'error', type: 'error', text: last.error };
  }
  if (set === 'failure' || (set === undefined && failures > 0)) {
    return { ...failed, text: `${results}: ${lastFailure?.output ?? ''}` };
  }
  return { ...common, kind: 'passed', text: results };
}
