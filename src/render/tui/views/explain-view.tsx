import { explainProbe } from '../../../explain/explain-probe.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { handlerText, settingsText } from '../../probe-text.js';
import { hangingRows, type Line, span } from '../../text/line.js';
import { field, FIELD_WIDTH } from '../components/format.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterLines, findProbeIn, type FoundProbe, wrapsIn } from '../store/selection.js';
import { overlayOf, type Snapshot } from '../store/state.js';
import type { View } from './view.js';

/** Sentences are easier to read when rows are not too long. */
const MAX_WIDTH = 100;

export function explainTitle(snapshot: Snapshot): string {
  const found = findExplained(snapshot);
  return found === undefined ? 'explain' : `${found.container.name}/${found.probe.type} explained`;
}

export const ExplainView: View = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const found = findExplained(snapshot);
  if (found === undefined) return null;
  const width = wrapsIn(snapshot) ? Math.min(MAX_WIDTH, columns) : Infinity;
  const filtered = filterLines(explainLines(found, width), snapshot, width);
  return <ScrollBox id="explain" {...filtered} width={columns} height={rows} />;
};

function explainLines({ pod, container, probe }: FoundProbe, width: number): Line[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  const settings = `${settingsText(spec)}, ${spec.successThreshold} to succeed`;
  const indent = FIELD_WIDTH + 3;
  const sentences = explainProbe(pod.object, container.spec, probe.type, spec);
  return [
    ...field(probe.type, `${handlerText(spec, container.spec)}, ${settings}`, width),
    [],
    ...sentences.flatMap(({ topic, text }): Line[] => [
      ...hangingRows(span(topic.padEnd(indent), 'info'), text, width),
      [],
    ]),
  ];
}

function findExplained({ summary, ui }: Snapshot): FoundProbe | undefined {
  const overlay = overlayOf(ui, 'explain');
  return overlay && findProbeIn(summary, overlay);
}
