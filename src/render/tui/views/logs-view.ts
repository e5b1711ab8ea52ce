import type { ContainerView, OutputLine, RunView } from '../../../trace/summary/container-view.js';
import { age } from '../../text/duration.js';
import { type Line, line, span, wrapText } from '../../text/line.js';
import { matches } from '../format.js';
import { chosenTarget, podInView } from '../selection.js';
import { type Snapshot, withChosen } from '../state.js';
import { causeText } from './container-line.js';
import { bodyOf, NO_BODY, type Row, type ViewKind } from './view.js';

/** What a container writes, run by run. */
export const logsView: ViewKind = {
  title: (snapshot) => {
    const pod = podInView(snapshot);
    const container = pod && chosenTarget(pod, snapshot)?.container;
    return container === undefined ? 'logs' : `logs of ${container.name}`;
  },
  show(snapshot) {
    const pod = podInView(snapshot);
    const container = pod && chosenTarget(pod, snapshot)?.container;
    if (pod === undefined || container === undefined) {
      return { head: [], body: NO_BODY, tail: [] };
    }
    const rows = logRows(container, snapshot);
    const id = `logs ${pod.key} ${container.name}`;
    const gone = container.outputCount - container.output.length;
    return { head: [], body: { ...bodyOf(id, rows), follows: true, gone }, tail: [] };
  },
  press(snapshot, key) {
    const { ui } = snapshot;
    const pod = podInView(snapshot);
    const container = pod && chosenTarget(pod, snapshot)?.container;
    if (pod === undefined || container === undefined) return undefined;
    const step = { left: -1, h: -1, right: 1 }[key];
    if (step === undefined) return undefined;
    const at = pod.containers.indexOf(container) + step + pod.containers.length;
    const next = pod.containers[at % pod.containers.length];
    return next === undefined ? undefined : { ui: withChosen(ui, pod.key, next.name) };
  },
  keys: [
    { key: '← →', word: 'container', sentence: "another container's output" },
    { key: 'j k', word: 'scroll', sentence: 'scroll; G follows what is written' },
    { key: 'w', word: 'wrap', sentence: 'wrap long lines, or cut them off' },
  ],
};

function logRows(container: ContainerView, { ui, size }: Snapshot): Row[] {
  const { output, runs } = container;
  const rows: Row[] = [];
  const from = output[0]?.run ?? 0;
  for (const run of runs.filter((one) => one.run >= from)) {
    rows.push({ line: runBegin(run) });
    for (const written of output.filter((one) => one.run === run.run)) {
      if (matches(written.text, ui.filter))
        rows.push(...outputRows(written, ui.wraps, size.columns));
    }
    if (run.endedAt !== undefined) rows.push({ line: runEnd(run) });
  }
  if (container.outputCount === 0) {
    rows.push({ line: line('kprobe sees no output of this container', 'dim') });
  }
  return rows;
}

function outputRows({ t, stream, text }: OutputLine, wraps: boolean, width: number): Row[] {
  const time = `${t.toFixed(3).padStart(9)}s `;
  const room = width - time.length;
  const tone = stream === 'stderr' ? 'warn' : 'plain';
  const parts = wraps ? wrapText(text, room) : [text];
  return parts.map((part, index) => ({
    line: [span(index === 0 ? time : ' '.repeat(time.length), 'dim'), span(part, tone)],
  }));
}

function runBegin({ run, startedAt }: RunView): Line {
  return line(
    `── run ${run} ${startedAt === undefined ? '' : `from ${startedAt.toFixed(1)} s `}──`,
    'info',
  );
}

function runEnd(run: RunView): Line {
  const exit = run.exitCode === undefined ? '' : `, exit ${run.exitCode}`;
  const lived =
    run.startedAt === undefined || run.endedAt === undefined
      ? ''
      : `, after ${age(run.endedAt - run.startedAt)}`;
  return line(`── run ${run.run} ended: ${causeText(run)}${exit}${lived} ──`, 'bad');
}
