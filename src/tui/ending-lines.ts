import { lossText } from '../report/view-text.js';
import { counted } from '../text/count.js';
import { age, formatLatency } from '../text/duration.js';
import {
  hangingRows,
  joinLines,
  type Line,
  line,
  span,
  type Tone,
  wrapLine,
} from '../text/line.js';
import { isPodReady } from '../trace/summary/condition-view.js';
import type { RunView } from '../trace/summary/container-view.js';
import type { PodSummary, Summary } from '../trace/summary/summary.js';
import type { Ending } from '../trace/trace-record.js';
import { endWord } from './components/pod-table.js';

const MAX_PODS = 3;
const MAX_RUNS = 3;
const MAX_WARNINGS = 3;
const NAME_WIDTH = 11;

const ENDINGS: Readonly<Record<Ending['kind'], string>> = {
  goal: '',
  quit: ', quit',
  timeout: ', timed out',
  interrupted: ', interrupted',
  saved: ', saved while running',
};

interface Cause {
  readonly text: string;
  /** True where the pod works. */
  readonly isWarning?: boolean;
}

/** A pod's cause by its key, those of the worst diagnosis first. */
export type Causes = ReadonlyMap<string, Cause>;

/** Returns what stays on the normal screen after the UI: the run in a few rows, and the command that repeats it. */
export function endingLines(
  ending: Ending,
  summary: Summary,
  command: string,
  { causes = new Map(), width = Infinity }: { readonly causes?: Causes; readonly width?: number },
): Line[] {
  const { verdict, exitCode, kind } = ending;
  const tone = verdict.kind === 'holds' ? 'good' : verdict.kind === 'unknown' ? 'warn' : 'bad';
  const pods = worstFirst(summary.pods, causes);
  const text = (name: string, value: string, tone: Tone = 'plain'): Line[] =>
    hangingRows(span(name.padEnd(NAME_WIDTH), 'dim'), value, width, tone);
  const rows = (name: string, values: readonly Line[]): Line[] =>
    values
      .flatMap((value) => wrapLine(value, width - NAME_WIDTH))
      .map((row, index) => [span((index === 0 ? name : '').padEnd(NAME_WIDTH), 'dim'), ...row]);
  // One that comes while kprobe stops is shown nowhere else.
  const warnings = summary.notes.filter(({ level }) => level === 'warning').slice(-MAX_WARNINGS);
  return [
    ...rows('ready', perPod(pods, readyLine, isDiagnosed, 'ready')),
    ...rows('restarts', perPod(pods, restartsLine, hasRestarted, 'without restarts')),
    ...text('latency', latencyText(summary)),
    ...text('verdict', verdict.sentence, tone),
    ...shownCauses(pods, causes).flatMap((cause) =>
      text(cause.isWarning === true ? 'warning' : 'cause', cause.text, 'info'),
    ),
    ...warnings.flatMap((warning) => text('warning', warning.text, 'warn')),
    ...text('exit code', `${exitCode}${ENDINGS[kind]}, after ${age(ending.t)}`),
    // The command is not wrapped, so that a copy of it has no line feeds.
    [span('again'.padEnd(NAME_WIDTH), 'dim'), span(command, 'dim')],
  ];
}

/** The pods with a diagnosis, then those that had one, then the healthy ones. */
function worstFirst(pods: readonly PodSummary[], causes: Causes): PodSummary[] {
  const keys = [...causes.keys()];
  const rank = (pod: PodSummary): number => {
    const at = keys.indexOf(pod.key);
    if (at !== -1) return at;
    return keys.length + (isDiagnosed(pod) ? 0 : hasRestarted(pod) ? 1 : 2);
  };
  return pods.toSorted((a, b) => rank(a) - rank(b));
}

function isDiagnosed(pod: PodSummary): boolean {
  const isReady = isPodReady(pod) || pod.phase === 'Succeeded';
  return !isReady || lossText(pod) !== '';
}

function hasRestarted({ containers }: PodSummary): boolean {
  return containers.some(({ restartCount }) => restartCount > 0);
}

/** A row for each pod that stands out, and one for all others. */
function perPod(
  pods: readonly PodSummary[],
  show: (pod: PodSummary) => Line,
  standsOut: (pod: PodSummary) => boolean,
  otherwise: string,
): Line[] {
  const [only] = pods;
  if (only === undefined) return [line('no pod', 'dim')];
  if (pods.length === 1) return [show(only)];
  const named = pods.filter(standsOut);
  const lines = named
    .slice(0, MAX_PODS)
    .map((pod): Line => [span(`${pod.object.metadata.name}: `), ...show(pod)]);
  const more = named.length - lines.length;
  const others = pods.length - named.length;
  const folded = [
    more > 0 ? line(counted(more, 'more like it', 'more like these'), 'bad') : [],
    others > 0 ? line(`${counted(others, 'pod')} ${otherwise}`, 'good') : [],
  ];
  return [...lines, joinLines(folded, '; ')].filter((row) => row.length > 0);
}

function shownCauses(pods: readonly PodSummary[], causes: Causes): Cause[] {
  const found = pods.flatMap(({ key, object }) => {
    const cause = causes.get(key);
    if (cause === undefined) return [];
    const name = pods.length === 1 ? '' : `${object.metadata.name}: `;
    return { ...cause, text: `${name}${cause.text}` };
  });
  const others = found.slice(MAX_PODS);
  const warned = others.filter(({ isWarning }) => isWarning).length;
  const more = others.length - warned;
  return [
    ...found.slice(0, MAX_PODS),
    ...(more > 0 ? [{ text: `${counted(more, 'more pod')} in trouble` }] : []),
    ...(warned > 0 ? [{ text: counted(warned, 'more pod'), isWarning: true }] : []),
  ];
}

function readyLine(pod: PodSummary): Line {
  const { firstReadyAt, addedAt, phase } = pod;
  if (firstReadyAt === undefined) {
    return phase === 'Succeeded' ? line('completed', 'good') : line('never', 'bad');
  }
  const after = `after ${(firstReadyAt - addedAt).toFixed(1)} s`;
  const lost = lossText(pod);
  if (lost === '') return line(after, 'good');
  return isPodReady(pod)
    ? line(`${after}, ${lost}`, 'warn')
    : line(`${after}, ${lost}, not ready at the end`, 'bad');
}

function restartsLine({ containers }: PodSummary): Line {
  const texts = containers
    .filter(({ restartCount }) => restartCount > 0)
    .map(({ name, restartCount, runs }) => {
      // The last run was not restarted.
      const ended = runs.slice(0, -1).filter(({ endedAt }) => endedAt !== undefined);
      // A watch knows only how the last of the runs before it has ended.
      if (ended.length === 0) return `${restartCount} of ${name}`;
      const earlier = restartCount > MAX_RUNS ? 'the latest: ' : '';
      return `${restartCount} of ${name} (${earlier}${ended.slice(-MAX_RUNS).map(endText).join(', ')})`;
    });
  return texts.length === 0 ? line('none', 'good') : line(texts.join('; '), 'bad');
}

function endText(run: RunView): string {
  const exit = run.exitCode === undefined ? '' : ` exit ${run.exitCode}`;
  return `${endWord(run)}${exit} at ${(run.endedAt ?? 0).toFixed(1)} s`;
}

function latencyText({ pods }: Summary): string {
  const probes = pods.flatMap(({ object, containers }) => {
    const prefix = pods.length > 1 ? `${object.metadata.name}/` : '';
    return containers.flatMap(({ name, probes }) =>
      probes.map((probe) => ({ ...probe, name: `${prefix}${name}/${probe.type}` })),
    );
  });
  const [worst] = probes.toSorted((a, b) => b.latencies.max - a.latencies.max);
  if (worst !== undefined && worst.latencies.total > 0) {
    const total = probes.reduce((sum, { latencies }) => sum + latencies.total, 0);
    return `worst ${formatLatency(worst.latencies.max)} (${worst.name}), of ${counted(total, 'attempt')}`;
  }
  const isReported = probes.some(({ attempts }) => attempts.at(-1)?.evidence !== undefined);
  if (isReported) return 'not reported by kubelets';
  const errors = probes.reduce((sum, probe) => sum + probe.errors, 0);
  return errors === 0 ? 'no attempts' : `none: ${counted(errors, 'attempt')} errored`;
}
