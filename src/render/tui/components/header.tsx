import type { FC } from 'react';

import { currentRun } from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { elideLine, joinLines, type Line, line, lineWidth, spreadParts } from '../../text/line.js';
import { behindText } from '../../view-text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf, podInView } from '../store/selection.js';
import type { About, PlayerState, Snapshot } from '../store/state.js';
import { lossText, phaseLine } from './format.js';
import { Row } from './row.js';

/** Seconds after which a late tick is no longer news. */
const RECENT = 5;
/** Columns that a long name gives up last. */
const LEAST_NAME = 12;

/** The pod and its state, or the view's title in place of the details. */
export const Header: FC<{ readonly title: string }> = ({ title }) => {
  const snapshot = useSnapshot();
  const { now, size } = snapshot;
  const pod = podInView(snapshot);
  const filterLine = filterText(snapshot) === '' ? [] : line(filterText(snapshot), 'warn');
  const details =
    pod !== undefined && title === ''
      ? [line(pod.object.metadata.namespace, 'dim'), phaseLine(pod), readyLine(pod)]
      : [readySign(pod?.conditions['Ready']), line(title, 'info')];
  const right = [
    ...(pod !== undefined && title === '' ? [line(`up ${age(now - pod.addedAt)}`)] : []),
    ...sourceLines(snapshot),
  ];
  const state = joinLines([...details, filterLine]);
  const room = Math.max(LEAST_NAME, size.columns - lineWidth(state) - 2);
  const name = pod === undefined ? [] : elideLine(line(pod.object.metadata.name, 'strong'), room);
  const text = spreadParts(joinLines([name, state]), right, size.columns);
  return <Row line={text} width={size.columns} />;
};

/** `/live: 3 of 12, esc clears`; empty without a filter. */
function filterText(snapshot: Snapshot): string {
  const filter = filterOf(snapshot);
  const { shown = 0, total = 0 } = snapshot.body ?? {};
  return filter === '' ? '' : `/${filter}: ${shown} of ${total}, esc clears`;
}

function sourceLines({ now, about, summary, player }: Snapshot): Line[] {
  const { behind } = summary;
  const isBehind = behind !== undefined && now - behind.t < RECENT;
  return [
    isBehind ? line(behindText(behind, summary), 'warn') : [],
    line(sourceText(about, now) + playerText(player), 'dim'),
    line(`kubelet ${about.kubeletVersion}`, 'dim'),
  ];
}

/** `process target`, `replay, 12s of 40s`, `replay, over`. */
function sourceText({ target, replayLength }: About, now: number): string {
  if (replayLength === undefined) return `${target} target`;
  return now < replayLength ? `replay, ${age(now)} of ${age(replayLength)}` : 'replay, over';
}

/** `, 4 ×, paused` */
function playerText(player: PlayerState | undefined): string {
  if (player === undefined) return '';
  const { speed, isPaused } = player;
  return `${speed === Infinity ? '' : `, ${speed} ×`}${isPaused ? ', paused' : ''}`;
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
  const condition = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const reason = condition?.reason ?? '';
  const unready = pod.containers.filter((one) => one.role !== 'init' && !one.ready);
  const names = reason === 'ContainersNotReady' ? unready.map(({ name }) => name).join(', ') : '';
  const why = names === '' ? reason : `${reason}: ${names}`;
  const details = [why, lost].filter((text) => text !== '').join('; ');
  const isBad = pod.containers.some((one) => currentRun(one) === undefined || one.started);
  return line(`Ready ✗${details === '' ? '' : ` (${details})`}`, isBad ? 'bad' : 'warn');
}
