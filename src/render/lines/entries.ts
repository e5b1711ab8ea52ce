import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { handlerText } from '../probe-text.js';
import { formatSeconds } from '../text/duration.js';

/** The columns of an event's line. */
export interface Entry {
  /** Empty for the pod. */
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

export function containerEntry(line: ContainerLine): Entry {
  const { container } = line;
  switch (line.kind) {
    case 'startFailed':
      return { container, type: 'Run', reason: 'NotStarted', text: line.error };
    case 'stop': {
      const text = `TERM, ${line.gracePeriod} s grace period`;
      return { container, type: 'Run', reason: 'Stopping', text };
    }
    case 'exited': {
      const reason = line.reason === undefined ? '' : `, ${line.reason}`;
      return {
        container,
        type: 'Run',
        reason: 'Ended',
        text: `exit code ${line.exitCode}${reason}`,
      };
    }
    case 'hook':
      return { container, type: 'Hook', reason: line.hook, text: 'started' };
    case 'hookDone':
      return { container, type: 'Hook', reason: line.hook, text: line.error ?? 'done' };
    case 'output':
      return { container, type: 'Output', reason: line.stream, text: line.text };
  }
}

type AttemptDone = Extract<TraceLine, { kind: 'attemptDone' }>;

/** `success, 1 of 1, 12 ms` */
export function attemptEntry(line: AttemptDone): Entry {
  const { container, probe, error, result } = line;
  const text = `${error === undefined ? result : 'error'}, ${attemptMeaning(line)}`;
  return { container, type: 'Probe', reason: probe, text };
}

/** An attempt's progress toward its threshold, and its latency. */
export function attemptMeaning(line: AttemptDone): string {
  const took = formatSeconds(line.latency / 1000);
  if (line.error !== undefined) return `not counted after ${line.tries} tries, ${took}`;
  const run = `${Math.min(line.resultRun, line.threshold)} of ${line.threshold}`;
  const effect = line.set === undefined ? '' : ` → ${effectText(line)}`;
  return `${run}${effect}, ${took}`;
}

function effectText({ probe, set }: AttemptDone): string {
  const [success, failure] = {
    readiness: ['ready', 'not ready'],
    startup: ['started', 'restart'],
    liveness: ['alive', 'restart'],
  }[probe] as [string, string];
  return set === 'success' ? success : failure;
}

/** As `kubectl describe` lists it. */
export function eventEntry(line: Extract<TraceLine, { kind: 'event' }>): Entry {
  const container = /\{(.*)\}$/.exec(line.fieldPath ?? '')?.[1] ?? '';
  return { container, type: line.type, reason: line.reason, text: line.message };
}

/** Concerns no pod in particular. */
export function overallEntry(line: Extract<TraceLine, { kind: 'runtime' | 'note' }>): Entry {
  const container = '';
  if (line.kind === 'note') return { container, type: 'Note', reason: line.level, text: line.text };
  const text = line.up
    ? 'the runtime is back'
    : `the runtime cannot be reached: ${line.error ?? ''}`;
  return { container, type: 'Runtime', reason: line.up ? 'Up' : 'Down', text };
}

/** A new pod: one line per probe, or per container without probes. */
export function podEntries({ containers }: PodSummary): Entry[] {
  return containers.flatMap((one): Entry[] => {
    const { name, role, probes } = one;
    if (probes.length === 0) {
      const text = role === 'init' ? 'runs once, before the others' : 'no probes';
      return [{ container: name, type: 'Pod', reason: role, text }];
    }
    return probes.map(({ type }) => ({
      container: name,
      type: 'Pod',
      reason: type,
      text: probeText(one, type),
    }));
  });
}

function probeText({ spec }: ContainerView, type: 'startup' | 'readiness' | 'liveness'): string {
  const probe = spec[`${type}Probe`];
  if (probe === undefined) return '';
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = probe;
  const delay = initialDelaySeconds > 0 ? `, after ${initialDelaySeconds} s` : '';
  return `${handlerText(probe, spec)}, every ${periodSeconds} s, timeout ${timeoutSeconds} s, ${failureThreshold} to fail${delay}`;
}

/** The changes of a new version of the status, each on its own line. */
export function statusEntries(before: PodSummary | undefined, after: PodSummary): Entry[] {
  const entries: Entry[] = [];
  const add = (container: string, reason: string, text: string): void => {
    entries.push({ container, type: 'Status', reason, text });
  };
  if (before?.phase !== after.phase) {
    add('', 'Phase', `${after.phase}${after.reason === '' ? '' : ` (${after.reason})`}`);
  }
  for (const container of after.containers) {
    const old = before?.containers.find(({ name }) => name === container.name);
    const text = stateText(container);
    if (text !== stateText(old)) add(container.name, 'State', text);
  }
  const ready = after.conditions['Ready'];
  if (ready !== undefined && before?.conditions['Ready'] !== ready) add('', 'Ready', ready);
  return entries;
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
