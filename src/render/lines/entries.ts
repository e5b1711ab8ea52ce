import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { handlerText, settingsText } from '../probe-text.js';
import { formatSeconds } from '../text/duration.js';
import { divergenceText } from '../view-text.js';

export interface Entry {
  /** Empty for the pod. */
  readonly container: string;
  /** `Normal` and `Warning` are events in the kubelet's words; the others are kprobe's. */
  readonly type: string;
  readonly reason: string;
  readonly text: string;
}

export type LineOf<K extends TraceLine['kind']> = Extract<TraceLine, { kind: K }>;

type PlainLine = LineOf<
  | 'gone'
  | 'action'
  | 'event'
  | 'startFailed'
  | 'stop'
  | 'exited'
  | 'hook'
  | 'hookDone'
  | 'output'
  | 'runtime'
  | 'note'
  | 'divergence'
  | 'workload'
>;

export function entryOf(line: PlainLine): Entry {
  const { container = '' } = 'container' in line ? line : {};
  const entry = (type: string, reason: string, text: string) => ({ container, type, reason, text });
  switch (line.kind) {
    case 'action':
      return entry('Pod', line.do, `the pod's ${line.do} was requested`);
    case 'event':
      // As `kubectl describe` lists it.
      return {
        ...entry(line.type, line.reason, line.message),
        container: /\{(.*)\}$/.exec(line.fieldPath ?? '')?.[1] ?? '',
      };
    case 'startFailed':
      return entry('Run', 'NotStarted', line.error);
    case 'stop':
      return entry('Run', 'Stopping', `TERM, ${line.gracePeriod} s grace period`);
    case 'exited': {
      const reason = line.reason === undefined ? '' : `, ${line.reason}`;
      return entry('Run', 'Ended', `exit code ${line.exitCode}${reason}`);
    }
    case 'hook':
      return entry('Hook', line.hook, 'started');
    case 'hookDone':
      return entry('Hook', line.hook, line.error ?? 'done');
    case 'output':
      return entry('Output', line.stream, line.text);
    case 'note':
      return entry('Note', line.level, line.text);
    default:
      return clusterEntryOf(line, container);
  }
}

function clusterEntryOf(
  line: LineOf<'gone' | 'divergence' | 'workload' | 'runtime'>,
  container: string,
): Entry {
  const entry = (type: string, reason: string, text: string) => ({ container, type, reason, text });
  switch (line.kind) {
    case 'gone':
      return entry('Pod', 'gone', 'the pod is no longer in the cluster');
    case 'divergence':
      return entry('Kubelet', 'Diverged', divergenceText(line));
    case 'workload': {
      const state = line.done ? 'Done' : line.failed ? 'Failed' : 'Waiting';
      return entry('Rollout', state, line.sentence);
    }
    case 'runtime': {
      const { up, error = '', server } = line;
      if (server !== undefined) {
        return up
          ? entry('Cluster', 'Up', `${server} is back`)
          : entry('Cluster', 'Down', `${error}; trying again`);
      }
      return up
        ? entry('Runtime', 'Up', 'the runtime is back')
        : entry('Runtime', 'Down', `the runtime cannot be reached: ${error}`);
    }
  }
}

/** `success, 1 of 1, 12 ms` */
export function attemptEntry(line: LineOf<'attemptDone'>): Entry {
  const { container, probe, error, result } = line;
  const text = `${error === undefined ? result : 'error'}, ${attemptMeaning(line)}`;
  return { container, type: 'Probe', reason: probe, text };
}

const EFFECTS = {
  readiness: ['ready', 'not ready'],
  startup: ['started', 'restart'],
  liveness: ['alive', 'restart'],
} as const;

export function attemptMeaning(line: LineOf<'attemptDone'>): string {
  const { probe, set, resultRun, threshold, error, tries, latency, evidence } = line;
  const took = evidence ?? formatSeconds(latency / 1000);
  if (error !== undefined) return `not counted after ${tries} tries, ${took}`;
  const effect = set === undefined ? '' : ` → ${EFFECTS[probe][set === 'success' ? 0 : 1]}`;
  return `${Math.min(resultRun, threshold)} of ${threshold}${effect}, ${took}`;
}

/** A new pod: one line per probe, or per container without probes. */
export function podEntries({ containers }: PodSummary): Entry[] {
  return containers.flatMap(({ name: container, role, probes, spec }): Entry[] => {
    if (probes.length === 0) {
      const text = role === 'init' ? 'runs once, before the others' : 'no probes';
      return [{ container, type: 'Pod', reason: role, text }];
    }
    return probes.map(({ type }) => {
      const probe = probeOf(spec, type);
      const delay = probe?.initialDelaySeconds ?? 0;
      const text = probe === undefined ? '' : `${handlerText(probe, spec)}, ${settingsText(probe)}`;
      const after = delay > 0 ? `, after ${delay} s` : '';
      return { container, type: 'Pod', reason: type, text: `${text}${after}` };
    });
  });
}

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
  const startedText = role === 'init' ? '' : `${started ? '' : 'not '}started, `;
  const restarts = restartCount > 0 ? `, restarts ${restartCount}` : '';
  return `${state.text}, ${startedText}${ready ? '' : 'not '}ready${restarts}`;
}
