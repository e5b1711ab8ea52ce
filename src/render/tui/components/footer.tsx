import { Box } from 'ink';
import type { FC } from 'react';

import { joinLines, type Line, line, lineWidth, span, spread } from '../../text/line.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf } from '../store/selection.js';
import { type Size, type Snapshot, TABS } from '../store/state.js';
import { hintsLine, keyHint } from './key-hints.js';
import { Row } from './row.js';

/** Up to this width the tabs leave too little room for the keys beside them. */
const NARROW = 120;
/** Above this height there is a row to spare. */
const LOW = 20;

/** Keys and tabs get a row each where one is not enough for both. */
export function footerHeight({ columns, rows }: Size): number {
  return columns <= NARROW && rows >= LOW ? 2 : 1;
}

/** What the user types, a message, or the keys; and the tabs. */
export const Footer: FC = () => {
  const snapshot = useSnapshot();
  const { size } = snapshot;
  const { columns } = size;
  const message = messageLine(snapshot);
  const tabs = tabsLine(snapshot);
  if (footerHeight(size) === 2) {
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Row line={message ?? hintsLine(snapshot, columns)} width={columns} />
        <Row line={tabs} width={columns} />
      </Box>
    );
  }
  if (message !== undefined) return <Row line={message} width={columns} />;
  const hints = hintsLine(snapshot, columns - lineWidth(tabs) - 3);
  return <Row line={spread(tabs, hints, columns)} width={columns} />;
};

function messageLine(snapshot: Snapshot): Line | undefined {
  const { size, ui, ending, message, heldBack } = snapshot;
  if (ending) return line('stopping what kprobe started …', 'warn');
  if (ui.filterBefore !== undefined) {
    const help = line('enter applies it, esc drops it', 'dim');
    return spread(
      [span('/', 'strong'), span(filterOf(snapshot)), span(' ', 'cursor')],
      help,
      size.columns,
    );
  }
  if (message !== undefined) return line(message.text, message.tone);
  if (!ui.paused) return undefined;
  return spread(
    line(` PAUSED: ${heldBack} lines held back, probing continues `, 'cursor'),
    joinLines([keyHint('space', 'resume'), keyHint('q', 'quit')], '   '),
    size.columns,
  );
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
