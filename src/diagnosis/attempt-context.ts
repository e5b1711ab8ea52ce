import type { Container, Probe } from '../api/index.js';
import { isLoopback } from '../go/addr.js';
import type { AttemptOutcome, Socket } from '../kubelet/ports.js';
import { resolveContainerPort } from '../kubelet/prober/http-request.js';
import type { Evidence as Basis } from '../trace/event.js';
import type { ContainerView, ListeningView, RunView } from '../trace/summary/container-view.js';
import {
  type AttemptView,
  type ProbeView,
  type TrialView,
  verdictOfAttempt,
} from '../trace/summary/probe-view.js';
import { oneLine } from './answer.js';
import { type Advice, advise, type Change, type FieldValue } from './change.js';
import type { Evidence, EvidenceOf, Finding } from './fault.js';
import { messageOf, reportedError } from './output/program-output.js';
import { NO_PATH } from './trials.js';

export type EndedAttempt = AttemptOutcome & {
  readonly run: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly late?: number | undefined;
  readonly evidence?: Basis | undefined;
};

/** The facts about an attempt and its past that rules use. */
export interface AttemptContext {
  readonly container: ContainerView;
  readonly probe: ProbeView;
  readonly spec: Probe;
  readonly attempt: EndedAttempt;
  /** The body of the answer; empty where it is not known. */
  readonly body: string;
  /** Status lines and headers of all answers. */
  readonly response: string;
  /** `livenessProbe` */
  readonly field: string;
}

/** Finds a fault, or returns undefined where its evidence is not there. */
export type Rule = (context: AttemptContext) => Finding | undefined;

export function runOf({ container, attempt }: AttemptContext): RunView | undefined {
  return container.runs.find(({ run }) => run === attempt.run);
}

/** Returns what the run's processes listen on, as of the latest look at them. */
export function listeningIn(context: AttemptContext): ListeningView | undefined {
  return runOf(context)?.listening;
}

/** Returns the port that a probe names; 0 where it is not known. */
export function probedPort({ httpGet, tcpSocket, grpc }: Probe, container: Container): number {
  const named = httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? 0;
  const resolved = resolveContainerPort(named, container);
  return resolved.ok ? resolved.value : 0;
}

/** Reports whether a socket on that address takes a connection to the dialed one. */
export function accepts(listens: string, dialed: string): boolean {
  const host = dialed.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
  return listens === '0.0.0.0' ? !isIPv6(dialed) : listens === '::' || listens === host;
}

export function isIPv6(address: string): boolean {
  return address.replace(/:\d+$/, '').includes(':') || address.startsWith('[');
}

/** Returns a socket of each port. */
export function distinctPorts(sockets: readonly Socket[]): readonly Socket[] {
  return [...new Map(sockets.map((socket) => [socket.port, socket])).values()];
}

/** Returns the ports on which processes listen. */
export function listeningPorts(listening: ListeningView | undefined): readonly number[] {
  return distinctPorts(listening?.sockets ?? []).map(({ port }) => port);
}

/** Returns the first run of the process that a run belongs to: it outlives simulated restarts. */
export function firstRun(runs: ContainerView['runs'], run: number): number {
  const before = runs.find((each) => each.run === run - 1);
  return before?.simulated === true ? firstRun(runs, run - 1) : run;
}

/** Returns the attempts of this process that succeeded before this one. */
export function passedBefore({
  probe,
  container,
  attempt,
}: AttemptContext): readonly AttemptView[] {
  const first = firstRun(container.runs, attempt.run);
  return probe.attempts.filter(
    (each) =>
      each.run >= first &&
      each.run <= attempt.run &&
      verdictOfAttempt(each) === 'success' &&
      each.endedAt <= (attempt.startedAt ?? Infinity),
  );
}

export function hasAnswered({ probes }: ContainerView, { run }: Pick<RunView, 'run'>): boolean {
  return probes.some(({ attempts }) =>
    attempts.some((each) => each.run === run && verdictOfAttempt(each) === 'success'),
  );
}

/** Share of the timeout up to which answers count as quick. */
const QUICK = 0.2;

/** Reports whether an answer came quickly, after so many milliseconds. */
export function isQuickAnswer(latency: number, { timeoutSeconds }: Probe): boolean {
  return latency < QUICK * 1000 * timeoutSeconds;
}

/** Returns the evidence that an earlier attempt of this process gave; undefined where none succeeded. */
export function successesBefore(context: AttemptContext): EvidenceOf<'successes'> | undefined {
  const { probe, container, attempt } = context;
  const passed = passedBefore(context);
  const last = passed.at(-1);
  if (last !== undefined) {
    const slowest = Math.max(...passed.map(({ latency }) => latency));
    // A cluster's kubelet reports only a success that changes the status.
    const count = attempt.evidence === undefined ? passed.length : 0;
    return { kind: 'successes', count, lastAt: last.endedAt, slowest };
  }
  return attempt.evidence === undefined ? undefined : unseenSuccess(container, probe, attempt);
}

/** Seconds from a container's start to the first attempt, with the second by which a status may be rounded. */
const WORKER_DELAY = 3;

/** A cluster's kubelet reports failures; its status shows that others succeeded. */
function unseenSuccess(
  container: ContainerView,
  probe: ProbeView,
  { run, startedAt: t = 0 }: EndedAttempt,
): EvidenceOf<'successes'> | undefined {
  const { startedAt: since, endedAt = Infinity } =
    container.runs.find((each) => each.run === run) ?? {};
  if (since === undefined) return undefined;
  const { livenessProbe, startupProbe } = container.spec;
  const shown = container.states.findLast(
    ({ t: shownAt, ready, started }) =>
      shownAt >= since - 1 &&
      shownAt < endedAt &&
      (probe.type === 'readiness' ? ready : probe.type === 'startup' && started),
  );
  // Without a success a kubelet would have killed the container long ago; a worker begins late, and goes on until the end.
  const { initialDelaySeconds = 0, periodSeconds = 0, failureThreshold = 0 } = livenessProbe ?? {};
  const failures = Math.max(failureThreshold, probe.resultRun);
  const limit = initialDelaySeconds + periodSeconds * (failures + 1) + WORKER_DELAY;
  const hasOutlived = probe.type === 'liveness' && !startupProbe && t - since > limit;
  if (shown === undefined && !hasOutlived && (probe.counted?.successful ?? 0) === 0) {
    return undefined;
  }
  return { kind: 'successes', count: 0, lastAt: shown?.t ?? since, slowest: 0 };
}

/** Returns the trial of a field, with one value or any, with this process; one that succeeded comes first. */
export function trialOf(
  context: AttemptContext,
  field: string,
  to?: FieldValue,
): TrialView | undefined {
  const wanted = to === undefined ? undefined : JSON.stringify(to);
  const trials = processTrials(context).filter(
    (trial) =>
      trial.field === field && (wanted === undefined || JSON.stringify(trial.to) === wanted),
  );
  return trials.findLast(({ result }) => result === 'success') ?? trials.at(-1);
}

/** Returns the trials of a field that have succeeded with this process. */
export function passedTrials(context: AttemptContext, field: string): readonly TrialView[] {
  return processTrials(context).filter(
    ({ field: tried, result, to }) => tried === field && result === 'success' && to !== NO_PATH.to,
  );
}

/** Returns the trials that were made with this process. */
export function processTrials({ container, probe, attempt }: AttemptContext): readonly TrialView[] {
  const first = firstRun(container.runs, attempt.run);
  return probe.trials.filter(({ run }) => run >= first && run <= attempt.run);
}

/** Returns what to do where other paths of the same server are answered, whatever their status. */
export function handlerChange(context: AttemptContext): readonly Change[] {
  const { word = '' } = trialOf(context, `${context.field}.httpGet.path`, NO_PATH.to) ?? {};
  const { path = '/' } = context.spec.httpGet ?? {};
  return /\d{3}/.test(word) ? advise({ do: 'fixHandler', path }) : [];
}

/** Returns the change of a field that its trial shows to help, or one that is only a guess. */
export function fieldChange(context: AttemptContext, name: string, to: FieldValue): Change {
  const field = `${context.field}.${name}`;
  const trial = trialOf(context, field, to);
  const proof =
    trial?.result === 'success'
      ? ({ kind: 'tried', result: trial.word } as const)
      : ({ kind: 'none' } as const);
  return { kind: 'field', field, to, proof };
}

/** Returns changes of a field that a trial has shown to help, and nothing where none did. */
export function provenChanges(context: AttemptContext, name: string): readonly Change[] {
  return passedTrials(context, `${context.field}.${name}`).map(({ to }) =>
    fieldChange(context, name, to),
  );
}

/** Returns the changes of a field that a trial has shown to help, or else the advice. */
export function provenOr(context: AttemptContext, name: string, advice: Advice): readonly Change[] {
  const proven = provenChanges(context, name);
  return proven.length > 0 ? proven : advise(advice);
}

/** Returns the host that the probe names; empty where it asks the pod's address. */
export function hostOf({ spec: { httpGet, tcpSocket } }: Pick<AttemptContext, 'spec'>): string {
  return httpGet?.host ?? tcpSocket?.host ?? '';
}

/** Reports whether the probe names a host that is not its node: a pod in its node's network may well name that. */
export function asksOtherHost(context: Pick<AttemptContext, 'spec'>): boolean {
  return hostOf(context) !== '' && !isLoopback(hostOf(context));
}

export function correctHost({ spec, field }: AttemptContext): readonly Change[] {
  const fields = [`${field}.${spec.httpGet ? 'httpGet' : 'tcpSocket'}.host`];
  return advise({ do: 'correct', fields, or: 'remove' });
}

/** Seconds between lines that may have been written in the other order, since one may come from the error stream. */
const APART = 0.05;

/** Returns the last line that a run has written, with those that came at the same time. */
export function lastLines(
  { output }: ContainerView,
  { run }: Pick<RunView, 'run'>,
): readonly string[] {
  const lines = output.filter((each) => each.run === run);
  const { t = 0 } = lines.at(-1) ?? {};
  return lines.filter((each) => each.t > t - APART).map(({ text }) => text);
}

export function programOutput(
  { output, runs }: ContainerView,
  { run }: { readonly run: number },
): readonly string[] {
  const { stop, evidence } = runs.find((each) => each.run === run) ?? {};
  // What a program writes after TERM is an effect of that; a cluster's log may be read later.
  const until = evidence === undefined ? (stop?.at ?? Infinity) : Infinity;
  return output.filter((line) => line.run === run && line.t < until).map(({ text }) => text);
}

/** Lines that the run wrote since the attempt before: a line may come later than the answer that it explains. */
export function outputDuring({ container, probe, attempt }: AttemptContext): readonly string[] {
  const since = probe.attempts.at(-2)?.startedAt ?? attempt.startedAt;
  if (since === undefined || attempt.startedAt === undefined) return [];
  const output = container.output.filter(({ t }) => t >= since);
  return programOutput({ ...container, output }, attempt);
}

/** Repetitions from which on a line says what the program waits for. */
export const REPEATED = 3;

/** Returns the error that the program reported, or what it writes again and again: in the whole run, or during the attempt. */
export function writtenEvidence(
  context: AttemptContext,
  inRun: boolean,
): EvidenceOf<'written'> | undefined {
  const { container, attempt } = context;
  const lines = inRun ? programOutput(container, attempt) : outputDuring(context);
  const error = reportedError(lines);
  if (error !== undefined && attempt.reason === 'timeout' && OF_LEFT_CLIENT.test(error.text))
    return undefined;
  if (error !== undefined) return { kind: 'written', text: oneLine(error.text), at: error.at };
  return inRun ? (repeatedLine(lines) ?? lastLine(container, attempt, attempt.endedAt)) : undefined;
}

/** Errors that a server logs once its client has left, as a probe does at its timeout. */
const OF_LEFT_CLIENT =
  /\bEPIPE\b|broken pipe|\bClient(?:Abort|Disconnect)|client (?:has )?(?:closed|disconnected)|context canceled|^ConnectionResetError/i;

export function lastOutput({ output }: ContainerView, { run }: { readonly run: number }) {
  return output.findLast((line) => line.run === run);
}

/** Seconds after which the last line may say what the program waits for. */
const LAST_LINE_AGE = 5;

export function lastLine(
  container: ContainerView,
  run: { readonly run: number; readonly evidence?: Basis | undefined },
  now = 0,
): EvidenceOf<'written'> | undefined {
  const { t, text = '' } = lastOutput(container, run) ?? {};
  if (t === undefined || text.trim() === '' || now - t < LAST_LINE_AGE) return undefined;
  // A cluster's log, read once, does not show when a line was written.
  return { kind: 'written', text: oneLine(text), ...(run.evidence ? {} : { ago: now - t }) };
}

/** The question with which libpq ends its errors. */
const QUESTION = /^\s*Is the server running .*\?$/;

/** Returns the error that a program has written again and again, or else its last line if it has. */
export function repeatedLine(lines: readonly string[]): EvidenceOf<'written'> | undefined {
  const messages = lines.map(messageOf);
  const last = messages.findLast((line) => line.trim() !== '' && !QUESTION.test(line));
  for (const text of [reportedError(lines)?.text, last]) {
    const times = messages.filter((line) => text !== undefined && line.endsWith(text)).length;
    if (text !== undefined && times >= REPEATED) {
      return { kind: 'written', text: oneLine(text), times };
    }
  }
  return undefined;
}

/** Without a startup probe, liveness counts the failures of a start. */
export function startupChange({ container, probe, attempt }: AttemptContext): Finding['changes'] {
  const isAlone = probe.type === 'liveness' && container.spec.startupProbe === undefined;
  const isRefused = attempt.reason === 'refused';
  // An earlier run has shown that its server comes up in time.
  const wasUp = probe.attempts.some((each) =>
    isRefused
      ? each.run < attempt.run && each.detail?.timings.connect !== undefined
      : isEarlierSuccess(each, attempt),
  );
  return isAlone && !wasUp ? advise({ do: 'addStartupProbe' }) : [];
}

export function isEarlierSuccess(each: AttemptView, { run }: Pick<RunView, 'run'>): boolean {
  return each.run < run && verdictOfAttempt(each) === 'success';
}

/** Seconds for which a program that says it starts has no fault. */
const START = 30;

/** Reports whether the program has begun so lately that it may not be ready yet. */
export function isYoung(context: AttemptContext): boolean {
  const { startedAt = 0 } = runOf(context) ?? {};
  return (context.attempt.endedAt ?? 0) - startedAt < START && !successesBefore(context);
}

/** Returns the Host header that was sent. */
export function hostHeader({ attempt: { detail } }: AttemptContext): string {
  return /^host: *(.+?)\r?$/im.exec(detail?.request ?? '')?.[1] ?? detail?.address ?? '';
}

/** Returns where the last redirect leads. */
export function lastLocation({ response }: AttemptContext): string | undefined {
  return [...response.matchAll(/^location: *(.+?)\r?$/gim)].at(-1)?.[1];
}

/** The certainty of a finding, and its evidence. */
interface Grounds {
  readonly certainty?: Finding['certainty'];
  /** Undefined where there is none. */
  readonly evidence?: readonly (Evidence | undefined)[];
}

export function found(
  fault: Finding['fault'],
  changes: readonly Change[],
  { certainty = 'proven', evidence = [] }: Grounds = {},
): Finding {
  return { fault, changes, certainty, evidence: evidence.filter((each) => each !== undefined) };
}

export function portOf(address = ''): number | undefined {
  const port = /:(\d+)$/.exec(address)?.[1];
  return port === undefined ? undefined : Number(port);
}
