import { logLines } from '../components/log-lines.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { chosenContainer, filterOf, matches, wrapsIn } from '../store/selection.js';
import type { Snapshot } from '../store/state.js';
import type { View } from './view.js';

export function logsTitle(snapshot: Snapshot): string {
  const found = chosenContainer(snapshot);
  return found === undefined ? 'logs' : `logs of ${found.container.name}`;
}

export const LogsView: View = ({ columns, rows }) => {
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
