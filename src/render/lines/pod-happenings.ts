import type { Probe } from '../../api/index.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { handlerText } from '../handler-text.js';
import type { Happening } from './line-text.js';

/** What a pod is: a line a container, or one for each of its probes. */
export function podHappenings({ containers }: PodSummary): Happening[] {
  return containers.flatMap((container): Happening[] => {
    const { name, role, probes } = container;
    if (probes.length === 0) {
      const text = role === 'init' ? 'runs once, before the others' : 'no probes';
      return [{ container: name, type: 'Pod', reason: role, text }];
    }
    return probes.flatMap(({ type }) => {
      const probe = container.spec[`${type}Probe`];
      if (probe === undefined) return [];
      return [{ container: name, type: 'Pod', reason: type, text: probeText(probe, container) }];
    });
  });
}

function probeText(probe: Probe, { spec }: ContainerView): string {
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = probe;
  const settings = [
    `every ${periodSeconds} s`,
    `timeout ${timeoutSeconds} s`,
    `${failureThreshold} to fail`,
    ...(initialDelaySeconds > 0 ? [`after ${initialDelaySeconds} s`] : []),
  ];
  return `${handlerText(probe, spec)}, ${settings.join(', ')}`;
}
