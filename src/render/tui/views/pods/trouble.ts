import { forecastContainer } from '../../../../trace/forecast/container-forecast.js';
import { forecastProbe } from '../../../../trace/forecast/probe-forecast.js';
import type { ContainerView } from '../../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../../trace/summary/summary.js';
import type { Tone } from '../../../text/line.js';

/** How bad things are with a pod, and why, in a few words. The worst have the lowest rank. */
export interface Trouble {
  readonly rank: number;
  readonly text: string;
  readonly tone: Tone;
}

const FINE: Trouble = { rank: 90, text: 'ready', tone: 'good' };

export function troubleOf(pod: PodSummary): Trouble {
  if (pod.phase === 'Failed') return { rank: 0, text: pod.reason || 'failed', tone: 'bad' };
  if (pod.phase === 'Succeeded') return { rank: 95, text: 'completed', tone: 'dim' };
  const worst = pod.containers
    .flatMap((container) => containerTrouble(pod, container))
    .sort((a, b) => a.rank - b.rank)[0];
  if (worst !== undefined) return worst;
  if (pod.conditions['Ready'] === 'True') return FINE;
  return { rank: 60, text: 'starting', tone: 'warn' };
}

function containerTrouble(pod: PodSummary, container: ContainerView): Trouble[] {
  const { name, ready, restartCount } = container;
  const forecast = forecastContainer(pod, container);
  const found: Trouble[] = [];
  switch (forecast.kind) {
    case 'backOff':
      found.push({ rank: 10, text: `${name}: CrashLoopBackOff`, tone: 'bad' });
      break;
    case 'stopping':
    case 'preStop':
      found.push({ rank: 15, text: `${name}: is being killed`, tone: 'bad' });
      break;
    case 'ended':
      found.push({ rank: 20, text: `${name}: has ended`, tone: 'bad' });
      break;
    default:
      break;
  }
  for (const probe of container.probes) {
    const failing = forecastProbe(container, probe, 0).turns.some(
      ({ to, needed, threshold }) => to === 'failure' && needed < threshold,
    );
    if (failing) {
      const rank = probe.type === 'readiness' ? 40 : 30;
      found.push({ rank, text: `${name}: ${probe.type} fails`, tone: 'bad' });
    }
    if (probe.type === 'readiness' && probe.failures > 0 && !ready) {
      found.push({ rank: 45, text: `${name}: not ready`, tone: 'bad' });
    }
  }
  if (restartCount > 0 && ready) {
    found.push({ rank: 70, text: `${name}: restarted ${restartCount} times`, tone: 'warn' });
  }
  return found;
}
