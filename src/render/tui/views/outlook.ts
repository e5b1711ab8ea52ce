import type { ProbeType, Result } from '../../../kubelet/event.js';
import {
  type ContainerForecast,
  forecastContainer,
  graceOfKill,
  type Restart,
  restartAfterKill,
} from '../../../trace/forecast/container-forecast.js';
import { forecastProbe, type Turn } from '../../../trace/forecast/probe-forecast.js';
import { type ContainerView, currentRun } from '../../../trace/summary/container-view.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { countdown, inTime } from '../../text/duration.js';
import { type Line, line, span, type Tone, wrapText } from '../../text/line.js';
import { inRow } from '../format.js';

interface Outlook {
  /** The most urgent have the lowest. */
  readonly rank: number;
  readonly about: string;
  readonly text: string;
  readonly tone: Tone;
}

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
  if (text === undefined) return [];
  const isCalm = forecast.kind === 'waiting' || forecast.kind === 'running';
  return [{ rank: isCalm ? 40 : 0, about: container.name, text, tone: isCalm ? 'plain' : 'bad' }];
}

function containerSentence(forecast: ContainerForecast, now: number): string | undefined {
  switch (forecast.kind) {
    case 'waiting':
      return forecast.for === undefined ? undefined : `waits for ${forecast.for}`;
    case 'running':
      return forecast.hook === undefined ? undefined : `${forecast.hook} hook is running`;
    case 'preStop':
      return 'preStop hook is running, then TERM';
    case 'stopping':
      return `TERM sent; KILL ${inTime(forecast.killAt - now)} if it still runs, ${restartText(forecast.restart, now)}`;
    case 'ended':
      return `ended, ${restartText(forecast.restart, now)}`;
    case 'backOff':
      return `CrashLoopBackOff of ${countdown(forecast.delay)}; starts again ${inTime(forecast.until - now)}`;
    case 'done':
      return undefined;
  }
}

function restartText(restart: Restart, now: number): string {
  switch (restart.kind) {
    case 'none':
      return 'then not restarted';
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
  const about = `${container.name}/${probe.type}`;
  const forecast = forecastProbe(container, probe, now);
  if (hasErrored(container, probe)) {
    // Errors meet no threshold, however many there are.
    const text = `errors don't count: ${unchangedText(probe.type, forecast.stands)} until an attempt gives a result`;
    return [{ rank: 25, about, text, tone: 'warn' }];
  }
  return forecast.turns.flatMap((turn) => {
    if (turn.earliest === undefined) return [];
    const begun = turn.needed < turn.threshold;
    const effect = turnEffect(pod, container, probe, turn, simulated);
    const text = `${inRow(turn.to, turn.needed, begun)}, earliest ${inTime(turn.earliest - now)} → ${effect}`;
    const tone = turn.to === 'failure' ? (begun ? 'bad' : 'dim') : 'plain';
    return [{ rank: turnRank(probe, turn, begun), about, text, tone }];
  });
}

function hasErrored(container: ContainerView, { attempts }: ProbeView): boolean {
  const last = attempts.at(-1);
  return last?.error !== undefined && last.run === currentRun(container)?.run;
}

function unchangedText(type: ProbeType, stands: Result): string {
  switch (type) {
    case 'startup':
      return stands === 'success' ? 'stays started' : 'neither started nor restarted';
    case 'readiness':
      return stands === 'success' ? 'stays ready' : 'stays unready';
    case 'liveness':
      return 'not restarted';
  }
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
  if (to === 'success') return 30;
  return begun ? (type === 'readiness' ? 20 : 10) + Math.min(9, needed) : 50;
}

const TITLE = ' what the kubelet does next ';

export const OUTLOOK_FRAME = 2;

/** The sentences in a frame of at most `height` rows, wrapped where there is room for all. */
export function outlookRows(sentences: readonly Outlook[], width: number, height: number): Line[] {
  const room = height - OUTLOOK_FRAME;
  if (sentences.length === 0 || room < 1) return [];
  const wrapped = sentences.flatMap((sentence) => wrapSentence(sentence, width));
  const rows =
    wrapped.length <= room
      ? wrapped
      : sentences.map(({ about, text, tone }) => [span(` ${about}: `, 'strong'), span(text, tone)]);
  const rest = '─'.repeat(Math.max(0, width - TITLE.length - 1));
  return [
    [span('─', 'dim'), span(TITLE, 'info'), span(rest, 'dim')],
    ...rows.slice(0, room),
    line('─'.repeat(width), 'dim'),
  ];
}

function wrapSentence({ about, text, tone }: Outlook, width: number): Line[] {
  const head = ` ${about}: `;
  const [first = '', ...others] = wrapText(`${head}${text}`, width - 1);
  const indent = '   ';
  const more = others.length === 0 ? [] : wrapText(others.join(' '), width - indent.length - 1);
  return [
    [span(head, 'strong'), span(first.slice(head.length), tone)],
    ...more.map((row) => [span(indent), span(row, tone)]),
  ];
}
