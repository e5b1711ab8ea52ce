import type { ProbeType } from '../../../kubelet/event.js';
import type { ProbeForecast, Turn } from '../../../trace/forecast/probe-forecast.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import { type Line, type Span, span } from '../../text/line.js';
import { progressBar } from './spark.js';

/** More than so many steps are told in numbers alone. */
const MAX_BAR = 5;

/** Where a probe stands against its threshold: `██▁ 2/3 → restart`, `ready`, `after startup`. */
export function runLine(probe: ProbeView, forecast: ProbeForecast): Line {
  const { stands, turns } = forecast;
  const waits = probe.state === 'awaitingStartup' && forecast.nextAttempt === undefined;
  if (waits) return [span('after startup', 'dim')];
  const begun = turns.find(({ needed, threshold }) => needed < threshold);
  if (begun !== undefined) return progress(probe.type, begun);
  const resting = restingText(probe, forecast);
  if (resting !== undefined) return [span(resting, 'dim')];
  if (stands !== 'unknown') return [standing(probe.type, stands)];
  return [span('not started', 'warn')];
}

function progress(type: ProbeType, { to, needed, threshold }: Turn): Line {
  const have = threshold - needed;
  const bar = threshold <= MAX_BAR ? `${progressBar(have, threshold)} ` : '';
  const tone = to === 'failure' ? (needed === 1 ? 'bad' : 'warn') : 'good';
  return [span(`${bar}${have}/${threshold} → ${effectWord(type, to)}`, tone)];
}

/** What a result does once its threshold is met. */
export function effectWord(type: ProbeType, to: 'success' | 'failure'): string {
  switch (type) {
    case 'startup':
      return to === 'success' ? 'started' : 'restart';
    case 'readiness':
      return to === 'success' ? 'ready' : 'unready';
    case 'liveness':
      return to === 'success' ? 'alive' : 'restart';
  }
}

function standing(type: ProbeType, stands: 'success' | 'failure'): Span {
  return span(effectWord(type, stands), stands === 'success' ? 'good' : 'bad');
}

/** Why nothing is being tried, where nothing is known yet. */
function restingText(
  { state, set }: ProbeView,
  { nextAttempt }: ProbeForecast,
): string | undefined {
  if (set !== undefined) return undefined;
  switch (state) {
    case 'initialDelay':
      return 'initial delay';
    case 'noStatus':
    case 'noContainer':
    case 'notRunning':
    case undefined:
      return nextAttempt === undefined ? 'not running' : 'first look';
    case 'stopped':
      return 'ended';
    default:
      return undefined;
  }
}
