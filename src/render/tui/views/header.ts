import { joinLines, type Line, line, span, spreadParts } from '../../text/line.js';
import { podInView } from '../store/pod-in-view.js';
import type { Snapshot } from '../store/snapshot.js';
import { currentView } from './current-view.js';
import { podHeader, sourceLines } from './pod/pod-header.js';

/** The first row: the pod and how it is, or the view's name in place of the details. */
export function headerLine(snapshot: Snapshot): Line {
  const { now, about, size, ui } = snapshot;
  const pod = podInView(snapshot);
  const title = currentView(snapshot).title(snapshot);
  const filter = ui.filter === '' ? [] : line(`/${ui.filter}`, 'warn');
  if (pod !== undefined && title === '') return podHeader(pod, now, about, size.columns, filter);
  const name = pod === undefined ? [] : [span(pod.object.metadata.name, 'strong')];
  const ready = pod === undefined ? [] : readySign(pod.conditions['Ready']);
  const left = joinLines([name, ready, line(title, 'info'), filter]);
  return spreadParts(left, sourceLines(about, now), size.columns);
}

function readySign(ready: string | undefined): Line {
  if (ready === undefined) return [];
  return ready === 'True' ? line('Ready ✓', 'good') : line('Ready ✗', 'bad');
}
