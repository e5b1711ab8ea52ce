import { Box, useInput } from 'ink';
import { type FC, useMemo } from 'react';

import { behindText } from '../report/view-text.js';
import { age } from '../text/duration.js';
import {
  elideLine,
  joinLines,
  type Line,
  line,
  lineWidth,
  span,
  spread,
  spreadParts,
  textWidth,
  wrapText,
} from '../text/line.js';
import { isPodReady } from '../trace/summary/condition-view.js';
import { currentRun } from '../trace/summary/container-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { verdictOf } from '../trace/summary/verdict.js';
import { clusterRows, lossText, phaseLine } from './components/format.js';
import { Row, Rows } from './components/rows.js';
import { StoreProvider, useSnapshot, useStore } from './hooks/use-store.js';
import type { Binding } from './store/bindings.js';
import { createKeyReader } from './store/key-reader.js';
import { bindingsOf, labelOf } from './store/press.js';
import { filterOf, podInView, viewName } from './store/selection.js';
import {
  type PlayerState,
  readsOnly,
  type RunContext,
  type Size,
  type Snapshot,
  TABS,
  tabText,
  type ViewName,
} from './store/state.js';
import type { Store } from './store/store.js';
import { attemptTitle, AttemptView } from './views/attempt-view.js';
import { describeTitle, DescribeView } from './views/describe-view.js';
import {
  ConfirmView,
  CopyView,
  explainTitle,
  ExplainView,
  HelpView,
} from './views/overlay-views.js';
import { PodView } from './views/pod-view.js';
import { podsTitle, PodsView } from './views/pods-view.js';
import { eventsTitle, EventsView, logsTitle, LogsView, StatusView } from './views/tab-views.js';
import { timelineTitle, TimelineView } from './views/timeline-view.js';

export const App: FC<{ readonly store: Store }> = ({ store }) => (
  <StoreProvider value={store}>
    <Screen />
  </StoreProvider>
);

const SMALLEST = { columns: 40, rows: 12 };
const HEADER_ROWS = 1;

const Screen: FC = () => {
  const { press } = useStore();
  useInput(useMemo(() => createKeyReader(press), [press]));
  const snapshot = useSnapshot();
  const { columns, rows } = snapshot.size;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return <TooSmall />;
  const { title, View } = VIEWS[viewName(snapshot)];
  const cluster = clusterRows(snapshot);
  const others = HEADER_ROWS + cluster.length + footerHeight(snapshot.size);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Box flexShrink={0}>
        <Header title={title(snapshot)} />
      </Box>
      <Rows lines={cluster} width={columns} />
      <Box flexDirection="column" flexGrow={1} flexBasis={0} overflow="hidden">
        <View columns={columns} rows={Math.max(0, rows - others)} />
      </Box>
      <Box flexShrink={0}>
        <Footer />
      </Box>
    </Box>
  );
};

const TooSmall: FC = () => {
  const { size, summary } = useSnapshot();
  const { columns, rows } = size;
  const texts = [
    `kprobe needs ${SMALLEST.columns}×${SMALLEST.rows}; this is ${columns}×${rows}.`,
    'Probing continues. q quits.',
    '',
    ...(summary.pods.length === 0 ? [] : [verdictOf(summary).sentence]),
  ];
  const lines = texts.flatMap((text) => wrapText(text, columns)).map((text) => line(text));
  return <Rows lines={lines.slice(0, rows)} width={columns} />;
};

/** Seconds for which a late tick is shown. */
const RECENT = 5;
/** Columns that a long name gives up last. */
const LEAST_NAME = 12;

/** The pod and its state, or the view's title in place of the details. */
const Header: FC<{ readonly title: string }> = ({ title }) => {
  const snapshot = useSnapshot();
  const { now, size } = snapshot;
  const pod = podInView(snapshot);
  const filterLine = filterText(snapshot) === '' ? [] : line(filterText(snapshot), 'warn');
  const details =
    filterLine.length > 0
      ? [line(title, 'info')]
      : pod !== undefined && title === ''
        ? [line(pod.object.metadata.namespace, 'dim'), phaseLine(pod), readyLine(pod)]
        : [pod === undefined ? [] : readySign(pod), line(title, 'info')];
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

function sourceLines({ now, context, summary, player }: Snapshot): Line[] {
  const { behind } = summary;
  const isBehind = behind !== undefined && now - behind.t < RECENT;
  return [
    isBehind ? line(`kprobe is ${behindText(behind, summary)}`, 'warn') : [],
    line(sourceText(context, now) + playerText(player), 'dim'),
    line(`kubelet ${context.kubeletVersion}`, 'dim'),
  ];
}

/** `process target`, `replay, 12s of 40s`, `replay, over`. */
function sourceText({ target, replayLength }: RunContext, now: number): string {
  if (replayLength === undefined) return `${target} target`;
  return now < replayLength ? `replay, ${age(now)} of ${age(replayLength)}` : 'replay, over';
}

function playerText(player: PlayerState | undefined): string {
  if (player === undefined) return '';
  const { speed, isPaused } = player;
  return `${speed === Infinity ? '' : `, ${speed} ×`}${isPaused ? ', paused' : ''}`;
}

function readySign(pod: PodSummary): Line {
  if (pod.conditions['Ready'] === undefined) return [];
  return isPodReady(pod) ? line('Ready ✓', 'good') : line('Ready ✗', 'bad');
}

/** `Ready ✓`, or `Ready ✗ (ContainersNotReady: app)`. */
function readyLine(pod: PodSummary): Line {
  if (pod.conditions['Ready'] === undefined) return [];
  const lost = lossText(pod);
  if (isPodReady(pod)) return line(`Ready ✓${lost === '' ? '' : ` (${lost})`}`, 'good');
  if (pod.phase === 'Succeeded') return line('Ready – (completed)', 'dim');
  const condition = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const reason = condition?.reason ?? '';
  const unready = pod.containers.filter(
    (container) => container.role !== 'init' && !container.ready,
  );
  const names = reason === 'ContainersNotReady' ? unready.map(({ name }) => name).join(', ') : '';
  const cause = names === '' ? reason : `${reason}: ${names}`;
  const details = [cause, lost].filter((text) => text !== '').join('; ');
  const isBad = pod.containers.some(
    (container) => currentRun(container) === undefined || container.started,
  );
  return line(`Ready ✗${details === '' ? '' : ` (${details})`}`, isBad ? 'bad' : 'warn');
}

/** Above this height the tabs have a row of their own. */
const LOW = 20;

function footerHeight({ rows }: Size): number {
  return rows >= LOW ? 2 : 1;
}

/** Shows the typed text, a message, or the keys, and below them the tabs. */
const Footer: FC = () => {
  const snapshot = useSnapshot();
  const { columns } = snapshot.size;
  const message = messageLine(snapshot);
  if (footerHeight(snapshot.size) === 2) {
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
  const { start = 0, height = 0, rows = 0, last = 0 } = body ?? {};
  const place = last === 0 ? '' : ` ${start + 1}–${Math.min(start + height, rows)} of ${rows} ─`;
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
    const label = tab === ui.tab ? span(`[${text}]`, 'cursor') : span(` ${text} `, 'dim');
    return [...(index === 0 ? [] : [span(between, 'dim')]), label];
  });
}

/** The keys that have an effect here, as many as there is room for; the help has all. */
function hintsLine(snapshot: Snapshot, width: number): Line {
  const { context } = snapshot;
  const isIdle = context.replayLength !== undefined || readsOnly(context);
  const view = viewName(snapshot);
  const known = bindingsOf(snapshot);
  const hintOf = (binding: Binding): Line =>
    keyHint(labelOf(binding, snapshot), binding.word ?? '');
  const named = known.filter(
    ({ word, isLive = false, isOffered, footer, views = footer }) =>
      word !== undefined &&
      !(isLive && isIdle) &&
      isOffered?.(snapshot) !== false &&
      views?.includes(view),
  );
  // In an overlay, q closes it: the first binding of a key is the one that works.
  const quit = known.find(({ keys }) => keys.includes('q'));
  const always = known.filter((each) => each === quit || each.keys.includes('?')).map(hintOf);
  const shown: Line[] = [];
  for (const binding of named.filter((each) => each !== quit)) {
    const hint = hintOf(binding);
    if (lineWidth(joinLines([...shown, hint, ...always])) > width) break;
    shown.push(hint);
  }
  return joinLines([...shown, ...always]);
}

function keyHint(key: string, word: string): Line {
  return [span(key, 'strong'), span(` ${word}`, 'dim')];
}

/** Each view, with its title in the header. */
const VIEWS: Readonly<
  Record<ViewName, { readonly title: (snapshot: Snapshot) => string; readonly View: FC<Size> }>
> = {
  pods: { title: podsTitle, View: PodsView },
  pod: { title: () => '', View: PodView },
  timeline: { title: timelineTitle, View: TimelineView },
  events: { title: eventsTitle, View: EventsView },
  status: { title: () => 'status', View: StatusView },
  logs: { title: logsTitle, View: LogsView },
  help: { title: () => 'keys', View: HelpView },
  attempt: { title: attemptTitle, View: AttemptView },
  describe: { title: describeTitle, View: DescribeView },
  explain: { title: explainTitle, View: ExplainView },
  copy: { title: () => 'copy', View: CopyView },
  confirmRestart: { title: () => 'restart', View: ConfirmView },
};
