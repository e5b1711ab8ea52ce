import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { Happening } from './line-text.js';

/** What a new version of the status has changed, each thing on its own. */
export function statusChanges(before: PodSummary | undefined, after: PodSummary): Happening[] {
  const changes: Happening[] = [];
  if (before?.phase !== after.phase) {
    const reason = after.reason === '' ? '' : ` (${after.reason})`;
    changes.push({
      container: '',
      type: 'Status',
      reason: 'Phase',
      text: `${after.phase}${reason}`,
    });
  }
  for (const container of after.containers) {
    const old = before?.containers.find(({ name }) => name === container.name);
    const text = stateText(container);
    if (text === stateText(old)) continue;
    changes.push({ container: container.name, type: 'Status', reason: 'State', text });
  }
  const ready = after.conditions['Ready'];
  if (ready !== undefined && before?.conditions['Ready'] !== ready) {
    changes.push({ container: '', type: 'Status', reason: 'Ready', text: ready });
  }
  return changes;
}

function stateText(container: ContainerView | undefined): string {
  if (container === undefined || container.state === '') return '';
  const { state, ready, started, restartCount, role } = container;
  const flags = [
    ...(role === 'init' ? [] : [started ? 'started' : 'not started']),
    ready ? 'ready' : 'not ready',
    ...(restartCount > 0 ? [`restarts ${restartCount}`] : []),
  ];
  return `${state}, ${flags.join(', ')}`;
}
