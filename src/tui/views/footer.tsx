import { Box } from 'ink';
import type { FC, ReactNode } from 'react';

import { counted } from '../../text/count.js';
import { joinLines, type Line, lineWidth, span } from '../../text/line.js';
import { Fitting } from '../components/fitting.js';
import { Rule } from '../components/panel.js';
import { Paragraph, Spans, Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import type { Binding } from '../store/bindings.js';
import { bindingsOf, labelOf } from '../store/press.js';
import { filterOf, viewName } from '../store/selection.js';
import { canAct, LOW_ROWS, type Snapshot, tabGap, TABS, tabTexts } from '../store/state.js';

/** The typed text, a message or the keys, and below them the tabs, which have a row of their own on screens that are not low. */
export const Footer: FC = () => {
  const snapshot = useSnapshot();
  const message = messageOf(snapshot);
  if (snapshot.size.rows >= LOW_ROWS) {
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Box>{message ?? <Hints />}</Box>
        <Box>
          <Tabs />
          <Rule />
          <Position />
        </Box>
      </Box>
    );
  }
  if (message !== undefined) return <Box flexShrink={0}>{message}</Box>;
  return (
    <Box flexShrink={0}>
      <Tabs />
      <Text>{'  '}</Text>
      <Hints />
    </Box>
  );
};

/** The part of the body that is on the screen. */
const Position: FC = () => {
  const { start = 0, height = 0, rows = 0, last = 0 } = useSnapshot().body ?? {};
  if (last === 0) return null;
  return <Text tone="dim">{` ${start + 1}–${Math.min(start + height, rows)} of ${rows} ─`}</Text>;
};

/** Returns the text that replaces the hints of keys: a prompt, a message or a pause. */
function messageOf(snapshot: Snapshot): ReactNode {
  const { ui, ending, message, heldBack } = snapshot;
  if (ending) return <Text tone="warn">stopping what kprobe started …</Text>;
  if (ui.command !== undefined) {
    const help = 'ns NAME, deploy NAME, events, pod NAME, q: enter jumps, esc cancels';
    return <Prompt sign=":" text={ui.command} help={help} />;
  }
  if (ui.filterBefore !== undefined) {
    return <Prompt sign="/" text={filterOf(snapshot)} help="enter applies it, esc cancels" />;
  }
  if (message !== undefined) return <Paragraph {...message} />;
  if (!ui.paused) return undefined;
  return (
    <Box flexGrow={1} justifyContent="space-between">
      <Text tone="cursor">{` PAUSED: ${counted(heldBack, 'line')} held back, probing continues `}</Text>
      <Text>
        <Spans line={joinLines([hintLine('space', 'resume'), hintLine('q', 'quit')], '   ')} />
      </Text>
    </Box>
  );
}

interface PromptProps {
  readonly sign: string;
  readonly text: string;
  readonly help: string;
}

const Prompt: FC<PromptProps> = ({ sign, text, help }) => (
  <Box flexGrow={1} justifyContent="space-between">
    <Box>
      <Text wrap="truncate-start">
        <Text tone="strong">{sign}</Text>
        {text}
        <Text tone="cursor"> </Text>
      </Text>
    </Box>
    <Box flexShrink={100}>
      <Text tone="dim">{help}</Text>
    </Box>
  </Box>
);

const Tabs: FC = () => {
  const { ui, size } = useSnapshot();
  const parts = tabTexts(ui, size).map((text, index): Line => {
    const between = span(index === 0 ? '' : tabGap(size), 'dim');
    return [between, span(text, TABS[index] === ui.tab ? 'cursor' : 'dim')];
  });
  return <Fitting parts={parts} gap={{}} flexShrink={size.rows < LOW_ROWS ? 0 : 1} />;
};

/** The keys that have an effect here, as many as there is room for. */
const Hints: FC = () => {
  const snapshot = useSnapshot();
  const { context, summary, ui, size } = snapshot;
  const isEmpty = summary.pods.length === 0;
  const view = viewName(snapshot);
  const known = bindingsOf(snapshot);
  // In an overlay, q closes it: the first binding of a key is the one that works.
  const quit = known.find(({ keys }) => keys.includes('q'));
  const named = known.filter(
    ({ word, isLive = false, isOffered, views, footer = views }) =>
      word !== undefined &&
      !isEmpty &&
      !(isLive && !canAct(context)) &&
      isOffered?.(snapshot) !== false &&
      footer?.includes(view),
  );
  const hint = (binding: Binding): Line => hintLine(labelOf(binding, snapshot), binding.word ?? '');
  const always = known.filter((each) => each === quit || each.keys.includes('?')).map(hint);
  const beside = size.rows < LOW_ROWS ? tabTexts(ui, size).join(tabGap(size)).length + 2 : 0;
  const hasRoom = beside + lineWidth(joinLines(always)) <= size.columns;
  return (
    <>
      <Fitting
        flexShrink={100}
        gap={{ marginRight: 2 }}
        parts={named.filter((each) => each !== quit).map(hint)}
      />
      <Box flexShrink={0}>
        <Text>
          <Spans line={joinLines(hasRoom ? always : always.slice(0, 1))} />
        </Text>
      </Box>
    </>
  );
};

function hintLine(key: string, word: string): Line {
  return [span(key, 'strong'), span(` ${word}`, 'dim')];
}
