import type { FailureReason } from '../kubelet/ports.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ProbeType } from '../trace/event.js';
import type { ContainerView, RunView } from '../trace/summary/container-view.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { Cause } from './cause.js';

/** A trace may hold reasons of a later version. */
const WORDS: ReadonlyMap<string, string> = new Map<FailureReason, string>([
  ['refused', 'refused'],
  ['timeout', 'timeout'],
  ['notConnected', 'timeout'],
  ['reset', 'reset'],
  ['closed', 'closed'],
  ['noHost', 'no host'],
  ['noRoute', 'no route'],
  ['notHTTP', 'not HTTP'],
  ['speaksHTTP2', 'not HTTP'],
  ['speaksTLS', 'not HTTP'],
  ['plainHTTP', 'no TLS'],
  ['tls', 'TLS error'],
  ['notServing', 'unhealthy'],
  ['redirects', 'redirects'],
]);

/** An attempt's result in a word: `503`, `refused`, `timeout`, `exit 1`; empty for a plain success. */
export function resultWord(attempt: AttemptView): string {
  if (attempt.error !== undefined) return 'errored';
  if (attempt.result === 'warning') return 'warning';
  if (attempt.result === 'success') return '';
  const { statusCode, exitCode, reason = '' } = attempt;
  if (statusCode !== undefined) return String(statusCode);
  if (exitCode !== undefined) return `exit ${exitCode}`;
  return WORDS.get(reason) ?? 'failed';
}

/** Returns the failures that ended a run's attempts: `liveness 3 × timeout at 1 s`. */
export function failuresText(
  container: ContainerView,
  type: ProbeType,
  run: number,
): string | undefined {
  const attempts = container.probes.find((probe) => probe.type === type)?.attempts ?? [];
  const own = attempts.filter((one) => one.run === run && one.error === undefined);
  const failed = own.slice(own.findLastIndex((one) => verdictOfAttempt(one) === 'success') + 1);
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  return `${type} ${failed.length} × ${failureText(container, type, last)}`;
}

/** `timeout at 1 s`, `HTTP 503`, `exit 1` */
function failureText({ spec }: ContainerView, type: ProbeType, attempt: AttemptView): string {
  const word = resultWord(attempt);
  if (attempt.statusCode !== undefined) return `HTTP ${word}`;
  return word === 'timeout' ? `timeout at ${probeOf(spec, type)?.timeoutSeconds ?? 1} s` : word;
}

const KILLERS: Readonly<Record<string, ProbeType>> = {
  LivenessProbe: 'liveness',
  StartupProbe: 'startup',
};

/** Returns the probe whose failure made the kubelet kill the run. */
export function killerOf({ killReason = '' }: RunView): ProbeType | undefined {
  return KILLERS[killReason];
}

/** Returns why a run ended: `liveness 3 × timeout at 1 s`, `crashed: SyntaxError: …`. */
export function runSentence(container: ContainerView, run: RunView): string {
  if (run.restartAskedAt !== undefined) return 'by you';
  if (run.startError !== undefined) return `not started: ${run.startError}`;
  const killer = killerOf(run);
  if (killer !== undefined) return failuresText(container, killer, run.run) ?? killer;
  if (run.killReason !== undefined) return run.killed?.replace(/^Container \S+ /, '') ?? 'killed';
  if (run.exitCode === 0) return 'exited by itself';
  const why = crashCause(outputOf(container, run))?.why;
  return `crashed${why === undefined ? '' : `: ${why}`}`;
}

export function outputOf({ output }: ContainerView, { run }: RunView): readonly string[] {
  return output.filter((line) => line.run === run).map(({ text }) => text);
}

/** Finds the error in a program's last output, which often stands far above its last line. */
export function crashCause(lines: readonly string[]): Cause | undefined {
  const taken = takenPort(lines);
  if (taken !== undefined) return taken;
  for (const language of LANGUAGES) {
    const found = language(lines);
    if (found === undefined) continue;
    const { at } = found;
    const why = found.error.trim();
    return at === undefined
      ? { why, change: FIX }
      : { why: `${why} (${at})`, change: `Fix the program at ${at}` };
  }
  const error = lines.findLast((line) => /\b(?:error|fatal|panic|exception)\b/i.test(line));
  const last = error ?? lines.findLast((line) => line.trim() !== '');
  return last === undefined ? undefined : { why: last.trim(), change: FIX };
}

/** Finds the cause of an end by a signal that the kubelet did not send; the output has none. */
export function signalCause(exitCode: number | undefined): Cause | undefined {
  switch (exitCode) {
    case 137:
      return {
        why: 'something other than the kubelet sent KILL, often the system for lack of memory',
        change: 'Raise resources.limits.memory, or use less memory',
      };
    case 139:
      return { why: 'a segmentation fault (SEGV) ended it', change: FIX };
    case 143:
      return { why: 'something other than the kubelet sent TERM' };
    default:
      return undefined;
  }
}

const FIX = 'Fix the program, or its command, args and env';

/** Finds the complaint about a port that another process listens on. */
export function takenPort(lines: readonly string[]): Cause | undefined {
  const line = lines.findLast((one) => TAKEN.test(one));
  if (line === undefined) return undefined;
  const port = /:(\d{2,5})\b(?!.*:\d)/.exec(line)?.[1];
  const what = port === undefined ? 'the port' : `port ${port}`;
  return {
    why: line.trim().replace(/^.*?(?=\b(?:\w*Error|listen)\b)/, ''),
    change: `Free ${what}, or let the program listen on another one`,
  };
}

const TAKEN = /address already in use|\bEADDRINUSE: /i;

interface Found {
  readonly error: string;
  /** `server.js:3` */
  readonly at?: string | undefined;
}

type Language = (lines: readonly string[]) => Found | undefined;

/** Prints the place, the line with a mark below it, the error, its stack and then `Node.js v20`. */
const node: Language = (lines) => {
  const end = lines.findLastIndex((line) => /^Node\.js v\d/.test(line));
  const error = lastMatch(
    lines.slice(0, Math.max(0, end)),
    /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b.*/,
  );
  if (error === undefined) return undefined;
  const places = lines.flatMap((line) => {
    const [, path, row] = /((?:file:\/\/)?[^\s(:]*\/[^\s(:]+\.[cm]?[jt]sx?):(\d+)/.exec(line) ?? [];
    return path === undefined || path.includes('node_modules') ? [] : [`${baseName(path)}:${row}`];
  });
  return { error, at: places[0] };
};

const go: Language = (lines) => {
  const begin = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  if (begin === -1) return undefined;
  const frames = lines.slice(begin).flatMap((line) => {
    const [, path, row] = /^\t(\S+\.go):(\d+)/.exec(line) ?? [];
    const isLibrary = path === undefined || /\/(?:go|golang)[^/]*\/src\//.test(path);
    return isLibrary ? [] : [`${baseName(path)}:${row}`];
  });
  return { error: lines[begin] ?? '', at: frames[0] };
};

const python: Language = (lines) => {
  const begin = lines.findLastIndex((line) => line.startsWith('Traceback (most recent call last)'));
  if (begin === -1) return undefined;
  const after = lines.slice(begin + 1);
  const end = after.findIndex((line) => /^\S/.test(line));
  const own = after
    .slice(0, end)
    .filter((line) => !/\/(?:lib\/python|site-packages)|"<frozen /.test(line));
  const [, path, row] = lastExec(own, /^\s+File "(.+?)", line (\d+)/) ?? [];
  const at = path === undefined ? undefined : `${baseName(path)}:${row}`;
  return end === -1 ? undefined : { error: after[end] ?? '', at };
};

const java: Language = (lines) => {
  const error =
    lastMatch(lines, /^Caused by: .*/) ??
    lastMatch(lines, /^Exception in thread .*/)?.replace(/^Exception in thread "[^"]*" /, '');
  return error === undefined ? undefined : { error: error.replace(/^Caused by: /, '') };
};

const rust: Language = (lines) => {
  const begin = lines.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
  const [, at = ''] = /panicked at (.*?):?$/.exec(lines[begin] ?? '') ?? [];
  return begin === -1 ? undefined : { error: `panic: ${lines[begin + 1] ?? ''}`, at };
};

const LANGUAGES: readonly Language[] = [node, go, python, java, rust];

function lastExec(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((one) => pattern.test(one));
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined);
}

function lastMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  return lastExec(lines, pattern)?.[0];
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}
