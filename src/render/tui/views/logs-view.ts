import { runSentence } from '../../../diagnosis/past-run.js';
import type { ContainerView, OutputLine, RunView } from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { age, clockColumn } from '../../text/duration.js';
import { hangingRows, type Line, line, span } from '../../text/line.js';
import { matches } from '../format.js';
import { chosenTarget, podInView } from '../selection.js';
import { type Snapshot, withChosen } from '../state.js';
import type { ViewKind } from './view.js';

export const logsView: ViewKind = {
  title: (snapshot) => {
    const found = chosenContainer(snapshot);
    return found === undefined ? 'logs' : `logs of ${found.container.name}`;
  },
  show(snapshot) {
    const found = chosenContainer(snapshot);
    if (found === undefined) return {};
    const { pod, container } = found;
    const id = `logs ${pod.key} ${container.name}`;
    const gone = container.outputCount - container.output.length;
    return { body: { id, rows: logRows(container, snapshot), follows: true, gone } };
  },
  press(snapshot, key) {
    const found = chosenContainer(snapshot);
    const step = { left: -1, h: -1, right: 1 }[key];
    if (found === undefined || step === undefined) return undefined;
    const { containers, key: podKey } = found.pod;
    const next = containers.at((containers.indexOf(found.container) + step) % containers.length);
    return next && { ui: withChosen(snapshot.ui, podKey, next.name) };
  },
  keys: [
    { key: '← →', word: 'container', sentence: "show another container's output" },
    { key: 'j k', word: 'scroll', sentence: 'scroll; G follows new output' },
    { key: 'w', word: 'wrap', sentence: 'wrap long lines, or cut them off' },
  ],
};

function chosenContainer(
  snapshot: Snapshot,
): { readonly pod: PodSummary; readonly container: ContainerView } | undefined {
  const pod = podInView(snapshot);
  const container = pod && chosenTarget(pod, snapshot)?.container;
  return pod && container && { pod, container };
}

function logRows(container: ContainerView, { ui, size }: Snapshot): Line[] {
  const { output, runs } = container;
  if (container.outputCount === 0) {
    return [
      ...runs.flatMap((run) => runRows(container, run)),
      line('kprobe sees no output from this container', 'dim'),
    ];
  }
  const from = output[0]?.run ?? 0;
  return runs
    .filter(({ run }) => run >= from)
    .flatMap((run) => {
      const written = output.filter((one) => one.run === run.run && matches(one.text, ui.filter));
      const [begin = [], ...end] = runRows(container, run);
      return [begin, ...written.flatMap((one) => outputRows(one, ui.wraps, size.columns)), ...end];
    });
}

function outputRows({ t, stream, text }: OutputLine, wraps: boolean, width: number): Line[] {
  const time = span(`${clockColumn(t)} `, 'dim');
  return hangingRows(time, text, wraps ? width : Infinity, stream === 'stderr' ? 'warn' : 'plain');
}

function runRows(container: ContainerView, run: RunView): Line[] {
  const { startedAt, endedAt, exitCode } = run;
  const from = startedAt === undefined ? '' : `from ${startedAt.toFixed(1)} s `;
  const begin = line(`── run ${run.run} ${from}──`, 'info');
  if (endedAt === undefined) return [begin];
  const exit = exitCode === undefined ? '' : `, exit ${exitCode}`;
  const lived = startedAt === undefined ? '' : `, after ${age(endedAt - startedAt)}`;
  const why = runSentence(container, run);
  return [begin, line(`── run ${run.run} ended${exit}${lived}: ${why} ──`, 'bad')];
}
