import type { Scenario, ScriptedAnswer, ScriptedRun } from '../../src/sim/scenario.js';
import { DEFAULT_ANSWER, DEFAULT_RUN } from '../../src/sim/scenario.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

type Of<K extends TraceLine['kind']> = Extract<TraceLine, { kind: K }>;

/** Milliseconds past any timeout, and past any end of a trace. */
const LONG = 10_000_000;
/** The end of the error of a command that the kubelet has canceled. */
const CANCELED = 'context canceled';

/** The scenario whose script is what a trace shows of the containers: when they ended, and what commands answered. */
export function scenarioOfTrace(scenario: Scenario, lines: readonly TraceLine[]): Scenario {
  const names = Object.keys(scenario.containers);
  const runs = names.map((name) => {
    const own = lines.filter((line) => 'container' in line && line.container === name);
    const count = 1 + Math.max(-1, ...own.map((line) => ('run' in line ? line.run : -1)));
    const list = Array.from({ length: count }, (_, run) =>
      runOf(
        own.filter((line) => 'run' in line && line.run === run),
        own,
      ),
    );
    if (isStarting(name, lines)) list.push({ ...DEFAULT_RUN, startTakes: LONG });
    return [name, list] as const;
  });
  return { ...scenario, containers: Object.fromEntries(runs) };
}

/** Reports whether the trace ends within a start of the container, whose outcome it does not show. */
function isStarting(name: string, lines: readonly TraceLine[]): boolean {
  const last = lines.findLast(
    (line) =>
      (line.kind === 'event' &&
        line.reason === 'Created' &&
        line.fieldPath?.endsWith(`{${name}}`) === true) ||
      ((line.kind === 'started' || line.kind === 'startFailed') && line.container === name),
  );
  return last?.kind === 'event';
}

function runOf(lines: readonly TraceLine[], all: readonly TraceLine[]): ScriptedRun {
  const find = <K extends TraceLine['kind']>(kind: K): Of<K> | undefined =>
    lines.find((line): line is Of<K> => line.kind === kind);
  const [failed, started, stop, exited] = [
    find('startFailed'),
    find('started'),
    find('stop'),
    find('exited'),
  ];
  if (failed !== undefined) return { ...DEFAULT_RUN, startError: failed.error };
  if (started === undefined) return DEFAULT_RUN;
  const since = (begin: number, end: number): number => Math.round((end - begin) * 1000);
  const byItself = exited !== undefined && stop === undefined;
  const killed = exited?.exitCode === 137;
  return {
    ...DEFAULT_RUN,
    ...(byItself && { exitAfter: since(started.t, exited.t), exitCode: exited.exitCode }),
    ...(stop && {
      stopTakes: exited === undefined || killed ? LONG : since(stop.t, exited.t),
      stopExitCode: exited?.exitCode ?? 0,
    }),
    exec: answersOf(lines, all, started.t, exited?.t),
  };
}

function answersOf(
  lines: readonly TraceLine[],
  all: readonly TraceLine[],
  startedAt: number,
  exitedAt: number | undefined,
): Readonly<Record<string, readonly ScriptedAnswer[]>> {
  const answers = new Map<string, ScriptedAnswer[]>();
  for (const [index, begin] of lines.entries()) {
    if (begin.kind !== 'exec') continue;
    const { command } = begin;
    const done = lines
      .slice(index)
      .find((line): line is Of<'execDone'> => line.kind === 'execDone' && line.command === command);
    const list = answers.get(command) ?? [];
    const until = Math.round((begin.t - startedAt) * 1000) + 1;
    list.push({ ...answerOf(begin, done, all, exitedAt), until });
    answers.set(command, list);
  }
  return Object.fromEntries(answers);
}

function answerOf(
  begin: Of<'exec'>,
  done: Of<'execDone'> | undefined,
  all: readonly TraceLine[],
  exitedAt: number | undefined,
): ScriptedAnswer {
  // A command that was cut off or canceled, timed out or outlasts the trace would have gone on.
  const cutOff = done !== undefined && 'exit' in done && done.exit === 137 && done.t === exitedAt;
  const canceled = done !== undefined && 'error' in done && done.error.endsWith(CANCELED);
  if (done === undefined || 'timedOut' in done || cutOff || canceled) {
    return { ...DEFAULT_ANSWER, takes: LONG };
  }
  const takes = Math.round((done.t - begin.t) * 1000);
  if ('error' in done) return { ...DEFAULT_ANSWER, takes, error: done.error };
  const attempt = all.find(
    (line): line is Of<'attemptDone'> =>
      line.kind === 'attemptDone' && line.t === done.t && done.command.endsWith(line.probe),
  );
  return { ...DEFAULT_ANSWER, takes, exit: done.exit, stdout: attempt?.output ?? '' };
}
