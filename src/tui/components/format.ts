import { podCells } from '../../report/pod-cells.js';
import { EFFECTS, effectText } from '../../report/view-text.js';
import { type Line, line, type Tone } from '../../text/line.js';
import type { ProbeType } from '../../trace/event.js';
import type { PendingResult, ProbeForecast } from '../../trace/forecast.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';

/** Bars of rising height. */
export const LEVELS = '▁▂▃▄▅▆▇█';
const MAX_BAR = 5;

/** Returns a probe's progress toward its threshold, `██▁ 2/3 → restart`, or its state: `ready`, `after startup`. */
export function runLine(
  probe: ProbeView,
  forecast: ProbeForecast,
  isRunning: boolean,
  width = Infinity,
): Line {
  const { current, pending, nextAttempt } = forecast;
  if (probe.state === 'awaitingStartup' && nextAttempt === undefined) {
    return line(isRunning ? 'after startup' : 'not running', 'dim');
  }
  const begun = pending.find(({ needed, threshold }) => needed < threshold);
  // The next run begins without the failures of an ended one.
  if (begun !== undefined && isRunning) return progressLine(probe.type, begun, width);
  const idle = idleText(probe, nextAttempt);
  if (idle !== undefined) return line(idle, 'dim');
  if (current === 'unknown') return line('not started', 'warn');
  // The kubelet's next tick forgets the success of a container that has ended.
  if (current === 'success' && !isRunning) return line('not running', 'dim');
  return line(EFFECTS[probe.type][current], current === 'success' ? 'good' : 'bad');
}

function progressLine(
  type: ProbeType,
  { to, needed, threshold }: PendingResult,
  width: number,
): Line {
  const have = threshold - needed;
  const text = `${have}/${threshold}${effectText(type, to)}`;
  const bar = `${'█'.repeat(have)}${'▁'.repeat(needed)} `;
  const hasBar = threshold <= MAX_BAR && bar.length + text.length <= width;
  const tone = to === 'failure' ? (needed === 1 ? 'bad' : 'warn') : 'good';
  return line(`${hasBar ? bar : ''}${text}`, tone);
}

/** Returns why a probe has no result yet. */
function idleText({ state, set }: ProbeView, nextAttempt: number | undefined): string | undefined {
  if (set !== undefined) return undefined;
  switch (state) {
    case 'initialDelay':
      return 'initial delay';
    case 'noStatus':
    case 'noContainer':
    case 'notRunning':
    case undefined:
      return nextAttempt === undefined ? 'not running' : 'first probe';
    case 'stopped':
      return 'ended';
    default:
      return undefined;
  }
}

/** The STATUS of `kubectl get pods`. */
export function statusLine(pod: PodSummary): Line {
  const { status } = podCells(pod);
  const isInit = /^Init:\d/.test(status);
  return line(status, STATUS_TONES[status] ?? (isInit ? 'warn' : 'bad'));
}

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  Running: 'plain',
  Completed: 'good',
  Succeeded: 'good',
  Pending: 'warn',
  SchedulingGated: 'warn',
  PodInitializing: 'warn',
  ContainerCreating: 'warn',
  NotReady: 'warn',
  Terminating: 'warn',
};
