import { type Container, containerNamed, omitUndefined, type Pod } from '../../api/index.js';
import { attemptOutcome, type ProbeOutcome } from '../../kubelet/ports.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { type KubeletConfig, kubeletConfig } from '../../kubelet/release.js';
import type { ProbeType } from '../../trace/event.js';
import { answerTime } from '../../trace/summary/fold-probe.js';
import type { LineOf, TraceLine } from '../../trace/trace-line.js';
import { endpointOf } from '../endpoint.js';

export function observe(lines: readonly TraceLine[]): readonly ObservedPod[] {
  const pods = new Map<string, OpenPod>();
  for (const line of lines) {
    if (!('pod' in line)) continue;
    const known = pods.get(line.pod);
    if (known !== undefined) addLine(known, line);
    else if (line.kind === 'pod') {
      const { pod: key, object } = line;
      const addedAt = milliseconds(line.t);
      const found = { actions: [], containers: new Map(), attempts: new Map() };
      pods.set(key, { key, object, addedAt, ...found, current: object, freeAt: addedAt });
    }
  }
  return [...pods.values()];
}

type PodLine = Extract<TraceLine, { readonly pod: string }>;
type ContainerLine = Extract<PodLine, { readonly container: string }>;

interface OpenPod extends ObservedPod {
  readonly actions: ObservedAction[];
  readonly containers: Map<string, OpenRun[]>;
  /** Start of the current attempt, by container and probe. */
  readonly attempts: Map<string, { readonly at: number; readonly run: OpenRun }>;
  kubelet?: KubeletConfig;
  /** The pod after the actions so far. */
  current: Pod;
  /** Time at which the kubelet was free to start the next container. */
  freeAt: number;
}

interface OpenRun extends ObservedRun {
  readonly answers: Map<string, Observation[]>;
  end?: ObservedEnd;
  stoppedAt?: number;
}

function addLine(pod: OpenPod, line: PodLine): void {
  const at = milliseconds(line.t) - pod.addedAt;
  if (line.kind === 'pod') {
    pod.current = line.object;
    pod.actions.push({ at, do: 'update', object: line.object });
  } else if (line.kind === 'action') {
    if (line.do === 'delete') pod.actions.push({ at, do: 'delete' });
  } else if (line.kind === 'kubelet') pod.kubelet = kubeletConfig(line);
  else if (line.kind === 'actions') pod.freeAt = milliseconds(line.t);
  else if (line.kind !== 'divergence' && 'container' in line) addContainerLine(pod, line);
}

function addContainerLine(pod: OpenPod, line: ContainerLine): void {
  const container = containerNamed(pod.current.spec, line.container);
  if (container === undefined) return;
  const runs = pod.containers.get(line.container) ?? [];
  pod.containers.set(line.container, runs);
  const at = milliseconds(line.t);
  const run = runs.at(-1);
  switch (line.kind) {
    case 'started':
    case 'startFailed': {
      const startError = line.kind === 'startFailed' ? line.error : undefined;
      const begun = { run: line.run, startedAt: at, startTakes: at - pod.freeAt };
      runs.push({ ...begun, answers: new Map(), ...omitUndefined({ startError }) });
      break;
    }
    case 'stop':
      if (run !== undefined) run.stoppedAt = at;
      break;
    case 'exited':
      if (run !== undefined) run.end = endOf(run, at, line);
      break;
    case 'attempt':
      pod.attempts.delete(`${line.container} ${line.probe}`);
      // An attempt on a container that has ended shows nothing about it.
      if (run !== undefined && run.end === undefined) {
        pod.attempts.set(`${line.container} ${line.probe}`, { at, run });
      }
      break;
    case 'attemptDone':
      addAnswer(pod, line, container);
      break;
    case 'trial':
      if (run !== undefined) addTrial(run, line, container);
      break;
    default:
  }
  if (FREEING.has(line.kind)) pod.freeAt = at;
}

/** Events after which the kubelet starts the next container. */
const FREEING: ReadonlySet<TraceLine['kind']> = new Set(['started', 'startFailed', 'hookDone']);

function addAnswer({ attempts }: OpenPod, line: LineOf<'attemptDone'>, container: Container): void {
  const begun = attempts.get(`${line.container} ${line.probe}`);
  const probe = probeOf(container, line.probe);
  const endpoint = probe && endpointOf(probe, container);
  if (begun === undefined || probe === undefined || endpoint === undefined) return;
  // An attempt that was under way when the run was stopped fails with it.
  if (line.result === 'failure' && begun.at <= (begun.run.stoppedAt ?? -Infinity)) return;
  const latency = answerTime(line) / line.tries;
  const timeout = probe.timeoutSeconds * 1000;
  const answers = begun.run.answers.get(endpoint) ?? [];
  insert(answers, {
    probe: line.probe,
    age: begun.at - begun.run.startedAt,
    latency,
    outcome: attemptOutcome(line),
    ...((line.result === 'failure' || line.reason === 'timeout') &&
      line.latency / line.tries >= timeout && { timedOutAfter: timeout }),
  });
  begun.run.answers.set(endpoint, answers);
}

/** Notes how long the answer to a trial with a longer timeout took, beside the latest attempt that had timed out. */
function addTrial({ answers }: OpenRun, line: LineOf<'trial'>, container: Container): void {
  const probe = probeOf(container, line.probe);
  const list = answers.get((probe && endpointOf(probe, container)) ?? '');
  const last = list?.at(-1);
  if (line.field !== `${line.probe}Probe.timeoutSeconds` || line.result === 'failure') return;
  if (last?.timedOutAfter !== undefined) list?.splice(-1, 1, { ...last, triedFor: line.latency });
}

/** Inserts in the order of age: answers come nearly in the order of their attempts. */
function insert(answers: Observation[], answer: Observation): void {
  let place = answers.length;
  while ((answers[place - 1]?.age ?? -Infinity) > answer.age) place--;
  answers.splice(place, 0, answer);
}

function endOf({ startedAt, stoppedAt }: OpenRun, at: number, line: LineOf<'exited'>): ObservedEnd {
  const { exitCode, simulated } = line;
  return stoppedAt === undefined
    ? { kind: 'itself', age: at - startedAt, exitCode }
    : {
        kind: 'stopped',
        age: stoppedAt - startedAt,
        exitCode,
        took: at - stoppedAt,
        ...omitUndefined({ simulated }),
      };
}

/** Returns the runs of processes: one that outlived simulated restarts has the answers of all its runs. */
export function runsOfProcesses(runs: readonly ObservedRun[]): readonly ObservedRun[] {
  const found: ObservedRun[] = [];
  for (const run of runs) {
    const before = found.at(-1);
    const livesOn = before?.end?.kind === 'stopped' && before.end.simulated === true;
    if (livesOn && run.startError === undefined) found.splice(-1, 1, joined(before, run));
    else found.push(run);
  }
  return found;
}

function joined({ end: _, stoppedAt: __, ...before }: ObservedRun, later: ObservedRun) {
  const { startedAt, stoppedAt, end, answers } = later;
  const shift = startedAt - before.startedAt;
  const endpoints = new Set([...before.answers.keys(), ...answers.keys()]);
  const all = [...endpoints].map((endpoint) => {
    const next =
      answers.get(endpoint)?.map((answer) => ({ ...answer, age: answer.age + shift })) ?? [];
    return [endpoint, [...(before.answers.get(endpoint) ?? []), ...next]] as const;
  });
  return {
    ...before,
    answers: new Map(all),
    ...omitUndefined({ stoppedAt }),
    ...(end && { end: { ...end, age: end.age + shift } }),
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/*
 * The recorded behavior of containers: when they were probed and what they answered. All times are in milliseconds; ages
 * count from a run's start.
 */

export interface ObservedPod {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: Pod;
  /** Time since the trace began. */
  readonly addedAt: number;
  /** The pod's kubelet, where that is not the default one. */
  readonly kubelet?: KubeletConfig;
  readonly actions: readonly ObservedAction[];
  readonly containers: ReadonlyMap<string, readonly ObservedRun[]>;
}

type ObservedAction =
  | { readonly at: number; readonly do: 'delete' }
  | { readonly at: number; readonly do: 'update'; readonly object: Pod };

/** Times are in milliseconds. */
export interface ObservedRun {
  readonly run: number;
  /** Time since the trace began. */
  readonly startedAt: number;
  /** Time from the decision to start the container to its start. */
  readonly startTakes: number;
  readonly startError?: string;
  /** Time since the trace began. */
  readonly stoppedAt?: number;
  readonly end?: ObservedEnd;
  /** Answers by endpoint, in the order of age. */
  readonly answers: ReadonlyMap<string, readonly Observation[]>;
}

type ObservedEnd =
  | { readonly kind: 'itself'; readonly age: number; readonly exitCode: number }
  /** The run was stopped, so its further behavior is unknown. */
  | {
      readonly kind: 'stopped';
      readonly age: number;
      readonly exitCode: number;
      readonly took: number;
      /** True when the container's process lived on. */
      readonly simulated?: true;
    };

/** An answer; `age` is that of the run when the attempt began. Times are in milliseconds. */
export interface Observation {
  readonly probe: ProbeType;
  readonly age: number;
  readonly latency: number;
  readonly outcome: ProbeOutcome;
  /** The timeout that the attempt ran into: when an answer would have come is unknown. */
  readonly timedOutAfter?: number;
  /** The time in which a trial with a longer timeout was answered soon after. */
  readonly triedFor?: number;
  /** When it may have come: drawn from the tail of the latencies, as late as that of a trial, or at the end of an outage. */
  readonly estimate?: {
    readonly basis: 'tail' | 'trial' | 'outage';
    readonly takes: number;
    readonly outcome: ProbeOutcome;
  };
  /** The answer of a later attempt or of another run. */
  readonly continued?: true;
}

export function isSuccess({ outcome }: Pick<Observation, 'outcome'>): boolean {
  return outcome.result === 'success' || outcome.result === 'warning';
}
