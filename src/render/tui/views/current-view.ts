import { EMPTY_LINE, type Line, span } from '../../text/line.js';
import { heading } from '../format.js';
import { podInView } from '../selection.js';
import type { Snapshot } from '../state.js';
import { attemptView } from './attempt-view.js';
import { confirmView } from './confirm-view.js';
import { describeView } from './describe-view.js';
import { eventsView } from './events-view.js';
import { explainView } from './explain-view.js';
import { logsView } from './logs-view.js';
import { podView } from './pod-view.js';
import { podsView } from './pods-view.js';
import { statusView } from './status-view.js';
import { timelineView } from './timeline-view.js';
import { filteredBody, type KeyHelp, type ViewKind } from './view.js';

/** What is shown: what lies on top, else the tab. */
export function currentView(snapshot: Snapshot): ViewKind {
  switch (snapshot.ui.overlays.at(-1)?.kind) {
    case 'help':
      return helpView;
    case 'attempt':
      return attemptView;
    case 'describe':
      return describeView;
    case 'explain':
      return explainView;
    case 'confirmRestart':
      return confirmView;
    case undefined:
      return tabView(snapshot);
  }
}

/** The view of the tab, whatever lies over it. */
export function tabView(snapshot: Snapshot): ViewKind {
  if (snapshot.summary.pods.length > 1 && podInView(snapshot) === undefined) return podsView;
  switch (snapshot.ui.tab) {
    case 'pod':
      return podView;
    case 'timeline':
      return timelineView;
    case 'events':
      return eventsView;
    case 'status':
      return statusView;
    case 'logs':
      return logsView;
  }
}

const EVERYWHERE: readonly KeyHelp[] = [
  {
    key: '1 – 5',
    word: '',
    sentence: 'pod, timeline, events, status, logs; Tab and [ ] go through them',
  },
  { key: 'e y l', word: '', sentence: 'events, status as YAML, logs' },
  { key: '/', word: '', sentence: 'show only what contains a text; esc shows all again' },
  { key: 'space', word: '', sentence: 'pause the display; probing goes on. u does, too' },
  {
    key: 't',
    word: '',
    sentence: "have the chosen probe look now, as the kubelet's manual trigger does",
  },
  { key: 'r', word: '', sentence: 'restart the chosen container; asks first where it is real' },
  { key: 'd', word: '', sentence: 'describe what is chosen: settings, latencies, counters' },
  { key: 'x', word: '', sentence: 'explain the chosen probe: what its settings mean in time' },
  { key: 'ctrl-s', word: '', sentence: 'save the trace so far' },
  { key: 'g G', word: '', sentence: 'to the begin, to the end; ctrl-f and ctrl-b page' },
  { key: 'w', word: '', sentence: 'wrap long lines, or cut them off' },
  { key: 'esc', word: '', sentence: 'back' },
  { key: 'ctrl-z', word: '', sentence: 'suspend; fg comes back' },
  { key: 'q', word: '', sentence: 'end the run; the exit code tells its verdict' },
  { key: 'ctrl-c', word: '', sentence: 'end the run with exit code 130' },
];

const SIGNS: readonly (readonly [string, string])[] = [
  ['✓ ✗ !', 'success, failure, an attempt that errored and counts for nothing'],
  ['██▁ 2/3', 'two of the three results in a row that it takes'],
  ['NEXT', 'when the next attempt begins'],
];

/** The keys of the view below, then those that hold everywhere. */
export const helpView: ViewKind = {
  title: () => 'keys',
  show(snapshot) {
    const lines: Line[] = [
      heading('In this view'),
      ...below(snapshot).map(keyLine),
      EMPTY_LINE,
      heading('Everywhere'),
      ...EVERYWHERE.map(keyLine),
      EMPTY_LINE,
      heading('Signs'),
      ...SIGNS.map(([sign, sentence]) => keyLine({ key: sign, word: '', sentence })),
    ];
    return { head: [], body: filteredBody('help', lines, snapshot.ui), tail: [] };
  },
  keys: [
    { key: 'esc', word: 'back', sentence: 'back' },
    { key: 'j k', word: 'scroll', sentence: 'scroll' },
  ],
};

function below(snapshot: Snapshot): readonly KeyHelp[] {
  return tabView(snapshot).keys;
}

function keyLine({ key, sentence }: KeyHelp): Line {
  return [span(`  ${key.padEnd(9)}`, 'strong'), span(sentence)];
}
