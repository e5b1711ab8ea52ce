import { probeOf } from '../../kubelet/prober/probe-of.js';
import { formatSeconds } from '../../text/duration.js';
import { escapeXml } from '../../text/xml.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import { type ProbeView, verdictOfAttempt } from '../../trace/summary/probe-view.js';
import { type ContainerPhase, phaseAt } from '../lanes.js';
import { handlerText } from '../probe-text.js';
import type { ReportedPod } from '../run-report.js';
import { roundStep, ticksOf } from '../time-axis.js';
import type { AttemptTables } from './attempt-tables.js';

/** Units of a lane's width, so that marks have whole numbers. */
const WIDTH = 10_000;
const LANE = 64;
const [TOP, BASE] = [8, 60];

interface TimelineInput {
  readonly reported: ReportedPod;
  /** Seconds of the trace. */
  readonly from: number;
  readonly to: number;
  /** Prefix of the ids in the page. */
  readonly id: string;
  readonly tables: AttemptTables;
}

/**
 * Draws the timeline of a pod as inline SVG. A chart library (uPlot is the smallest) draws on a canvas, which shows
 * nothing without JavaScript, prints badly, and is closed to screen readers.
 */
export function timelineSvg(input: TimelineInput): string {
  const { reported, from, to, id } = input;
  const { containers } = reported.pod;
  const labels = containers.flatMap((container) => [
    `<div class=c><b>${escapeXml(container.name)}</b></div>`,
    ...container.probes.map((probe) => `<div class=p>${probeLabel(container, probe)}</div>`),
  ]);
  const lanes = containers.flatMap((container) => [
    containerSvg(container, input),
    ...container.probes.map((probe) => probeSvg(container, probe, input)),
  ]);
  const axis = ticksOf(from, to, roundStep(to - from, [...STEPS, (to - from) / 12], 12)).map(
    (tick) => {
      const left = Math.round(((tick - from) / (to - from)) * 10_000) / 100;
      return `<i style="left:${left}%">${tick} s</i>`;
    },
  );
  return [
    `<figure class=tl data-from=${from} data-to=${to} data-tip="${id}tip" data-zoom="${id}zoom">`,
    `<div class=labels><div class=axis></div>${labels.join('')}</div>`,
    `<div class=scroll><div class=inner><div class=axis>${axis.join('')}</div>${lanes.join('')}</div></div></figure>`,
    `<div class="zoom js" id="${id}zoom"><button data-by=2>Zoom in</button><button data-by=0.5>Zoom out</button><button data-by=0>All</button><span class=dim> ctrl + wheel zooms; arrow keys move along a lane, Enter opens the attempt</span></div>`,
    `<p class=tip id="${id}tip" role=status aria-live=polite></p>`,
    KEY,
  ].join('\n');
}

/** Steps of a time axis, in seconds. */
const STEPS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400];

const KEYS = [
  ['container: ready', 'okbg'],
  ['not ready or not started', 'warnbg'],
  ['stopping or back-off', 'badbg'],
  ['not running', 'line'],
  ['attempt: success', 'ok'],
  ['failure', 'bad'],
  ['error', 'warn'],
].map(
  ([name = '', color = '']) => `<span><b style="background:var(--${color})"></b>${name}</span>`,
);

const KEY = `<p class=key>${KEYS.join(' ')}<br>The taller an attempt, the slower: logarithmic, from 1 ms up to the dashed line, the timeout.</p>`;

function probeLabel({ spec }: ContainerView, { type }: ProbeView): string {
  const probe = probeOf(spec, type);
  if (probe === undefined) return type;
  const limit = `timeout ${probe.timeoutSeconds} s, every ${probe.periodSeconds} s`;
  return `${type}<span>${escapeXml(handlerText(probe, spec))}</span><span>${limit}</span>`;
}

function xOf(time: number, { from, to }: TimelineInput): number {
  const share = (time - from) / (to - from);
  return Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
}

const PHASES: Readonly<Record<ContainerPhase, string>> = {
  none: 'not there yet',
  completed: 'ended',
  ended: 'ended',
  backOff: 'back-off',
  stopping: 'TERM sent',
  notStarted: 'not started',
  notReady: 'not ready',
  ready: 'ready',
};

function containerSvg(container: ContainerView, input: TimelineInput): string {
  const { from, to } = input;
  const segments = phasesOf(container, from, to);
  const rects = segments.map(({ phase, begin, end }) => {
    const [x, next] = [xOf(begin, input), xOf(end, input)];
    const span = `${formatSeconds(begin)} – ${formatSeconds(end)}`;
    return `<rect class=${phase} x=${x} width=${Math.max(1, next - x)} y=4 height=22><title>${PHASES[phase]}, ${span}</title></rect>`;
  });
  const line = (time: number | undefined): string =>
    time === undefined ? '' : `M${xOf(time, input)},2V28`;
  const starts = container.runs.map(({ startedAt }) => line(startedAt)).join('');
  const ends = container.runs.map(({ endedAt }) => line(endedAt)).join('');
  const texts = segments.map(({ phase, begin }) => `${PHASES[phase]} from ${formatSeconds(begin)}`);
  const label = `${container.name}: ${texts.slice(0, 30).join(', ')}`;
  const paths = `<path class=run d="${starts}"/><path class=kill d="${ends}"/>`;
  return svg(30, label, rects.join('') + paths, 'class=c');
}

interface Segment {
  readonly phase: ContainerPhase;
  readonly begin: number;
  readonly end: number;
}

function phasesOf(container: ContainerView, from: number, to: number): readonly Segment[] {
  const { runs, states } = container;
  const turns = [
    ...runs.flatMap((run) => [run.startedAt, run.stop?.at, run.endedAt, run.backOff?.since]),
    ...states.map(({ t }) => t),
  ].filter((time): time is number => time !== undefined && time > from && time < to);
  const times = [from, ...new Set(turns.sort((a, b) => a - b)), to];
  const segments: Segment[] = [];
  for (const [index, begin] of times.slice(0, -1).entries()) {
    const end = times[index + 1] ?? to;
    const phase = phaseAt(container, (begin + end) / 2);
    const last = segments.at(-1);
    if (last?.phase === phase) segments[segments.length - 1] = { ...last, end };
    else segments.push({ phase, begin, end });
  }
  return segments;
}

const MARKS = { success: 'ok', failure: 'fail', error: 'err' } as const;

/** Draws all attempts of one result as one path: a mark takes ten bytes. */
function probeSvg(container: ContainerView, probe: ProbeView, input: TimelineInput): string {
  const { id, attempts } = input.tables.of(container.name, probe);
  const timeout = (probeOf(container.spec, probe.type)?.timeoutSeconds ?? 1) * 1000;
  const paths = { success: '', failure: '', error: '' };
  for (const attempt of attempts) {
    const share = Math.log(Math.max(1, attempt.latency)) / Math.log(Math.max(2, timeout));
    const height = Math.round(BASE - 4 - Math.min(1.1, share) * (BASE - 4 - TOP));
    paths[verdictOfAttempt(attempt)] += `M${xOf(attempt.endedAt, input)},${BASE}V${height}`;
  }
  const drawn = Object.entries(paths).map(([kind, d]) =>
    d === '' ? '' : `<path class=${MARKS[kind as keyof typeof MARKS]} d="${d}"/>`,
  );
  const { successes, failures, errors } = probe;
  const name = `${container.name} ${probe.type}`;
  const label = `${name}: ${successes} succeeded, ${failures} failed, ${errors} errored`;
  const lines = `<path class=limit d="M0,${TOP}H${WIDTH}"/><path class=base d="M0,${BASE}H${WIDTH}"/>`;
  const attributes = `class=p data-rows="${id}" data-name="${escapeXml(name)}"`;
  return svg(LANE, label, lines + drawn.join(''), attributes);
}

function svg(height: number, label: string, content: string, attributes: string): string {
  return `<svg ${attributes} viewBox="0 0 ${WIDTH} ${height}" height=${height} preserveAspectRatio=none role=img aria-label="${escapeXml(label)}">${content}</svg>`;
}
