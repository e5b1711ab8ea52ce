import { explainProbe } from '../../../explain/explain-probe.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { handlerText } from '../../probe-text.js';
import { EMPTY_LINE, type Line, span, wrapText } from '../../text/line.js';
import { field, FIELD_WIDTH } from '../format.js';
import { findProbeIn, type FoundProbe } from '../selection.js';
import type { Snapshot } from '../state.js';
import { filteredBody, NO_BODY, type ViewKind } from './view.js';

/** Sentences are easier to read when rows are not too long. */
const MAX_WIDTH = 100;

/** What a probe's settings mean in time. */
export const explainView: ViewKind = {
  title: (snapshot) => {
    const found = foundOf(snapshot);
    return found === undefined
      ? 'explain'
      : `${found.container.name}/${found.probe.type} explained`;
  },
  show(snapshot) {
    const found = foundOf(snapshot);
    if (found === undefined) return { head: [], body: NO_BODY, tail: [] };
    const lines = explainLines(found, Math.min(MAX_WIDTH, snapshot.size.columns));
    return { head: [], body: filteredBody('explain', lines, snapshot.ui), tail: [] };
  },
  keys: [
    { key: 'd', word: 'settings', sentence: 'its settings and counters' },
    { key: 'esc', word: 'back', sentence: 'back' },
  ],
};

function explainLines({ pod, container, probe }: FoundProbe, width: number): Line[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  const { periodSeconds, timeoutSeconds, failureThreshold, successThreshold } = spec;
  const settings = `every ${periodSeconds} s, timeout ${timeoutSeconds} s, ${failureThreshold} to fail, ${successThreshold} to succeed`;
  return [
    ...field(probe.type, `${handlerText(spec, container.spec)}, ${settings}`, width),
    EMPTY_LINE,
    ...explainProbe(pod.object, container.spec, probe.type, spec).flatMap(({ topic, text }) => [
      ...explained(topic, text, width),
      EMPTY_LINE,
    ]),
  ];
}

function explained(topic: string, text: string, width: number): Line[] {
  const indent = FIELD_WIDTH + 3;
  return wrapText(text, Math.max(1, width - indent)).map((row, index) => [
    span((index === 0 ? topic : '').padEnd(indent), 'info'),
    span(row),
  ]);
}

function foundOf({ summary, ui }: Snapshot): FoundProbe | undefined {
  const overlay = ui.overlays.findLast(({ kind }) => kind === 'explain');
  return overlay?.kind === 'explain' ? findProbeIn(summary, overlay) : undefined;
}
