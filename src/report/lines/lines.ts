import type { Pod } from '../../api/index.js';
import { type Diagnosis, isPast } from '../../diagnosis/fault.js';
import { isOfProbe } from '../../diagnosis/kubelet-message.js';
import { type IsSimulated, startSpan } from '../../diagnosis/outlook.js';
import { answerOfCommand } from '../../diagnosis/trials.js';
import { diagnosisText, firstChange, whenText } from '../../diagnosis/words.js';
import { clockColumn, formatSeconds } from '../../text/duration.js';
import { escapeControl } from '../../text/escape.js';
import type { Tone } from '../../text/line.js';
import { type TextStyle, UNPAINTED } from '../../text/text-style.js';
import { lastLines } from '../../trace/summary/container-view.js';
import {
  findContainer,
  findPod,
  type PodSummary,
  type Summary,
} from '../../trace/summary/summary.js';
import type { LineOf, TraceLine } from '../../trace/trace-line.js';
import type { Ending } from '../../trace/trace-record.js';
import {
  type DiagnosisChange,
  DiagnosisChanges,
  diagnosisKey,
  worstOfPods,
} from '../diagnosis-changes.js';
import type { Renderer, Write } from '../renderer.js';
import { behindText } from '../view-text.js';
import {
  attemptEntry,
  attemptMeaning,
  type Entry,
  type ListedEntry,
  plainEntries,
  podEntries,
  statusEntries,
} from './entries.js';

export interface LinesOptions {
  /** True shows every attempt, not only failures and changes. */
  readonly verbose: boolean;
  readonly output: boolean;
  readonly style?: TextStyle;
  /** Present where causes are shown. */
  readonly isSimulated?: IsSimulated;
  /** Takes the entries in place of writing them. */
  readonly onEntry?: (listed: ListedEntry) => void;
}

const LAST_LINES = 5;

const TONES: Readonly<Record<string, Tone>> = {
  Warning: 'warn',
  Cause: 'bad',
  Change: 'bad',
  Output: 'dim',
};

/** Kinds of lines that say nothing about the pods once kprobe stops them. */
const CONSEQUENCES: ReadonlySet<TraceLine['kind']> = new Set(['startFailed', 'backOff', 'event']);

type PodLine = Exclude<TraceLine, { kind: 'runtime' | 'note' | 'workload' }>;

/** One aligned line per event, for pipes, CI and screen readers. */
export class Lines implements Renderer {
  #summary: Summary | undefined;
  #objectWidth = 0;
  #time = -Infinity;
  /** An Unhealthy event, kept until its attempt ends. */
  #held: LineOf<'event'> | undefined;
  readonly #diagnoses: DiagnosisChanges;
  /** Warnings that were shown: they last, so each is shown once. */
  readonly #warnings = new Set<string>();

  constructor(
    private readonly write: Write,
    private readonly options: LinesOptions,
  ) {
    this.#diagnoses = new DiagnosisChanges(options.isSimulated, 1);
  }

  pass(t: number): void {
    for (const change of this.#diagnoses.pass(t)) this.#showChange(change);
  }

  line(line: TraceLine, summary: Summary): void {
    this.pass(line.t);
    const before = this.#summary;
    this.#summary = summary;
    const changed = this.#diagnoses.line(line, summary);
    if (before === undefined) for (const pod of summary.pods) this.#widen(pod);
    if (line.kind === 'runtime' || line.kind === 'note' || line.kind === 'workload') {
      if (line.kind === 'workload' && line.onlyTimes === true) return;
      for (const entry of plainEntries(line)) this.#writeEntry(line.t, '', entry);
      return;
    }
    // Failures during kprobe's own stop are not shown.
    if (this.#diagnoses.isOver && CONSEQUENCES.has(line.kind)) return;
    const old = before && findPod(before, line.pod);
    const pod = findPod(summary, line.pod) ?? old;
    if (pod === undefined) return;
    if (line.kind === 'pod') this.#widen(pod);
    const { name } = pod.object.metadata;
    for (const entry of this.#entries(line, old, pod)) {
      const object = entry.container === '' ? name : `${name}/${entry.container}`;
      this.#writeEntry('at' in line ? (line.at ?? line.t) : line.t, object, entry);
    }
    if (changed !== undefined) this.#showChange(changed);
  }

  end({ t, kind, verdict, exitCode }: Ending, summary: Summary): void {
    // Events of the stop may be later than the decision to end.
    const now = Math.max(t, summary.t, this.#time);
    const { isSimulated } = this.options;
    const { pods = [] } = this.#diagnoses.live ?? {};
    for (const each of isSimulated ? worstOfPods(pods, t, isSimulated) : []) {
      if (!isPast(each.worst)) this.#showCause(each, t);
    }
    const { behind } = summary;
    if (behind !== undefined) {
      const text = `kprobe was ${behindText(behind, summary)}: the machine was busy, or kprobe stopped`;
      this.#writeEntry(now, '', { container: '', type: 'Note', reason: 'warning', text });
    }
    const how = kind === 'goal' ? '' : `${kind}: `;
    const sentence = escapeControl(verdict.sentence);
    this.write(`${clockColumn(now)}  ${how}${sentence} (exit code ${exitCode})\n`);
  }

  #entries(line: PodLine, old: PodSummary | undefined, pod: PodSummary): Entry[] {
    if (this.#isCalmPast(line)) return [];
    switch (line.kind) {
      case 'pod':
        // A cluster also changes other fields of a pod.
        return isSameSpec(old, pod) ? [] : podEntries(pod);
      case 'event':
        if (!isOfProbe(line)) return plainEntries(line);
        this.#held = line;
        return [];
      case 'attemptDone':
        return this.#attempt(line, old);
      case 'status':
        return statusEntries(old, pod);
      case 'backOff':
        return this.#backOff(line, pod);
      case 'output':
        return this.options.output ? plainEntries(line) : [];
      case 'exited':
        return [...this.#lastLines(line, pod), ...plainEntries(line)];
      default:
        return plainEntries(line, pod);
    }
  }

  /** Reports whether a line from before the watch is only shown with --verbose. */
  #isCalmPast(line: PodLine): boolean {
    const isPast = 'at' in line && (line.at ?? 0) < 0 && !this.options.verbose;
    if (line.kind === 'attemptDone') return isPast && this.#held === undefined;
    return isPast && line.kind === 'event' && line.type === 'Normal';
  }

  /** Returns the last output of a run that died, unless all output is shown. */
  #lastLines({ container: name, run }: LineOf<'exited'>, { containers }: PodSummary): Entry[] {
    const container = containers.find((each) => each.name === name);
    if (this.options.output || container === undefined) return [];
    const ended = container.runs.find((each) => each.run === run);
    return lastLines(container, ended, LAST_LINES).map(({ stream, text }) => ({
      container: name,
      type: 'Output',
      reason: stream,
      text,
    }));
  }

  #showChange({ t, pod, diagnoses, before }: DiagnosisChange): void {
    const [worst] = diagnoses;
    if (worst !== undefined)
      this.#showCause({ pod, worst, text: diagnosisText(worst) }, t, before[0]);
  }

  /** Shows a cause; where only its change is new, the change alone. */
  #showCause(
    { pod, worst: cause, text: whole }: ReturnType<typeof worstOfPods>[number],
    t: number,
    before?: Diagnosis,
  ): void {
    const key = faultKey(cause);
    const isWarning = cause.urgency === 'warning';
    if (isWarning && this.#warnings.has(key)) return;
    if (isWarning) this.#warnings.add(key);
    const isKnown = before && faultKey(before) === key && basisOf(before) === basisOf(cause);
    const text = isKnown ? firstChange(cause) : whole;
    if (text === undefined || (isKnown && text === firstChange(before))) return;
    const { container, probe = container } = cause.subject;
    const type = isWarning ? 'Warning' : isKnown ? 'Change' : 'Cause';
    const { name } = pod.object.metadata;
    const object = container === '' ? name : `${name}/${container}`;
    this.#writeEntry(t, object, { container, type, reason: probe, text });
  }

  #attempt(line: LineOf<'attemptDone'>, old: PodSummary | undefined): Entry[] {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) {
      return plainEntries(held).map((entry) => ({
        ...entry,
        text: `${entry.text.trimEnd()} (${attemptMeaning(line)})`,
      }));
    }
    const probe = old?.containers
      .find(({ name }) => name === line.container)
      ?.probes.find(({ type }) => type === line.probe);
    // A cluster's counters may show many failures at once that the kubelet has sent no event about.
    const isNew = line.resultRun === 1 || (line.set !== undefined && line.set !== probe?.set);
    return isNew || this.options.verbose ? [attemptEntry(line)] : [];
  }

  /** Shows a back-off once; a sync may report it again. */
  #backOff({ container, t }: LineOf<'backOff'>, pod: PodSummary): Entry[] {
    const { backOff } = findContainer(pod, container) ?? {};
    if (backOff?.since !== t) return [];
    const text = `${formatSeconds(backOff.delay)}, next start ${whenText(startSpan(pod, backOff, t))}`;
    return [{ container, type: 'Run', reason: 'BackOff', text, key: '' }];
  }

  /** Widens the column for the names of a pod's containers; it never shrinks. */
  #widen({ object, containers }: PodSummary): void {
    for (const { name } of containers) {
      const { length } = escapeControl(`${object.metadata.name}/${name}`);
      this.#objectWidth = Math.max(this.#objectWidth, length);
    }
  }

  #writeEntry(at: number, object: string, entry: Entry): void {
    // A late report is printed below what was known before it, at that time.
    const t = Math.max(at, this.#time);
    this.#time = t;
    const listed = { t, object, entry, objectWidth: this.#objectWidth };
    if (this.options.onEntry === undefined) this.write(entryRows(listed, this.options.style));
    else this.options.onEntry(listed);
  }
}

/** Returns an entry in aligned columns, its text wrapped. */
export function entryRows(listed: ListedEntry, style = UNPAINTED): string {
  const { t, object, objectWidth } = listed;
  const { type, reason, text } = listed.entry;
  const tone = TONES[type] ?? 'plain';
  const cells = [
    style.paint(`${clockColumn(t)}  ${escapeControl(object).padEnd(objectWidth)}`, 'plain'),
    style.paint(`${type.padEnd(7)}  ${escapeControl(reason).padEnd(10)}`, tone),
  ];
  const indent = clockColumn(t).length + objectWidth + 25;
  const rows = style.wrap(escapeControl(text.trimEnd()), indent, indent);
  return `${cells.join('  ')}  ${style.paint(rows, tone)}\n`;
}

function faultKey(diagnosis: Diagnosis): string {
  return diagnosisKey({ ...diagnosis, changes: [] });
}

/** Compares the specs without the node, which the scheduler sets. */
function isSameSpec(before: PodSummary | undefined, { object }: PodSummary): boolean {
  const textOf = ({ spec }: Pod): string => JSON.stringify({ ...spec, nodeName: undefined });
  return before !== undefined && textOf(before.object) === textOf(object);
}

/** Returns the kinds of evidence that have a text: the change of a diagnosis may be about that text. */
function basisOf({ evidence }: Diagnosis): string {
  const answer = answerOfCommand(evidence);
  const texts = evidence.filter((each) => each.kind === 'written' || each === answer);
  return texts.map(({ kind }) => kind).join(' ');
}
