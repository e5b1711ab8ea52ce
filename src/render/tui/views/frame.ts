import { currentRun } from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { verdictOf } from '../../../trace/summary/verdict.js';
import { age } from '../../text/duration.js';
import {
  joinLines,
  type Line,
  line,
  lineWidth,
  span,
  spread,
  spreadParts,
  wrapText,
} from '../../text/line.js';
import { lossText } from '../format.js';
import { podInView } from '../selection.js';
import { type About, type Snapshot, TABS } from '../state.js';
import { currentView } from './current-view.js';
import { phaseLine } from './pods-view.js';
import { footerHeight, type KeyHelp, type Row } from './view.js';

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

/** The pod in one row: `web  default  Running  Ready ✗ …        up 1m12s   process target   kubelet 1.36`. */
export function podHeader(
  pod: PodSummary,
  now: number,
  about: About,
  width: number,
  filter: Line,
): Line {
  const { name, namespace } = pod.object.metadata;
  const left = joinLines([
    [span(name, 'strong')],
    line(namespace, 'dim'),
    phaseLine(pod),
    readyLine(pod),
    filter,
  ]);
  return spreadParts(
    left,
    [line(`up ${age(now - pod.addedAt)}`), ...sourceLines(about, now)],
    width,
  );
}

/** Where it comes from, and the kubelet's version. */
export function sourceLines(about: About, now: number): Line[] {
  return [line(sourceText(about, now), 'dim'), line(`kubelet ${about.kubeletVersion}`, 'dim')];
}

/** Where it comes from: `process target`, `replay, 12s of 40s`, `replay, over`. */
function sourceText({ target, replayLength }: About, now: number): string {
  if (replayLength === undefined) return `${target} target`;
  return now < replayLength ? `replay, ${age(now)} of ${age(replayLength)}` : 'replay, over';
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
  const tone = pod.containers.some((c) => currentRun(c) === undefined || c.started)
    ? 'bad'
    : 'warn';
  const whys = [why, lost].filter((text) => text !== '').join('; ');
  return line(`Ready ✗${whys === '' ? '' : ` (${whys})`}`, tone);
}

const EVERYWHERE: readonly KeyHelp[] = [
  { key: '?', word: 'keys', sentence: '' },
  { key: 'q', word: 'quit', sentence: '' },
];

const MORE: readonly KeyHelp[] = [
  { key: 'space', word: 'pause', sentence: '' },
  { key: '/', word: 'filter', sentence: '' },
];

/** The last rows: what is being done, or what the keys do; and the tabs. */
export function footerLines(snapshot: Snapshot): Line[] {
  const { size } = snapshot;
  const said = happening(snapshot);
  const own = tabs(snapshot);
  if (footerHeight(size) === 2) return [said ?? keyHints(snapshot, size.columns), own];
  const room = size.columns - lineWidth(own) - 3;
  return [said ?? spread(own, keyHints(snapshot, room), size.columns)];
}

/** What the user is doing, or has to know now. */
function happening({ size, ui, ending, message, heldBack }: Snapshot): Line | undefined {
  if (ending) return line('ending: what was started is being stopped …', 'warn');
  if (ui.filterBefore !== undefined) {
    const help = line('enter keeps it, esc drops it', 'dim');
    return spread([span('/', 'strong'), span(ui.filter), span(' ', 'cursor')], help, size.columns);
  }
  if (message !== undefined) return line(message.text, message.tone);
  if (!ui.paused) return undefined;
  return spread(
    [span(` PAUSED: ${heldBack} lines wait, probing goes on `, 'cursor')],
    joinLines([keyHint('space', 'go on'), keyHint('q', 'quit')], '   '),
    size.columns,
  );
}

/** As many keys as there is room for, of those that do something; the others are in the help. */
function keyHints(snapshot: Snapshot, room: number): Line {
  const hint = ({ key, word }: KeyHelp): Line => keyHint(key, word);
  const keys = EVERYWHERE.map(hint);
  const isReplay = snapshot.about.replayLength !== undefined;
  const own = currentView(snapshot).keys.filter(({ isLive = false }) => !(isLive && isReplay));
  for (const one of [...own, ...MORE].map(hint)) {
    if (lineWidth(joinLines([one, ...keys])) > room) break;
    keys.splice(-EVERYWHERE.length, 0, one);
  }
  return joinLines(keys);
}

function tabs({ summary, ui }: Snapshot): Line {
  const first = summary.pods.length > 1 ? 'pods' : 'pod';
  return joinLines(
    TABS.map((tab, index) => {
      const text = `${index + 1} ${tab === 'pod' ? first : tab}`;
      return tab === ui.tab ? [span(`[${text}]`, 'strong')] : [span(text, 'dim')];
    }),
    ' ',
  );
}

function keyHint(key: string, word: string): Line {
  return [span(key, 'strong'), span(` ${word}`, 'dim')];
}

const SMALLEST = { columns: 60, rows: 15 };

export function isTooSmall({ size }: Snapshot): boolean {
  return size.columns < SMALLEST.columns || size.rows < SMALLEST.rows;
}

/** What is said where there is no room to show anything, with how things stand. */
export function tooSmallRows({ size, summary }: Snapshot): Row[] {
  const { columns, rows } = size;
  const texts = [
    `kprobe needs ${SMALLEST.columns}×${SMALLEST.rows}; this is ${columns}×${rows}.`,
    'Probing goes on. q quits.',
    '',
    ...(summary.pods.length === 0 ? [] : [verdictOf(summary).sentence]),
  ];
  return texts
    .flatMap((text) => wrapText(text, columns))
    .slice(0, rows)
    .map((text) => ({ line: line(text) }));
}
