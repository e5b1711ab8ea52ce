import { Box } from 'ink';
import type { FC } from 'react';

import { joinLines, type Line, line, lineWidth, span, spread, textWidth } from '../../text/line.js';
import { useSnapshot } from '../hooks/use-store.js';
import { bindingsOf } from '../store/press.js';
import { filterOf, viewName } from '../store/selection.js';
import { readsOnly, type Size, type Snapshot, TABS, tabText } from '../store/state.js';
import { Row } from './row.js';

/** Above this height the tabs have a row of their own. */
const LOW = 20;

export function footerHeight({ rows }: Size): number {
  return rows >= LOW ? 2 : 1;
}

/** Shows the typed text, a message, or the keys, and below them the tabs. */
export const Footer: FC = () => {
  const snapshot = useSnapshot();
  const { size } = snapshot;
  const { columns } = size;
  const message = messageLine(snapshot);
  if (footerHeight(size) === 2) {
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Row line={message ?? hintsLine(snapshot, columns)} width={columns} />
        <Row line={tabsRule(snapshot)} width={columns} />
      </Box>
    );
  }
  if (message !== undefined) return <Row line={message} width={columns} />;
  const tabs = tabsLine(snapshot, '');
  const hints = hintsLine(snapshot, columns - lineWidth(tabs) - 3);
  return <Row line={spread(tabs, hints, columns)} width={columns} />;
};

/** The tabs on a line that ends with the part of the body that is on the screen. */
function tabsRule(snapshot: Snapshot): Line {
  const { body, size } = snapshot;
  const tabs = tabsLine(snapshot, '─');
  const end = body === undefined ? 0 : Math.min(body.start + body.height, body.rows);
  const place =
    body === undefined || body.last === 0 ? '' : ` ${body.start + 1}–${end} of ${body.rows} ─`;
  const rest = '─'.repeat(Math.max(0, size.columns - lineWidth(tabs) - textWidth(place)));
  return [...tabs, span(rest, 'dim'), span(place, 'dim')];
}

function messageLine(snapshot: Snapshot): Line | undefined {
  const { size, ui, ending, message, heldBack } = snapshot;
  if (ending) return line('stopping what kprobe started …', 'warn');
  if (ui.command !== undefined) {
    const help = 'events, pod NAME, logs NAME, q: enter jumps, esc drops it';
    return promptLine(':', ui.command, help, size.columns);
  }
  if (ui.filterBefore !== undefined) {
    return promptLine('/', filterOf(snapshot), 'enter applies it, esc drops it', size.columns);
  }
  if (message !== undefined) return line(message.text, message.tone);
  if (!ui.paused) return undefined;
  return spread(
    line(` PAUSED: ${heldBack} lines held back, probing continues `, 'cursor'),
    joinLines([keyHint('space', 'resume'), keyHint('q', 'quit')], '   '),
    size.columns,
  );
}

function promptLine(sign: string, text: string, help: string, width: number): Line {
  const typed = [span(sign, 'strong'), span(text), span(' ', 'cursor')];
  return spread(typed, line(help, 'dim'), width);
}

function tabsLine({ summary, ui }: Snapshot, between: string): Line {
  return TABS.flatMap((tab, index) => {
    const text = tabText(tab, summary.pods.length);
    const own = tab === ui.tab ? span(`[${text}]`, 'cursor') : span(` ${text} `, 'dim');
    return [...(index === 0 ? [] : [span(between, 'dim')]), own];
  });
}

/** The keys that have an effect here, as many as there is room for; the help has all. */
function hintsLine(snapshot: Snapshot, width: number): Line {
  const { about } = snapshot;
  const isIdle = about.replayLength !== undefined || readsOnly(about);
  const view = viewName(snapshot);
  const known = bindingsOf(snapshot);
  const named = known.filter(
    ({ word, isLive = false, footer, views = footer }) =>
      word !== undefined && !(isLive && isIdle) && views?.includes(view),
  );
  const always = known
    .filter(({ keys }) => keys.includes('?') || keys.includes('q'))
    .map(({ keys, word = '' }) => keyHint(keys[0], word));
  const shown: Line[] = [];
  for (const { keys, label = keys[0], word = '' } of named) {
    const hint = keyHint(label, word);
    if (lineWidth(joinLines([...shown, hint, ...always])) > width) break;
    shown.push(hint);
  }
  return joinLines([...shown, ...always]);
}

function keyHint(key: string, word: string): Line {
  return [span(key, 'strong'), span(` ${word}`, 'dim')];
}
