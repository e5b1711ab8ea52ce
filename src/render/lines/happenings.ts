import type { Probe } from '../../api/index.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { handlerText } from '../probe-text.js';
import { formatSeconds } from '../text/duration.js';

/** A happening: what it is about, what kind of thing it is, and what it says. */
export interface Happening {
  /** The container, or empty for the pod. */
  readonly container: string;
  /** `Normal` and `Warning` are events in the kubelet's words; the others are kprobe's. */
  readonly type: string;
  readonly reason: string;
  readonly text: string;
}

type ContainerLine = Extract<
  TraceLine,
  { kind: 'startFailed' | 'stop' | 'exited' | 'hook' | 'hookDone' | 'output' }
>;

/** What happened to a container by itself or by the kubelet's doing. */
export function containerHappening(line: ContainerLine): Happening {
  const about = (type: string, reason: string, text: string): Happening => ({
    container: line.container,
    type,
    reason,
    text,
  });
  switch (line.kind) {
    case 'startFailed':
      return about('Run', 'NotStarted', line.error);
    case 'stop':
      return about('Run', 'Stopping', `TERM, ${line.gracePeriod} s grace period`);
    case 'exited':
      return about('Run', 'Ended', endText(line));
    case 'hook':
      return about('Hook', line.hook, 'begun');
    case 'hookDone':
      return about('Hook', line.hook, line.error ?? 'done');
    case 'output':
      return about('Output', line.stream, line.text);
  }
}

function endText({ exitCode, reason }: Extract<TraceLine, { kind: 'exited' }>): string {
  return reason === undefined ? `exit code ${exitCode}` : `exit code ${exitCode}, ${reason}`;
}

type AttemptDone = Extract<TraceLine, { kind: 'attemptDone' }>;

/** An attempt, with what it means: `success 1 of 1, 12 ms`. */
export function attemptHappening(line: AttemptDone): Happening {
  const result = line.error === undefined ? line.result : 'error';
  return {
    container: line.container,
    type: 'Probe',
    reason: line.probe,
    text: `${result}, ${attemptMeaning(line)}`,
  };
}

/** Where an attempt stands against its threshold, and how long it took. */
export function attemptMeaning(line: AttemptDone): string {
  const took = formatSeconds(line.latency / 1000);
  if (line.error !== undefined) return `thrown away after ${line.tries} tries, ${took}`;
  const run = `${Math.min(line.resultRun, line.threshold)} of ${line.threshold}`;
  const set = line.set === undefined ? '' : ` → ${effect(line)}`;
  return `${run}${set}, ${took}`;
}

function effect({ probe, set }: AttemptDone): string {
  switch (probe) {
    case 'readiness':
      return set === 'success' ? 'ready' : 'not ready';
    case 'startup':
      return set === 'success' ? 'started' : 'restart';
    case 'liveness':
      return set === 'success' ? 'alive' : 'restart';
  }
}

/** What the kubelet says, as `kubectl describe` lists it. */
export function eventHappening(line: Extract<TraceLine, { kind: 'event' }>): Happening {
  const container = /\{(.*)\}$/.exec(line.fieldPath ?? '')?.[1] ?? '';
  return { container, type: line.type, reason: line.reason, text: line.message };
}

/** What concerns no pod in particular. */
export function overallHappening(
  line: Extract<TraceLine, { kind: 'runtime' | 'note' }>,
): Happening {
  if (line.kind === 'note') {
    return { container: '', type: 'Note', reason: line.level, text: line.text };
  }
  const about = { container: '', type: 'Runtime' };
  if (line.up) return { ...about, reason: 'Up', text: 'the runtime is back' };
  const text = `the runtime cannot be reached: ${line.error ?? ''}`;
  return { ...about, reason: 'Down', text };
}

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
  if (container === undefined || container.state.kind === 'unknown') return '';
  const { state, ready, started, restartCount, role } = container;
  const flags = [
    ...(role === 'init' ? [] : [started ? 'started' : 'not started']),
    ready ? 'ready' : 'not ready',
    ...(restartCount > 0 ? [`restarts ${restartCount}`] : []),
  ];
  return `${state.text}, ${flags.join(', ')}`;
}
