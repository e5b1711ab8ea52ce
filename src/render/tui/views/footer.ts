import { joinLines, type Line, line, lineWidth, span, spread } from '../../text/line.js';
import type { Size } from '../screen/terminal.js';
import type { Snapshot } from '../store/snapshot.js';
import { TABS } from '../store/ui.js';
import { currentView } from './current-view.js';
import type { KeyHelp } from './view.js';

const EVERYWHERE: readonly KeyHelp[] = [
  { key: '?', word: 'keys', sentence: '' },
  { key: 'q', word: 'quit', sentence: '' },
];

const MORE: readonly KeyHelp[] = [
  { key: 'space', word: 'pause', sentence: '' },
  { key: '/', word: 'filter', sentence: '' },
];

/** Up to this width the tabs leave too little room for the keys beside them. */
const NARROW = 120;
/** Above this height there is a row to spare. */
const LOW = 20;

/** Rows of the footer: keys and tabs get one each where one is not enough for both. */
export function footerHeight({ columns, rows }: Size): number {
  return columns <= NARROW && rows >= LOW ? 2 : 1;
}

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
