import type { FC } from 'react';

import { currentRun } from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { behindText } from '../../behind-text.js';
import { age } from '../../text/duration.js';
import { joinLines, type Line, line, spreadParts } from '../../text/line.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf, podInView } from '../store/selection.js';
import type { About, Snapshot } from '../store/state.js';
import { lossText, phaseLine } from './format.js';
import { Row } from './row.js';

/** Seconds after which a late tick is no longer news. */
const RECENT = 5;

/** The pod and its state, or the view's title in place of the details. */
export const Header: FC<{ readonly title: string }> = ({ title }) => {
  const snapshot = useSnapshot();
  const { now, size } = snapshot;
  const pod = podInView(snapshot);
  const name = pod === undefined ? [] : line(pod.object.metadata.name, 'strong');
  const filter = filterOf(snapshot);
  const filterLine = filter === '' ? [] : line(`/${filter}`, 'warn');
  const left =
    pod !== undefined && title === ''
      ? [name, line(pod.object.metadata.namespace, 'dim'), phaseLine(pod), readyLine(pod)]
      : [name, readySign(pod?.conditions['Ready']), line(title, 'info')];
  const right = [
    ...(pod !== undefined && title === '' ? [line(`up ${age(now - pod.addedAt)}`)] : []),
    ...sourceLines(snapshot),
  ];
  const text = spreadParts(joinLines([...left, filterLine]), right, size.columns);
  return <Row line={text} width={size.columns} />;
};

function sourceLines({ now, about, summary }: Snapshot): Line[] {
  const { behind } = summary;
  const isBehind = behind !== undefined && now - behind.t < RECENT;
  return [
    isBehind ? line(behindText(behind, summary), 'warn') : [],
    line(sourceText(about, now), 'dim'),
    line(`kubelet ${about.kubeletVersion}`, 'dim'),
  ];
}

/** `process target`, `replay, 12s of 40s`, `replay, over`. */
function sourceText({ target, replayLength }: About, now: number): string {
  if (replayLength === undefined) return `${target} target`;
  return now < replayLength ? `replay, ${age(now)} of ${age(replayLength)}` : 'replay, over';
}

function readySign(ready: string | undefined): Line {
  if (ready === undefined) return [];
  return ready === 'True' ? line('Ready ✓', 'good') : line('Ready ✗', 'bad');
}

/** `Ready ✓`, or `Ready ✗ (ContainersNotReady: app)`. */
function readyLine(pod: PodSummary): Line {
  const ready = pod.conditions['Ready'];
  if (ready === undefined) return [];
  const lost = lossText(pod);
  if (ready === 'True') return line(`Ready ✓${lost === '' ? '' : ` (${lost})`}`, 'good');
  if (pod.phase === 'Succeeded') return line('Ready – (completed)', 'dim');
  const reason = /^False (\w+)/.exec(ready)?.[1] ?? '';
  const unready = /\[(.*)\]$/.exec(ready)?.[1]?.split(' ').join(', ') ?? '';
  const why = unready === '' ? reason : `${reason}: ${unready}`;
  const details = [why, lost].filter((text) => text !== '').join('; ');
  const isBad = pod.containers.some((one) => currentRun(one) === undefined || one.started);
  return line(`Ready ✗${details === '' ? '' : ` (${details})`}`, isBad ? 'bad' : 'warn');
}
