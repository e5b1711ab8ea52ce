import { forecastContainer } from '../trace/forecast.js';
import { type ContainerView, currentRun } from '../trace/summary/container-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { found, lastLine, outputOf, repeatedLine } from './attempt-context.js';
import { type Advice, advise } from './change.js';
import type { DiagnosisDraft } from './fault.js';
import { waitAdvice } from './surroundings.js';

interface Context {
  readonly pod: PodSummary;
  readonly container: ContainerView;
  readonly now: number;
}

/** Returns what a pod waits for that has not failed: an init container or hook that runs, or a container that has finished. */
export function waitingDrafts(context: Context, isOwnStart: boolean): readonly DiagnosisDraft[] {
  const running = isOwnStart ? [...runningInit(context), ...runningHook(context)] : [];
  return [...finishedBeside(context), ...running];
}

/** Seconds after which a container or hook that holds a pod up gets a diagnosis. */
const DIAGNOSED_AFTER = 5;

/** While an init container runs, no container after it starts. */
function runningInit({ container, now }: Context): DiagnosisDraft[] {
  const run = currentRun(container);
  if (container.role !== 'init' || run === undefined) return [];
  if (now - run.startedAt < DIAGNOSED_AFTER) return [];
  const written = repeatedLine(outputOf(container, run)) ?? lastLine(container, run, now);
  if (written === undefined) return [waitingDraft('initRunning')];
  const advice = waitAdvice(written.text, container.spec);
  return [{ ...waitingDraft('initRunning', advice), evidence: [written] }];
}

/** While a postStart hook runs, its container is not probed. */
function runningHook({ pod, container, now }: Context): DiagnosisDraft[] {
  const { role, hook, spec, name, runs } = container;
  const isRunning = currentRun(container) !== undefined && hook?.name === 'postStart';
  // A cluster shows no run of a container until its hook has ended.
  const isHidden = runs.length === 0 && spec.lifecycle?.postStart !== undefined;
  const started = pod.events.findLast((one) => one.container === name && one.reason === 'Started');
  const since = isRunning ? hook.since : isHidden ? started?.lastAt : undefined;
  if (role === 'init' || since === undefined || now - since < DIAGNOSED_AFTER) return [];
  return [waitingDraft('hookRunning', { do: 'hook', hook: 'postStart' })];
}

function waitingDraft(kind: 'initRunning' | 'hookRunning', advice?: Advice): DiagnosisDraft {
  const shown = { symptom: { kind: 'waiting' }, urgency: 'notReady', needed: 0 } as const;
  const changes = advice === undefined ? [] : advise(advice);
  return { ...shown, fault: { kind }, certainty: 'proven', evidence: [], changes };
}

/** A container that has finished keeps its pod from ready, where another one is probed for that. */
function finishedBeside({ pod, container, now }: Context): DiagnosisDraft[] {
  const { exitCode, endedAt = now } = container.runs.at(-1) ?? {};
  const isDone = forecastContainer(pod, container).kind === 'done' && exitCode === 0;
  const serves = pod.containers.some(
    (each) => each.spec.readinessProbe !== undefined && currentRun(each) !== undefined,
  );
  if (container.role === 'init' || !isDone || !serves || now - endedAt < DIAGNOSED_AFTER) return [];
  const symptom = { kind: 'ended', times: container.runs.length, exitCode } as const;
  const fault = { kind: 'completed', mustRun: false, stays: true } as const;
  const finding = found(fault, advise({ do: 'keepRunning', isBeside: true }));
  return [{ ...finding, symptom, urgency: 'notReady', needed: 0 }];
}
