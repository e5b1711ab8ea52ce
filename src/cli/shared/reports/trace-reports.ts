import { existsSync } from 'node:fs';

import type { Pod } from '../../../api/index.js';
import type { Setting } from '../../../diagnosis/cause.js';
import { podKey } from '../../../kubelet/pod-name.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { dumpYaml } from '../../../manifest/documents/dump-yaml.js';
import type { ManifestSource } from '../../../manifest/documents/source-file.js';
import { type LoadedManifest, loadManifest } from '../../../manifest/pods/load-manifest.js';
import { manifestSecrets } from '../../../manifest/pods/manifest-secrets.js';
import { settingsOf, withSettings } from '../../../manifest/pods/settings.js';
import {
  probeOfDiagnosis,
  type ReportedManifest,
  type ReportedPod,
  type RunReport,
  runReport,
  type SettingEffect,
} from '../../../report/run-report.js';
import { linesOf, maskSourceLine } from '../../../secrets/mask-source.js';
import type { LineListener } from '../../../session/session.js';
import { whatIf } from '../../../sim/recorded/what-if.js';
import { linesOfRun, type Trace } from '../../../trace/read-trace.js';
import { fold } from '../../../trace/summary/fold.js';
import type { PodNumbers } from '../../../trace/summary/pod-numbers.js';
import { EMPTY_SUMMARY, findContainer } from '../../../trace/summary/summary.js';
import { verdictOf } from '../../../trace/summary/verdict.js';
import type { TraceLine } from '../../../trace/trace-line.js';
import { type Ending, endingOf, traceEnd, type TraceHeader } from '../../../trace/trace-record.js';
import { exitCodeOfVerdict } from '../exit-code.js';
import type { Io } from '../io.js';
import type { ReportFlags } from '../options.js';
import { simulationProgress } from '../progress.js';
import { isSimulatedIn } from '../screen.js';
import { TraceSpool } from '../trace-spool.js';
import { writeTargets } from './write-reports.js';

export interface ReportedSession {
  readonly onLine: (listener: LineListener) => unknown;
}

export interface TraceReportsInput {
  readonly command: string;
  readonly flags: ReportFlags;
  readonly header: TraceHeader;
  /** Of the manifests, where there are some. */
  readonly sources?: readonly ManifestSource[];
  readonly io: Io;
}

/** Gathers the trace of a run that goes on, in a file without a name; returns how to write its reports. */
export function collectReports(session: ReportedSession, { header, ...input }: TraceReportsInput) {
  const spool = new TraceSpool(header);
  session.onLine((line) => spool.line(line));
  return async (ending: CheckedEnding): Promise<void> => {
    const lines = await spool.lines();
    spool.close();
    const end = traceEnd(ending, lines.at(-1)?.t ?? 0);
    const { checks } = ending;
    await reportTrace({ header, lines, end, unknown: 0 }, ending, { ...input, checks });
  };
}

/** The end of a recorded run. */
export function recordedEnding({ end, lines }: Trace): Ending {
  if (end !== undefined) return endingOf(end);
  const summary = lines.reduce(fold, EMPTY_SUMMARY);
  const verdict = verdictOf(summary);
  return { t: summary.t, kind: 'saved', verdict, exitCode: exitCodeOfVerdict(verdict.kind) };
}

/** An ending that `kprobe ci` adds its checks to. */
export type CheckedEnding = Ending & Pick<RunReport, 'checks'>;

interface WholeTraceInput extends Omit<TraceReportsInput, 'header'> {
  readonly result?: RunReport['result'];
  readonly checks?: RunReport['checks'];
  /** False where a simulation of the trace would say nothing. */
  readonly effects?: boolean;
}

/** Writes the reports of a whole trace. */
export async function reportTrace(
  trace: Trace,
  ending: Ending,
  { flags, sources = [], io, effects = true, ...about }: WholeTraceInput,
): Promise<void> {
  const { header } = trace;
  const lines = linesOfRun(trace);
  const manifests = reportedManifests(lines, sources);
  const isSimulated = isSimulatedIn(header);
  const report = runReport({ ...about, header, ending, lines, manifests, isSimulated });
  const tried = effects ? await settingEffects(trace, report, io) : [];
  await writeTargets({ ...report, effects: tried }, flags, io);
}

/** Returns the object of each pod: as the user wrote it, or else the pod as it was recorded. */
function reportedManifests(lines: readonly TraceLine[], sources: readonly ManifestSource[]) {
  const manifest = loadManifest(sources, { validate: false });
  const found = new Map<string, ReportedManifest>();
  for (const line of lines) {
    if (line.kind !== 'pod' || found.has(line.pod)) continue;
    const shown = written(line.pod, manifest, sources) ?? recorded(line.object);
    if (shown !== undefined) found.set(line.pod, shown);
  }
  return found;
}

function written(key: string, manifest: LoadedManifest, sources: readonly ManifestSource[]) {
  const loaded = manifest.pods.find(({ pod }) => podKey(pod) === key);
  const source = sources.find(({ file }) => file === loaded?.source.file);
  if (loaded === undefined || source === undefined) return undefined;
  const { file, line: first } = loaded.source;
  const secrets = manifestSecrets(manifest);
  const lines = objectLines(source.text, first).map((line) => secrets.text(line));
  return { file, isFile: existsSync(file), lines, first, positions: loaded.positions };
}

function recorded({
  metadata,
  spec,
}: Extract<TraceLine, { kind: 'pod' }>['object']): ReportedManifest | undefined {
  const { name, namespace } = metadata;
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec };
  const text = dumpYaml(object);
  const [loaded] = loadManifest([{ file: 'pod', text }], { validate: false }).pods;
  if (loaded === undefined) return undefined;
  const lines = objectLines(text, 1);
  return {
    file: `${namespace}/${name}`,
    isFile: false,
    lines,
    first: 1,
    positions: loaded.positions,
  };
}

/** The lines of one document, with what looks like a secret masked. */
function objectLines(text: string, first: number): readonly string[] {
  const lines = linesOf(text);
  const next = lines.texts.findIndex((line, index) => index >= first && /^---(?:\s|$)/.test(line));
  const end = next === -1 ? lines.texts.length : next;
  const numbers = Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index);
  const shown = numbers.map((number) => maskSourceLine(lines, number));
  return shown.slice(0, shown.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Settings that are tried, and lines of a trace that is simulated with them: more would keep the user waiting. */
const MOST = 4;
const MOST_LINES = 100_000;

/** Simulates the run with each setting that a diagnosis proposes: what `kprobe replay --set` would answer. */
async function settingEffects(trace: Trace, { pods }: RunReport, io: Io) {
  // A cluster's attempts are not all known.
  if (trace.header.target === 'cluster' || trace.lines.length > MOST_LINES) return [];
  const effects: SettingEffect[] = [];
  // A run that a signal ended gets its whole report; a second signal ends kprobe at once.
  const progress = io.signal.aborted ? { ...io, signal: new AbortController().signal } : io;
  for (const { key, container, setting, isTrial } of pods.flatMap(trialsOf).slice(0, MOST)) {
    const path = [container, ...setting.field.split('.')];
    const text = `${path.join('.')}=${setting.value}`;
    const settings = [{ text, path, value: setting.value }];
    const refused = new Set<Pod>();
    const change = (pod: Pod): Pod => {
      if (podKey(pod) !== key) return pod;
      const changed = withSettings(pod, settingsOf(pod, settings));
      if (changed.kind === 'pod') return changed.pod;
      refused.add(pod);
      return pod;
    };
    const { before, after, verdict } = await simulationProgress(progress, (show) =>
      whatIf(trace, change, show),
    );
    const [old, now] = [before, after].map((all) => all.find(({ pod }) => pod === key));
    if (refused.size > 0 || old === undefined || now === undefined) continue;
    if (isTrial && !isBetter(old, now)) continue;
    effects.push({ pod: key, setting: text, before: old, after: now, sentence: verdict.sentence });
  }
  return effects;
}

/** Fewer restarts, or more than a second more of readiness. */
function isBetter(before: PodNumbers, after: PodNumbers): boolean {
  const restarts = ({ restarts }: PodNumbers): number =>
    Object.values(restarts).reduce((sum, count) => sum + count, 0);
  if (restarts(after) !== restarts(before)) return restarts(after) < restarts(before);
  return after.readyFor > before.readyFor + 1;
}

interface Trial {
  readonly key: string;
  readonly container: string;
  readonly setting: Setting;
  /** No diagnosis proposes it, so it is shown only where it helps. */
  readonly isTrial: boolean;
}

/** The settings that the diagnoses propose; where one proposes none, more patience of its probe. */
function trialsOf({ pod, diagnoses }: ReportedPod): readonly Trial[] {
  return diagnoses.flatMap((diagnosis): readonly Trial[] => {
    const { container, setting } = diagnosis;
    const own = { key: pod.key, container };
    if (setting !== undefined) return [{ ...own, setting, isTrial: false }];
    const type = probeOfDiagnosis(diagnosis, pod);
    const view = findContainer(pod, container);
    const probe = type && view && probeOf(view.spec, type);
    if (probe === undefined) return [];
    const patient = {
      timeoutSeconds: Math.max(5, 2 * probe.timeoutSeconds),
      failureThreshold: Math.max(10, 3 * probe.failureThreshold),
    };
    return Object.entries(patient).map(([field, value]) => {
      return { ...own, setting: { field: `${type}Probe.${field}`, value }, isTrial: true };
    });
  });
}
