import { type Line, line, span } from '../../text/line.js';
import { heading } from '../format.js';
import { podInView } from '../selection.js';
import { overlayOf, readsOnly, type Snapshot, withoutOverlay } from '../state.js';
import { attemptView } from './attempt-view.js';
import { describeView, explainView } from './describe-view.js';
import { eventsView } from './events-view.js';
import { logsView } from './logs-view.js';
import { podView } from './pod-view.js';
import { podsView } from './pods-view.js';
import { statusView } from './status-view.js';
import { timelineView } from './timeline-view.js';
import { filteredBody, type ViewKind } from './view.js';

export function currentView(snapshot: Snapshot): ViewKind {
  const overlay = snapshot.ui.overlays.at(-1);
  if (overlay === undefined) return tabView(snapshot);
  const overlays = {
    help: helpView,
    attempt: attemptView,
    describe: describeView,
    explain: explainView,
    confirmRestart: confirmView,
  };
  return overlays[overlay.kind];
}

function tabView(snapshot: Snapshot): ViewKind {
  if (snapshot.summary.pods.length > 1 && podInView(snapshot) === undefined) return podsView;
  return TAB_VIEWS[snapshot.ui.tab];
}

const TAB_VIEWS = {
  pod: podView,
  timeline: timelineView,
  events: eventsView,
  status: statusView,
  logs: logsView,
};

const EVERYWHERE = {
  '1 – 5': 'pod, timeline, events, status, logs; Tab and [ ] go through them',
  'e y l': 'events, status as YAML, logs',
  'n N': 'next problem, problem before',
  '/': 'show only rows that contain a text; esc shows all again',
  space: 'pause the display while probing continues (u does the same)',
  t: "run the chosen probe now, as the kubelet's manual trigger does",
  r: 'restart the chosen container; asks first if the restart is real',
  d: 'describe the chosen row: settings, latencies, counters',
  x: "explain the chosen probe's timing",
  'ctrl-s': 'save the trace so far',
  'g G': 'to the top, to the end; ctrl-f and ctrl-b page',
  w: 'wrap long lines, or cut them off',
  esc: 'back',
  'ctrl-z': 'suspend; fg resumes',
  q: 'end the run; the exit code is the verdict',
  'ctrl-c': 'end the run with exit code 130',
};

const SIGNS = {
  '✓ ✗ !': "success, failure, error (errors don't count)",
  '██▁ 2/3': 'two of three results in a row',
  NEXT: 'time until the next attempt',
};

const helpView: ViewKind = {
  title: () => 'keys',
  show(snapshot) {
    const isIdle = readsOnly(snapshot.about);
    const lines: Line[] = [
      heading('In this view'),
      ...tabView(snapshot)
        .keys.filter(({ isLive = false }) => !(isLive && isIdle))
        .map(({ key, sentence }) => helpLine([key, sentence])),
      [],
      heading('Everywhere'),
      ...Object.entries(EVERYWHERE)
        .filter(([key]) => !(isIdle && (key === 't' || key === 'r')))
        .map(helpLine),
      [],
      heading('Signs'),
      ...Object.entries(SIGNS).map(helpLine),
    ];
    return { body: filteredBody('help', lines, snapshot.ui) };
  },
  keys: [
    { key: 'esc', word: 'back', sentence: 'back' },
    { key: 'j k', word: 'scroll', sentence: 'scroll' },
  ],
};

function helpLine([sign, sentence]: readonly [string, string]): Line {
  return [span(`  ${sign.padEnd(9)}`, 'strong'), span(sentence)];
}

const confirmView: ViewKind = {
  title: () => 'restart',
  show({ ui }) {
    return {
      head: [
        [],
        line(`  Restart ${overlayOf(ui, 'confirmRestart')?.container ?? ''}?`, 'strong'),
        [],
        line('  kprobe sends TERM now, and KILL after the grace period. The container then starts'),
        line('  again as after a crash, with back-off.'),
        [],
        line('  Press y to restart it, n or esc to cancel.'),
      ],
    };
  },
  press({ ui }, key) {
    const overlay = overlayOf(ui, 'confirmRestart');
    if (overlay === undefined) return undefined;
    const { pod, container } = overlay;
    if (key === 'y') return { ui: withoutOverlay(ui), effect: { kind: 'restart', pod, container } };
    // A question waits for its answer: other keys do nothing.
    return { ui: key === 'n' || key === 'esc' ? withoutOverlay(ui) : ui };
  },
  keys: [
    { key: 'y', word: 'restart', sentence: 'restart it' },
    { key: 'n', word: 'cancel', sentence: 'do not restart it' },
  ],
};
