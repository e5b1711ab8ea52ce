import type { ContainerView, RunView } from '../../trace/summary/container-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import type { Ending } from '../renderer.js';
import { age, formatLatency } from '../text/duration.js';
import { joinLines, type Line, line, span, type Tone } from '../text/line.js';
import { lossText } from './format.js';
import { causeText } from './views/container-line.js';

/** Of several pods so many are told of. */
const MAX_PODS = 3;
/** Of a container's restarts so many are told of, the latest. */
const MAX_RUNS = 3;
const NAME_WIDTH = 11;

const HOW: Readonly<Record<Ending['kind'], string>> = {
  goal: '',
  quit: ', quit',
  timeout: ', the time was up',
  interrupted: ', interrupted',
  saved: ', saved while it went on',
};

/** What stays on the normal screen: what happened in five rows, and how to look again. */
export function endingLines(ending: Ending, summary: Summary, again: string): Line[] {
  const { verdict, exitCode, kind } = ending;
  const tone = verdict.kind === 'holds' ? 'good' : verdict.kind === 'unknown' ? 'warn' : 'bad';
  return [
    row('ready', perPod(summary, readyText)),
    row('restarts', perPod(summary, restartsText)),
    row('latency', line(worstLatency(summary))),
    row('verdict', line(verdict.sentence, tone)),
    row('exit code', line(`${exitCode}${HOW[kind]}, after ${age(ending.t)}`)),
    row('again', line(again, 'dim')),
  ];
}

function row(name: string, value: Line): Line {
  return [span(name.padEnd(NAME_WIDTH), 'dim'), ...value];
}

/** With several pods, each with its name. */
function perPod(
  { pods }: Summary,
  tell: (pod: PodSummary) => { readonly text: string; readonly tone: Tone },
): Line {
  if (pods.length === 0) return line('there was no pod', 'dim');
  const lines = pods.slice(0, MAX_PODS).map((pod): Line => {
    const { text, tone } = tell(pod);
    return [...(pods.length > 1 ? [span(`${pod.object.metadata.name}: `)] : []), span(text, tone)];
  });
  const more = pods.length > MAX_PODS ? line(`and ${pods.length - MAX_PODS} more pods`, 'dim') : [];
  return joinLines([...lines, more], '; ');
}

function readyText(pod: PodSummary): { text: string; tone: Tone } {
  const { firstReadyAt, addedAt, conditions, phase } = pod;
  if (firstReadyAt === undefined) {
    const done = phase === 'Succeeded';
    return done ? { text: 'completed', tone: 'good' } : { text: 'never', tone: 'bad' };
  }
  const after = `after ${(firstReadyAt - addedAt).toFixed(1)} s`;
  const lost = lossText(pod);
  if (lost === '') return { text: after, tone: 'good' };
  const now = conditions['Ready'] === 'True' ? '' : ', and not ready at the end';
  return { text: `${after}, ${lost}${now}`, tone: now === '' ? 'warn' : 'bad' };
}

function restartsText(pod: PodSummary): { text: string; tone: Tone } {
  const texts = pod.containers
    .filter(({ restartCount }) => restartCount > 0)
    .map((container) => {
      const whys = container.runs
        // What ended a run after which none came is no restart.
        .slice(0, -1)
        .filter((run) => run.endedAt !== undefined)
        .slice(-MAX_RUNS)
        .map(endText);
      const earlier = container.restartCount > MAX_RUNS ? 'the latest: ' : '';
      return `${container.restartCount} of ${container.name} (${earlier}${whys.join(', ')})`;
    });
  return texts.length === 0
    ? { text: 'none', tone: 'good' }
    : { text: texts.join('; '), tone: 'bad' };
}

function endText(run: RunView): string {
  const exit = run.exitCode === undefined ? '' : ` exit ${run.exitCode}`;
  return `${causeText(run)}${exit} at ${(run.endedAt ?? 0).toFixed(1)} s`;
}

function worstLatency({ pods }: Summary): string {
  const all = pods.flatMap((pod) =>
    pod.containers.flatMap((container) => probesOf(pod, container, pods.length > 1)),
  );
  const worst = all.reduce<(typeof all)[number] | undefined>(
    (most, one) => (most === undefined || one.max > most.max ? one : most),
    undefined,
  );
  if (worst === undefined || worst.total === 0) return noLatency(all);
  const attempts = all.reduce((sum, { total }) => sum + total, 0);
  return `worst ${formatLatency(worst.max)} (${worst.name}), of ${attempts} attempts`;
}

function noLatency(probes: readonly { readonly errors: number }[]): string {
  const errors = probes.reduce((sum, probe) => sum + probe.errors, 0);
  return errors === 0 ? 'no attempt was made' : `none: all of ${errors} attempts errored`;
}

function probesOf(
  pod: PodSummary,
  { name, probes }: ContainerView,
  named: boolean,
): { name: string; max: number; total: number; errors: number }[] {
  const prefix = named ? `${pod.object.metadata.name}/` : '';
  return probes.map(({ type, errors, latencies: { max, total } }) => ({
    name: `${prefix}${name}/${type}`,
    max,
    total,
    errors,
  }));
}
