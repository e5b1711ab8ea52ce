import type { Line } from '../../../text/line.js';
import { findContainerIn, findProbeIn } from '../../store/find-probe.js';
import type { Snapshot } from '../../store/snapshot.js';
import { filteredBody, type ViewKind } from '../view.js';
import { containerLines } from './container-lines.js';
import { probeLines } from './probe-lines.js';

/** All settings of a container or a probe, and what has come of it. */
export const describeView: ViewKind = {
  title: (snapshot) => {
    const overlay = overlayOf(snapshot);
    if (overlay === undefined) return 'describe';
    const { container, probe } = overlay;
    return probe === undefined ? container : `${container}/${probe}`;
  },
  show(snapshot) {
    return { head: [], body: filteredBody('describe', lines(snapshot), snapshot.ui), tail: [] };
  },
  keys: [
    { key: 'j k', word: 'scroll', sentence: 'scroll' },
    { key: 'x', word: 'explain', sentence: "what a probe's settings mean in time" },
    { key: 'esc', word: 'back', sentence: 'back' },
  ],
};

function lines(snapshot: Snapshot): Line[] {
  const overlay = overlayOf(snapshot);
  if (overlay === undefined) return [];
  const { probe } = overlay;
  const width = snapshot.size.columns;
  if (probe === undefined) {
    const found = findContainerIn(snapshot.summary, overlay);
    return found === undefined ? [] : containerLines(found, snapshot, width);
  }
  const found = findProbeIn(snapshot.summary, { ...overlay, probe });
  return found === undefined ? [] : probeLines(found, width);
}

function overlayOf({
  ui,
}: Snapshot): Extract<Snapshot['ui']['overlays'][number], { kind: 'describe' }> | undefined {
  const overlay = ui.overlays.findLast(({ kind }) => kind === 'describe');
  return overlay?.kind === 'describe' ? overlay : undefined;
}
