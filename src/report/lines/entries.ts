import { probeOf } from '../../kubelet/prober/probe-of.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import { conditionText } from '../../trace/summary/condition-view.js';
import { type ContainerView, stopSignal } from '../../trace/summary/container-view.js';
import { eventContainer } from '../../trace/summary/fold-event.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { LineOf, TraceLine } from '../../trace/trace-line.js';
import { handlerText, settingsText } from '../probe-text.js';
import { divergenceText, effectText } from '../view-text.js';

export interface Entry {
  /** Empty where the entry is about the pod. */
  readonly container: string;
  /** `Normal` and `Warning` are events in the kubelet's words; the others are kprobe's. */
  readonly type: string;
  readonly reason: string;
  readonly text: string;
  /** Shared by repeats of an entry whose texts differ; the text when absent. */
  readonly key?: string;
}

/** An entry in the order of its trace; `t` is in seconds. */
export interface ListedEntry {
  readonly t: number;
  /** `web`, `web/app`; empty where the entry is about the run. */
  readonly object: string;
  readonly entry: Entry;
  /** Width of the column of objects so far. */
  readonly objectWidth: number;
}

type Words = readonly [type: string, reason: string, text: string];

const HOOK_TEXTS = { postStart: 'started: no probe runs until it ends', preStop: 'started' };

type PlainWords<Kind extends TraceLine['kind']> = (line: LineOf<Kind>, pod?: PodSummary) => Words;

/** Lines whose text needs at most the pod. */
const PLAIN: { readonly [Kind in TraceLine['kind']]?: PlainWords<Kind> } = {
  gone: () => ['Pod', 'gone', 'the pod is no longer in the cluster'],
  action: (line) => ['Pod', line.do, `the pod's ${line.do} was requested`],
  event: ({ type, reason, message }) => [type, reason, message],
  startFailed: ({ error }) => ['Run', 'NotStarted', error],
  stop({ gracePeriod, container }, pod) {
    const signal = stopSignal(pod?.containers.find(({ name }) => name === container));
    return ['Run', 'Stopping', `${signal}, ${gracePeriod} s grace period`];
  },
  exited: ({ exitCode, reason }) => [
    'Run',
    'Ended',
    `exit code ${exitCode}${reason === undefined ? '' : `, ${reason}`}`,
  ],
  hook: ({ hook }) => ['Hook', hook, HOOK_TEXTS[hook]],
  hookDone: ({ hook, error = 'done' }) => ['Hook', hook, error],
  output: ({ stream, text }) => ['Output', stream, text],
  note: ({ level, text }) => ['Note', level, text],
  divergence: (line) =>
    line.over
      ? ['Kubelet', 'Back', `${line.expected}: they are back`]
      : ['Kubelet', 'Diverged', divergenceText(line)],
  workload: ({ done, failed, sentence }) => [
    'Rollout',
    done ? 'Done' : failed ? 'Failed' : 'Waiting',
    sentence,
  ],
  runtime({ up, error = '', server }) {
    const [type, name] = server === undefined ? ['Runtime', 'the runtime'] : ['Cluster', server];
    if (up) return [type, 'Up', `${name} is back`];
    const down =
      server === undefined ? `the runtime cannot be reached: ${error}` : `${error}; trying again`;
    return [type, 'Down', down];
  },
};

/** Returns the entry of a line whose text needs at most its pod; nothing for other lines. */
export function plainEntries(line: TraceLine, pod?: PodSummary): Entry[] {
  const words = PLAIN[line.kind] as ((line: TraceLine, pod?: PodSummary) => Words) | undefined;
  if (words === undefined) return [];
  const [type, reason, text] = words(line, pod);
  // Events name their container in fieldPath, as in `kubectl describe`.
  const named = line.kind === 'event' ? eventContainer(line) : undefined;
  const { container = named ?? '' } = 'container' in line ? line : {};
  return [{ container, type, reason, text }];
}

/** `success, 1 of 1, 12 ms` */
export function attemptEntry(line: LineOf<'attemptDone'>): Entry {
  const { container, probe, error, result } = line;
  const text = `${error === undefined ? result : 'error'}, ${attemptMeaning(line)}`;
  return { container, type: 'Probe', reason: probe, text };
}

export function attemptMeaning(line: LineOf<'attemptDone'>): string {
  const { probe, set, resultRun, threshold, error, tries, latency, evidence } = line;
  const took = evidence ?? formatSeconds(latency / 1000);
  if (error !== undefined) return `not counted after ${counted(tries, 'try', 'tries')}, ${took}`;
  return `${Math.min(resultRun, threshold)} of ${threshold}${effectText(probe, set)}, ${took}`;
}

/** Returns a line per probe of a new pod, or per container without probes. */
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

/** DisruptionTarget says why a cluster ends a pod: an eviction, a taint, a pod of higher priority. */
const SHOWN_CONDITIONS = ['Ready', 'DisruptionTarget'] as const;

export function statusEntries(before: PodSummary | undefined, after: PodSummary): Entry[] {
  const entries: Entry[] = [];
  const add = (container: string, reason: string, text: string, key = text): void => {
    entries.push({ container, type: 'Status', reason, text, key });
  };
  if (before?.phase !== after.phase) {
    add('', 'Phase', `${after.phase}${after.reason === '' ? '' : ` (${after.reason})`}`);
  }
  for (const container of after.containers) {
    const old = before?.containers.find(({ name }) => name === container.name);
    const text = stateText(container);
    if (text !== stateText(old)) add(container.name, 'State', text, stateText(container, 0));
  }
  for (const type of SHOWN_CONDITIONS) {
    const [old, now] = [before, after].map((pod) => pod?.conditions[type]);
    const text = now && conditionText(now);
    if (text !== undefined && (old && conditionText(old)) !== text) add('', type, text);
  }
  return entries;
}

/** Describes the latest status, which may come later than the start of a run. */
function stateText(container: ContainerView | undefined, maxRestarts = Infinity): string {
  const latest = container?.states.at(-1);
  if (latest === undefined || latest.state.kind === 'unknown') return '';
  const { state, ready, started, restartCount } = latest;
  const startedText = container?.role === 'init' ? '' : `${started ? '' : 'not '}started, `;
  const restarts = Math.min(maxRestarts, restartCount);
  return `${state.text}, ${startedText}${ready ? '' : 'not '}ready${restarts > 0 ? `, restarts ${restarts}` : ''}`;
}
