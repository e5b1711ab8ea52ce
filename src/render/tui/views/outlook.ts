import type { ProbeType, Result } from '../../../kubelet/event.js';
import {
  type ContainerForecast,
  forecastContainer,
  graceOfKill,
  type Restart,
  restartAfterKill,
} from '../../../trace/forecast/container-forecast.js';
import {
  forecastProbe,
  type ProbeForecast,
  type Turn,
} from '../../../trace/forecast/probe-forecast.js';
import { type ContainerView, currentRun } from '../../../trace/summary/container-view.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { countdown, inTime } from '../../text/duration.js';
import { type Line, line, span, type Tone, wrapText } from '../../text/line.js';
import type { Row } from './view.js';

/** A sentence on what the kubelet does next, and how much it matters. */
export interface Outlook {
  /** The most urgent have the least. */
  readonly rank: number;
  /** The container or probe that it is about. */
  readonly about: string;
  readonly text: string;
  readonly tone: Tone;
}

/** What the kubelet does next with a pod, the most urgent first. */
export function outlooks(
  pod: PodSummary,
  now: number,
  isSimulated: (pod: string, container: string) => boolean,
): Outlook[] {
  return pod.containers
    .flatMap((container) => {
      const simulated = isSimulated(pod.key, container.name);
      return [
        ...containerOutlook(pod, container, now),
        ...container.probes.flatMap((probe) => probeOutlook(pod, container, probe, now, simulated)),
      ];
    })
    .sort((a, b) => a.rank - b.rank);
}

function containerOutlook(pod: PodSummary, container: ContainerView, now: number): Outlook[] {
  const forecast = forecastContainer(pod, container);
  const text = containerSentence(forecast, now);
  return text === undefined
    ? []
    : [{ rank: rankOf(forecast), about: container.name, text, tone: toneOf(forecast) }];
}

function containerSentence(forecast: ContainerForecast, now: number): string | undefined {
  switch (forecast.kind) {
    case 'waiting':
      return forecast.for === undefined ? undefined : `waits for ${forecast.for}`;
    case 'running':
      return forecast.hook === undefined ? undefined : `${forecast.hook} hook runs`;
    case 'preStop':
      return 'preStop hook runs, TERM follows';
    case 'stopping':
      return `TERM was sent; KILL ${inTime(forecast.killAt - now)} if it has not ended by then, ${restartText(forecast.restart, now)}`;
    case 'ended':
      return `has ended; ${restartText(forecast.restart, now)}`;
    case 'backOff':
      return `CrashLoopBackOff of ${countdown(forecast.delay)}; started again ${inTime(forecast.until - now)}`;
    case 'done':
      return undefined;
  }
}

function rankOf({ kind }: ContainerForecast): number {
  return kind === 'waiting' || kind === 'running' ? 40 : 0;
}

function toneOf({ kind }: ContainerForecast): Tone {
  return kind === 'waiting' || kind === 'running' ? 'plain' : 'bad';
}

/** What follows on an end: `then restarted at once`. */
function restartText(restart: Restart, now: number): string {
  switch (restart.kind) {
    case 'none':
      return 'then it stays ended';
    case 'atOnce':
      return 'then restarted at once';
    case 'after':
      return `then restarted after a back-off of ${countdown(restart.delay)}${restart.at > now ? `, ${inTime(restart.at - now)}` : ''}`;
  }
}

function probeOutlook(
  pod: PodSummary,
  container: ContainerView,
  probe: ProbeView,
  now: number,
  simulated: boolean,
): Outlook[] {
  const forecast = forecastProbe(container, probe, now);
  if (hasErrored(container, probe)) return [errorOutlook(container, probe, forecast)];
  return forecast.turns.flatMap((turn) => {
    if (turn.earliest === undefined) return [];
    const effect = turnEffect(pod, container, probe, turn, simulated);
    const begun = turn.needed < turn.threshold;
    const text = `${neededText(turn, begun)}, earliest ${inTime(turn.earliest - now)} → ${effect}`;
    const rank = turnRank(probe, turn, begun);
    const tone = turn.to === 'failure' ? (begun ? 'bad' : 'dim') : 'plain';
    return [{ rank, about: `${container.name}/${probe.type}`, text, tone }];
  });
}

/** Its latest attempt in this run came to nothing. */
function hasErrored(container: ContainerView, { attempts }: ProbeView): boolean {
  const last = attempts.at(-1);
  return last?.error !== undefined && last.run === currentRun(container)?.run;
}

/** Errors meet no threshold, however many there are. */
function errorOutlook(
  { name }: ContainerView,
  { type }: ProbeView,
  { stands }: ProbeForecast,
): Outlook {
  const text = `errors count for nothing: ${meanwhile(type, stands)} until an attempt comes to a result`;
  return { rank: 25, about: `${name}/${type}`, text, tone: 'warn' };
}

function meanwhile(type: ProbeType, stands: Result): string {
  switch (type) {
    case 'startup':
      return stands === 'success' ? 'stays started' : 'neither started nor restarted';
    case 'readiness':
      return stands === 'success' ? 'stays ready' : 'stays unready';
    case 'liveness':
      return 'not restarted';
  }
}

function neededText({ to, needed }: Turn, begun: boolean): string {
  const results = to === 'success' ? 'success' : 'failure';
  const plural = to === 'success' ? 'successes' : 'failures';
  const more = begun ? 'more ' : '';
  return needed === 1
    ? `1 ${more}${results}`
    : `${needed} ${more}${plural}${begun ? '' : ' in a row'}`;
}

function turnEffect(
  pod: PodSummary,
  container: ContainerView,
  { type }: ProbeView,
  { to, earliest = 0 }: Turn,
  simulated: boolean,
): string {
  if (type === 'readiness') {
    return to === 'success'
      ? 'ready, Services send traffic'
      : 'not ready, Services send no traffic';
  }
  if (to === 'success') return 'started, the other probes begin';
  if (simulated) return 'killed and restarted (simulated)';
  const grace = graceOfKill(pod.object, container, type);
  const restart = restartAfterKill(pod.object, container, earliest);
  return `killed with TERM, ${grace} s grace, ${restartText(restart, earliest)}`;
}

/** A restart that is near goes before readiness, and that before what would take several failures. */
function turnRank({ type }: ProbeView, { to, needed }: Turn, begun: boolean): number {
  if (to === 'failure' && begun) return (type === 'readiness' ? 20 : 10) + Math.min(9, needed);
  if (to === 'success') return 30;
  return 50;
}

const TITLE = ' what the kubelet does next ';

/** Title and end. */
export const OUTLOOK_FRAME = 2;

/** The sentences in a frame of at most `height` rows; long ones go on below as long as there is room for all. */
export function outlookRows(sentences: readonly Outlook[], width: number, height: number): Row[] {
  const room = height - OUTLOOK_FRAME;
  if (sentences.length === 0 || room < 1) return [];
  const wrapped = sentences.map((sentence) => wrappedSentence(sentence, width));
  const fits = wrapped.reduce((sum, rows) => sum + rows.length, 0) <= room;
  const rows = fits ? wrapped.flat() : sentences.map((sentence) => oneRow(sentence));
  const rest = '─'.repeat(Math.max(0, width - TITLE.length - 1));
  return [
    { line: [span('─', 'dim'), span(TITLE, 'info'), span(rest, 'dim')] },
    ...rows.slice(0, room).map((own) => ({ line: own })),
    { line: line('─'.repeat(width), 'dim') },
  ];
}

function oneRow({ about, text, tone }: Outlook): Line {
  return [span(` ${about}: `, 'strong'), span(text, tone)];
}

function wrappedSentence({ about, text, tone }: Outlook, width: number): Line[] {
  const head = ` ${about}: `;
  const [first = '', ...others] = wrapText(`${head}${text}`, width - 1);
  const indent = '   ';
  const more = wrapText(others.join(' '), width - indent.length - 1);
  return [
    [span(head, 'strong'), span(first.slice(head.length), tone)],
    ...(others.length === 0 ? [] : more.map((row): Line => [span(indent), span(row, tone)])),
  ];
}
