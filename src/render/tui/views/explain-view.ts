import { explainProbe } from '../../../explain/explain-probe.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { handlerText, settingsText } from '../../probe-text.js';
import { hangingRows, type Line, span } from '../../text/line.js';
import { field, FIELD_WIDTH } from '../format.js';
import { findProbeIn, type FoundProbe } from '../selection.js';
import { overlayOf, type Snapshot } from '../state.js';
import { filteredBody, type ViewKind } from './view.js';

/** Sentences are easier to read when rows are not too long. */
const MAX_WIDTH = 100;

export const explainView: ViewKind = {
  title: (snapshot) => {
    const found = findShown(snapshot);
    return found === undefined
      ? 'explain'
      : `${found.container.name}/${found.probe.type} explained`;
  },
  show(snapshot) {
    const found = findShown(snapshot);
    if (found === undefined) return {};
    const lines = explainLines(found, Math.min(MAX_WIDTH, snapshot.size.columns));
    return { body: filteredBody('explain', lines, snapshot.ui) };
  },
  keys: [
    { key: 'd', word: 'settings', sentence: 'show its settings and counters' },
    { key: 'esc', word: 'back', sentence: 'back' },
  ],
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

function findShown({ summary, ui }: Snapshot): FoundProbe | undefined {
  const overlay = overlayOf(ui, 'explain');
  return overlay && findProbeIn(summary, overlay);
}
