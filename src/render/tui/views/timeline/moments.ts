import type { ContainerView, RunView } from '../../../../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../../trace/summary/summary.js';
import { countdown } from '../../../text/duration.js';
import type { Tone } from '../../../text/line.js';
import { effectWord } from '../../format/probe-run.js';
import { causeText } from '../pod/container-line.js';
import type { RowTarget } from '../pod/row-target.js';

/** Something that was decided, or came of it. */
export interface Moment {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly about: string;
  readonly text: string;
  readonly tone: Tone;
}

/** What changed in a pod and why, oldest first: results that were set, kills, ends, back-offs, starts, readiness. */
export function momentsOf(pod: PodSummary, targets: readonly RowTarget[]): Moment[] {
  return [
    ...podMoments(pod),
    ...targets.flatMap(({ container, probe }) =>
      probe === undefined ? runMoments(container) : turnMoments(container, probe),
    ),
  ].sort((a, b) => a.t - b.t);
}

function podMoments({ object, readiness }: PodSummary): Moment[] {
  return readiness.map(({ t, ready }) => ({
    t,
    about: object.metadata.name,
    text: ready ? 'Ready: Services send traffic' : 'not Ready: Services send no traffic',
    tone: ready ? 'good' : 'bad',
  }));
}

/** Only results that changed what stood before. */
function turnMoments({ name }: ContainerView, { type, attempts }: ProbeView): Moment[] {
  return turnsOf(attempts).map(({ endedAt, set, resultRun }) => {
    const to = set === 'success' ? 'success' : 'failure';
    const times = to === 'success' ? 'successes' : 'failures';
    const what = resultRun === 1 ? `1 ${to}` : `${resultRun} ${times} in a row`;
    return {
      t: endedAt,
      about: `${name}/${type}`,
      text: `${what} → ${effectWord(type, to)}`,
      tone: to === 'success' ? 'good' : 'bad',
    };
  });
}

/** The attempts that changed what stood, in their container's run. */
export function turnsOf(attempts: readonly AttemptView[]): AttemptView[] {
  let before: AttemptView | undefined;
  return attempts.filter((attempt) => {
    const { set, run } = attempt;
    if (set === undefined) return false;
    const turned = before?.set !== set || before.run !== run;
    before = attempt;
    return turned;
  });
}

function runMoments({ name, runs }: ContainerView): Moment[] {
  return runs.flatMap((run) => {
    const moments: Moment[] = [];
    const add = (t: number | undefined, text: string, tone: Tone): void => {
      if (t !== undefined) moments.push({ t, about: name, text, tone });
    };
    add(run.startedAt, `run ${run.run} started`, 'plain');
    add(run.restartAskedAt, 'you asked for a restart', 'warn');
    add(run.stop?.at, stopText(run), 'bad');
    add(run.endedAt, endText(run), run.exitCode === 0 ? 'plain' : 'bad');
    add(
      run.backOff?.since,
      `back-off of ${countdown(run.backOff?.delay ?? 0)} before the next run`,
      'bad',
    );
    return moments;
  });
}

function stopText({ stop, killed }: RunView): string {
  const why = killed === undefined ? '' : `: ${killed}`;
  return `TERM, KILL after ${stop?.gracePeriod ?? 0} s${why}`;
}

function endText(run: RunView): string {
  const { startError, exitCode, stop, endedAt = 0 } = run;
  if (startError !== undefined) return `not started: ${startError}`;
  const after =
    stop === undefined ? causeText(run) : `${(endedAt - stop.at).toFixed(1)} s after TERM`;
  return `run ${run.run} ended${exitCode === undefined ? '' : `, exit ${exitCode}`}, ${after}`;
}
