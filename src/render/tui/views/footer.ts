import type { Snapshot } from '../store/snapshot.js';
import { TABS } from '../store/ui.js';
import { joinLines, line, lineWidth, spread } from '../text/line.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
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

/** The last row: what is being done, or the tabs and what the keys do. */
export function footerLine(snapshot: Snapshot): Line {
  const { size, ui, ending, message, heldBack } = snapshot;
  const width = size.columns;
  if (ending) return line('ending: what was started is being stopped …', 'warn');
  if (ui.filterBefore !== undefined) {
    const help = line('enter keeps it, esc drops it', 'dim');
    return spread([span('/', 'strong'), span(ui.filter), span(' ', 'cursor')], help, width);
  }
  if (message !== undefined) return line(message.text, message.tone);
  if (ui.paused) {
    const text = ` PAUSED: ${heldBack} lines wait, probing goes on `;
    return spread(
      [span(text, 'cursor')],
      joinLines([keyHint('space', 'go on'), keyHint('q', 'quit')], '   '),
      width,
    );
  }
  const left = tabs(snapshot);
  const own = currentView(snapshot).keys.map(({ key, word }) => keyHint(key, word));
  const everywhere = EVERYWHERE.map(({ key, word }) => keyHint(key, word));
  const more = MORE.map(({ key, word }) => keyHint(key, word));
  // What there is no room for is in the help.
  const room = width - lineWidth(left) - 3;
  const keys = [...everywhere];
  for (const hint of [...own, ...more]) {
    if (lineWidth(joinLines([hint, ...keys], '  ')) > room) break;
    keys.splice(-EVERYWHERE.length, 0, hint);
  }
  return spread(left, joinLines(keys, '  '), width);
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
