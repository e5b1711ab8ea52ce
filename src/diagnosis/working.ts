import type { Container, PodSpec } from '../api/index.js';
import { isLoopback } from '../go/addr.js';
import type { Socket } from '../kubelet/ports.js';
import { containerProbes } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { isShell } from '../text/shell.js';
import { forecastContainer } from '../trace/forecast.js';
import { type ContainerView, currentRun } from '../trace/summary/container-view.js';
import { verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { badState } from './answer.js';
import {
  distinctPorts,
  found,
  lastLine,
  portOf,
  probedPort,
  programOutput,
  repeatedLine,
} from './attempt-context.js';
import { attemptFault, silentPeers } from './attempt-fault.js';
import { type Advice, advise } from './change.js';
import type { DiagnosisDraft, Fault } from './fault.js';
import { waitAdvice } from './surroundings.js';

/** Returns warnings about what counts as a success here: an answer that says otherwise, or one that a pod's kubelet would not get. */
export function workingDrafts(container: ContainerView): DiagnosisDraft[] {
  return [...badStateDrafts(container), ...redirectDrafts(container), ...loopbackDrafts(container)];
}

/** A kubelet does not follow a redirect to another host, and so never asks the server itself. */
function redirectDrafts(container: ContainerView): DiagnosisDraft[] {
  const { run } = currentRun(container) ?? {};
  return container.probes.flatMap((probe): readonly DiagnosisDraft[] => {
    const last = probe.attempts.at(-1);
    if (last?.run !== run || last?.result !== 'warning' || last.error !== undefined) return [];
    const finding = attemptFault({ container, probe }, last);
    return finding === undefined ? [] : [{ ...working(finding.fault), ...finding }];
  });
}

/** Returns the latest attempt of each probe that succeeds in the current run. */
function lastSuccesses(container: ContainerView) {
  const { run } = currentRun(container) ?? {};
  return container.probes.flatMap(({ type, attempts }) => {
    const last = attempts.at(-1);
    const succeeds = last?.run === run && last && verdictOfAttempt(last) === 'success';
    return succeeds ? [{ type, ...last }] : [];
  });
}

function badStateDrafts(container: ContainerView): DiagnosisDraft[] {
  return lastSuccesses(container).flatMap((last): readonly DiagnosisDraft[] => {
    const { type, statusCode: status, detail } = last;
    const state = badState(detail?.body);
    if (status === undefined || state === undefined) return [];
    const fault = { kind: 'successDown', status, state } as const;
    return [
      { ...working(fault), changes: advise({ do: 'answerBadStatus', field: `${type}Probe` }) },
    ];
  });
}

function working(fault: Fault): Omit<DiagnosisDraft, 'changes'> {
  const symptom = { kind: 'working' } as const;
  return { symptom, urgency: 'warning', needed: 0, fault, certainty: 'proven', evidence: [] };
}

/** A server answers kprobe on this machine's own address alone: a kubelet dials the pod's address. */
function loopbackDrafts(container: ContainerView): DiagnosisDraft[] {
  const { listening } = currentRun(container) ?? {};
  if (listening === undefined) return [];
  const listens = lastSuccesses(container).flatMap(({ detail }): readonly Socket[] => {
    const port = portOf(detail?.address);
    const sockets = listening.sockets.filter((socket) => socket.port === port);
    return sockets.every(({ address }) => isLoopback(address)) ? sockets : [];
  });
  if (listens.length === 0) return [];
  const fault = { kind: 'loopbackOnly', listens: distinctPorts(listens) } as const;
  return [{ ...working(fault), changes: advise({ do: 'bindAll', family: 4 }) }];
}

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
function runningInit({ pod, container, now }: Context): DiagnosisDraft[] {
  const run = currentRun(container);
  if (container.role !== 'init' || run === undefined) return [];
  if (now - run.startedAt < DIAGNOSED_AFTER) return [];
  if (run.listening?.sockets.length) {
    return [waitingDraft(container, 'initRunning', { do: 'makeSidecar' })];
  }
  const written = repeatedLine(programOutput(container, run)) ?? lastLine(container, run, now);
  const loop = loopAdvice(container.spec);
  const { evidence, changes } = silentPeers(run.listening?.peers);
  if (written === undefined) {
    const draft = waitingDraft(container, 'initRunning', loop);
    return [{ ...draft, evidence, changes: [...changes, ...draft.changes] }];
  }
  const sidecar = laterSidecar(pod.object.spec, container, written.text);
  const advice: Advice | undefined = sidecar
    ? { do: 'declareFirst', container: sidecar }
    : (waitAdvice(written.text, container.spec) ?? loop);
  const draft = waitingDraft(container, 'initRunning', advice);
  return [{ ...draft, evidence: [...evidence, written], changes: [...draft.changes, ...changes] }];
}

/** A script that sleeps between its tries waits for something. */
function loopAdvice({ command = [], args = [] }: Container): Advice | undefined {
  const [shell = '', ...words] = [...command, ...args];
  const isLoop = isShell(shell) && /\b(?:until|while)\b[^]*\bsleep\b/.test(words.join(' '));
  return isLoop ? { do: 'findLoop', isInit: true } : undefined;
}

/** Returns the sidecar that an init container waits for in vain, because it starts later: one that the text names, or that alone can have an address of the pod. */
function laterSidecar(
  { initContainers = [], hostNetwork }: PodSpec,
  { name, spec }: ContainerView,
  text: string,
): string | undefined {
  if (waitAdvice(text, spec) === undefined) return undefined;
  const at = initContainers.findIndex((each) => each.name === name);
  const sidecars = initContainers.filter(isRestartableInitContainer);
  const later = initContainers.slice(at + 1).filter(isRestartableInitContainer);
  // A name that nobody has validated may have any characters.
  const pattern = (word: string): string => word.replaceAll(/\W/g, String.raw`\$&`);
  const named = later.find((each) => new RegExp(`\\b${pattern(each.name)}\\b`).test(text));
  const isOfPod = hostNetwork !== true && /\b(?:localhost|127\.0\.0\.1)\b|::1\b/.test(text);
  return (named ?? (isOfPod && sidecars.length === 1 ? later[0] : undefined))?.name;
}

/** Returns the container of the pod for whose port a sidecar's startup probe waits in vain: it starts after the sidecar has. */
export function laterContainer({ containers }: PodSpec, { role }: ContainerView, text: string) {
  const [, port] = /(?:localhost|127\.0\.0\.1|::1\]?):(\d+)\b/.exec(text) ?? [];
  if (role !== 'sidecar' || port === undefined) return undefined;
  return containers.find((each) => portsOf(each).includes(Number(port)))?.name;
}

/** Returns the ports that a container declares, and those that its probes name. */
function portsOf(container: Container): readonly number[] {
  const { ports = [] } = container;
  const probed = containerProbes(container).map(({ probe }) => probedPort(probe, container));
  return [...ports.map(({ containerPort }) => containerPort), ...probed];
}

/** While a postStart hook runs, its container is not probed. */
function runningHook({ pod, container, now }: Context): DiagnosisDraft[] {
  const { role, hook, spec, name, runs } = container;
  const isRunning = currentRun(container) !== undefined && hook?.name === 'postStart';
  // A cluster shows no run of a container until its hook has ended.
  const isHidden = runs.length === 0 && spec.lifecycle?.postStart !== undefined;
  const started = pod.events.findLast(
    (each) => each.container === name && each.reason === 'Started',
  );
  const since = isRunning ? hook.since : isHidden ? started?.lastAt : undefined;
  if (role === 'init' || since === undefined || now - since < DIAGNOSED_AFTER) return [];
  return [waitingDraft(container, 'hookRunning', { do: 'hook', hook: 'postStart', goesOn: true })];
}

/** A process that stands still explains why nothing ends. */
function waitingDraft(
  container: ContainerView,
  kind: 'initRunning' | 'hookRunning',
  advice?: Advice,
): DiagnosisDraft {
  const shown = { symptom: { kind: 'waiting' }, urgency: 'notReady', needed: 0 } as const;
  const { state: is } = currentRun(container)?.listening ?? {};
  const isStill = is === 'stopped' || is === 'paused';
  const change = isStill ? ({ do: 'resume', is } as const) : advice;
  const fault = { kind, ...(isStill && { process: is }) } as const;
  const changes = change === undefined ? [] : advise(change);
  return { ...shown, fault, certainty: 'proven', evidence: [], changes };
}

/** A container that has finished keeps its pod from ready, where another one is probed for that. */
function finishedBeside({ pod, container, now }: Context): DiagnosisDraft[] {
  const { exitCode, endedAt = now } = container.runs.at(-1) ?? {};
  const isOver = exitCode === 0 && now - endedAt >= DIAGNOSED_AFTER;
  if (!isOver || container.role === 'init') return [];
  if (forecastContainer(pod, container).kind !== 'done') return [];
  const serves = pod.containers.some(
    (each) => each.spec.readinessProbe !== undefined && currentRun(each) !== undefined,
  );
  if (!serves) return [];
  const symptom = { kind: 'ended', times: container.runs.length, exitCode } as const;
  const fault = { kind: 'completed', mustRun: false, stays: true } as const;
  const finding = found(fault, advise({ do: 'keepRunning', isBeside: true }));
  return [{ ...finding, symptom, urgency: 'notReady', needed: 0 }];
}
