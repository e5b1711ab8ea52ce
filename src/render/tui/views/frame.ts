import { currentRun } from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { verdictOf } from '../../../trace/summary/verdict.js';
import { behindText } from '../../behind-text.js';
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
import { type About, readsOnly, type Snapshot, TABS } from '../state.js';
import { currentView } from './current-view.js';
import { phaseLine } from './pods-view.js';
import { footerHeight } from './view.js';

/** Seconds after which a late tick is no longer news. */
const RECENT = 5;

/** The first row: the pod and its state, or the view's title in place of the details. */
export function headerLine(snapshot: Snapshot): Line {
  const { now, about, size, summary, ui } = snapshot;
  const pod = podInView(snapshot);
  const title = currentView(snapshot).title(snapshot);
  const name = pod === undefined ? [] : line(pod.object.metadata.name, 'strong');
  const filter = ui.filter === '' ? [] : line(`/${ui.filter}`, 'warn');
  const { behind } = summary;
  const isBehind = behind !== undefined && now - behind.t < RECENT;
  const source = [
    isBehind ? line(behindText(behind, summary), 'warn') : [],
    line(sourceText(about, now), 'dim'),
    line(`kubelet ${about.kubeletVersion}`, 'dim'),
  ];
  if (pod !== undefined && title === '') {
    const namespace = line(pod.object.metadata.namespace, 'dim');
    const left = joinLines([name, namespace, phaseLine(pod), readyLine(pod), filter]);
    return spreadParts(left, [line(`up ${age(now - pod.addedAt)}`), ...source], size.columns);
  }
  const left = joinLines([name, readySign(pod?.conditions['Ready']), line(title, 'info'), filter]);
  return spreadParts(left, source, size.columns);
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

export function footerLines(snapshot: Snapshot): Line[] {
  const { columns } = snapshot.size;
  const message = messageLine(snapshot);
  const tabs = tabsLine(snapshot);
  if (footerHeight(snapshot.size) === 2) return [message ?? keyHints(snapshot, columns), tabs];
  const room = columns - lineWidth(tabs) - 3;
  return [message ?? spread(tabs, keyHints(snapshot, room), columns)];
}

function messageLine({ size, ui, ending, message, heldBack }: Snapshot): Line | undefined {
  if (ending) return line('stopping what kprobe started …', 'warn');
  if (ui.filterBefore !== undefined) {
    const help = line('enter applies it, esc drops it', 'dim');
    return spread([span('/', 'strong'), span(ui.filter), span(' ', 'cursor')], help, size.columns);
  }
  if (message !== undefined) return line(message.text, message.tone);
  if (!ui.paused) return undefined;
  return spread(
    line(` PAUSED: ${heldBack} lines held back, probing continues `, 'cursor'),
    joinLines([keyHint('space', 'resume'), keyHint('q', 'quit')], '   '),
    size.columns,
  );
}

/** The keys that do something here, as many as there is room for; the help has all. */
function keyHints(snapshot: Snapshot, room: number): Line {
  const { about } = snapshot;
  const isIdle = about.replayLength !== undefined || readsOnly(about);
  const own = currentView(snapshot)
    .keys.filter(({ isLive = false }) => !(isLive && isIdle))
    .map(({ key, word }) => keyHint(key, word));
  const always = [keyHint('?', 'keys'), keyHint('q', 'quit')];
  const shown: Line[] = [];
  for (const hint of [...own, keyHint('space', 'pause'), keyHint('/', 'filter')]) {
    if (lineWidth(joinLines([...shown, hint, ...always])) > room) break;
    shown.push(hint);
  }
  return joinLines([...shown, ...always]);
}

function keyHint(key: string, word: string): Line {
  return [span(key, 'strong'), span(` ${word}`, 'dim')];
}

function tabsLine({ summary, ui }: Snapshot): Line {
  const first = summary.pods.length > 1 ? 'pods' : 'pod';
  return joinLines(
    TABS.map((tab, index) => {
      const text = `${index + 1} ${tab === 'pod' ? first : tab}`;
      return tab === ui.tab ? line(`[${text}]`, 'strong') : line(text, 'dim');
    }),
    ' ',
  );
}

const SMALLEST = { columns: 40, rows: 12 };

export function isTooSmall({ size }: Snapshot): boolean {
  return size.columns < SMALLEST.columns || size.rows < SMALLEST.rows;
}

export function tooSmallRows({ size, summary }: Snapshot): Line[] {
  const { columns, rows } = size;
  const texts = [
    `kprobe needs ${SMALLEST.columns}×${SMALLEST.rows}; this is ${columns}×${rows}.`,
    'Probing continues. q quits.',
    '',
    ...(summary.pods.length === 0 ? [] : [verdictOf(summary).sentence]),
  ];
  return texts
    .flatMap((text) => wrapText(text, columns))
    .slice(0, rows)
    .map((text) => line(text));
}
