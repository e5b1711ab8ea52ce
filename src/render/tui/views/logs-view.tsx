import type { FC } from 'react';

import { runSentence } from '../../../diagnosis/past-run.js';
import type { ContainerView, OutputLine, RunView } from '../../../trace/summary/container-view.js';
import { age, clockColumn } from '../../text/duration.js';
import { hangingRows, type Line, line, span } from '../../text/line.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { chosenContainer, filterOf, matches, wrapsIn } from '../store/selection.js';
import type { Size, Snapshot } from '../store/state.js';

export function logsTitle(snapshot: Snapshot): string {
  const found = chosenContainer(snapshot);
  return found === undefined ? 'logs' : `logs of ${found.container.name}`;
}

export const LogsView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const found = chosenContainer(snapshot);
  if (found === undefined) return null;
  const { pod, container } = found;
  const width = wrapsIn(snapshot) ? columns : Infinity;
  const filter = filterOf(snapshot);
  const output = container.output.filter(({ text }) => matches(text, filter));
  return (
    <ScrollBox
      id={`logs ${pod.key} ${container.name}`}
      lines={logLines(container, output, width)}
      width={columns}
      height={rows}
      follows
      shown={output.length}
      total={container.output.length}
      gone={container.outputCount - container.output.length}
    />
  );
};

/** The given output of a container, run by run; lines longer than the width take several rows. */
export function logLines(
  container: ContainerView,
  output: readonly OutputLine[],
  width: number,
): Line[] {
  const { runs } = container;
  if (container.outputCount === 0) {
    return [
      ...runs.flatMap((run) => runRows(container, run)),
      line('kprobe sees no output from this container', 'dim'),
    ];
  }
  const from = container.output[0]?.run ?? 0;
  return runs
    .filter(({ run }) => run >= from)
    .flatMap((run) => {
      const written = output.filter((one) => one.run === run.run);
      const [begin = [], ...end] = runRows(container, run);
      return [begin, ...written.flatMap((one) => outputRows(one, width)), ...end];
    });
}

function outputRows({ t, stream, text }: OutputLine, width: number): Line[] {
  const time = span(`${clockColumn(t)} `, 'dim');
  return hangingRows(time, text, width, stream === 'stderr' ? 'warn' : 'plain');
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
