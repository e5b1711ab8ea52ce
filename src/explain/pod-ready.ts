import type { Container, Pod } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { holdsBack } from './first-start.js';
import type { Moment } from './moment.js';
import type { Span } from './probe-times.js';
import { lastOf, plus } from './spans.js';
import { readyTimes } from './start-times.js';

/** When a pod is ready whose containers answer from the first: all of them are, sidecars included. */
export function podReady({ spec }: Pod): Moment {
  const { initContainers = [], containers, readinessGates = [] } = spec;
  let start: Span = { from: 0, to: 0 };
  const ready: Span[] = [];
  for (const init of initContainers) {
    if (isRestartableInitContainer(init)) ready.push(plus(start, readyTimes(init)));
    start = plus(start, holdsBack(init));
  }
  ready.push(...containers.map((container) => plus(start, readyTimes(container))));
  const gates = readinessGates.map(({ conditionType }) => conditionType).join(', ');
  const gated = gates === '' ? '' : ` Its readiness gates (${gates}) have to be True besides.`;
  return {
    topic: 'ready',
    span: lastOf(ready),
    since: 'the start of its first container',
    why: `All ${initContainers.some(isRestartableInitContainer) ? 'containers and sidecars' : 'containers'} are ready then, if they answer from the first.${notCounted(spec)}${gated}`,
    fields: [],
  };
}

function notCounted({ initContainers = [], containers }: Pod['spec']): string {
  const takes = [
    ...(initContainers.every(isRestartableInitContainer) ? [] : ['init containers']),
    ...([...initContainers, ...containers].some(({ lifecycle }) => lifecycle?.postStart)
      ? ['postStart hooks']
      : []),
  ];
  if (takes.length === 0) return '';
  const once = overlaps(initContainers) ? ', but once where sidecars get ready meanwhile' : '';
  return ` What ${takes.join(' and ')} take is to be added${once}.`;
}

/** Whether an init container runs while a sidecar before it may yet have to get ready. */
function overlaps(initContainers: readonly Container[]): boolean {
  const sidecar = initContainers.findIndex(isRestartableInitContainer);
  return sidecar !== -1 && !initContainers.slice(sidecar).every(isRestartableInitContainer);
}
