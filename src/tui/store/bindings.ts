import * as act from './acts.js';
import type { KeyName } from './key-reader.js';
import { chosenContainer, filterOf, POD_ORDERS, podInView } from './selection.js';
import { type Pressed, type Snapshot, TABS, type ViewName } from './state.js';

/** Keys with what they do, for the dispatcher, the footer and the help. */
export interface Binding {
  readonly keys: readonly [KeyName, ...KeyName[]];
  /** The keys as the footer and the help show them; by default the first key. */
  readonly label?: string | ((snapshot: Snapshot) => string);
  /** The footer's word for it, in the views of `footer`, or else in all views in which it works. */
  readonly word?: string;
  readonly footer?: readonly ViewName[];
  readonly sentence: string;
  /** Returns whether it works on the chosen row; the footer leaves out what does not. */
  readonly isOffered?: (snapshot: Snapshot) => boolean;
  /** The views in which it works; all by default. */
  readonly views?: readonly ViewName[];
  /** True where it has no effect in a replay, and none on pods of a cluster. */
  readonly isLive?: boolean;
  /** True for a key of replays only, false for one that works everywhere else. */
  readonly isReplay?: boolean;
  /** Returns undefined where it has no effect. */
  readonly act: (snapshot: Snapshot, key: KeyName) => Pressed | undefined;
}

const [firstPodOrder, ...otherPodOrders] = POD_ORDERS;

const LISTS: readonly ViewName[] = ['pods', 'pod', 'timeline', 'events'];
/** The views with a timeline; that of a pod only where there is room. */
export const LANES: readonly ViewName[] = ['timeline', 'pod'];
export const QUESTIONS: readonly ViewName[] = ['copy', 'confirmRestart'];
const READ: readonly ViewName[] = ['attempt', 'describe', 'explain', 'help'];
const OVERLAYS: readonly ViewName[] = [...READ, ...QUESTIONS];
const SCROLLED: readonly ViewName[] = ['status', 'logs', ...READ, 'copy'];
const MOST: readonly ViewName[] = ['pods', ...TABS, ...READ];
const WRAPPED: readonly ViewName[] = ['events', 'status', 'logs', 'attempt', 'describe'];

function perform(kind: 'quit' | 'interrupt' | 'suspend' | 'redraw' | 'save'): Binding['act'] {
  return ({ ui }) => ({ ui, effect: { kind } });
}

/** The bindings of all keys; of several for one key, the first that works here is used. */
export const BINDINGS: readonly Binding[] = [
  {
    keys: ['1', '2', '3', 'enter'],
    label: act.copyNumbers,
    word: 'copy',
    sentence: 'copy the text of that number; enter copies the first',
    views: ['copy'],
    act: act.copy,
  },
  {
    keys: ['y'],
    word: 'restart',
    sentence: 'restart it',
    views: ['confirmRestart'],
    act: act.confirm,
  },
  {
    keys: ['n'],
    sentence: 'do not restart it',
    views: ['confirmRestart'],
    act: act.close,
  },
  {
    keys: ['q'],
    label: 'esc',
    word: 'close',
    sentence: 'close what lies over the view; esc also clears its filter',
    views: OVERLAYS,
    act: act.close,
  },
  {
    keys: ['left', 'right', 'h'],
    label: '← →',
    word: 'attempt',
    footer: ['timeline'],
    sentence: 'previous or next attempt in the timeline',
    views: LANES,
    act: act.moveInTime,
  },
  {
    keys: ['enter'],
    word: 'details',
    sentence: 'show the attempt under the cursor',
    views: ['timeline'],
    act: act.openAttempt,
  },
  {
    keys: ['+', '=', '-', '_'],
    label: '+ -',
    word: 'zoom',
    footer: ['timeline'],
    sentence: 'zoom the timeline in, zoom it out',
    views: LANES,
    act: act.zoom,
  },
  {
    keys: ['f'],
    word: 'follow',
    footer: ['timeline'],
    sentence: 'follow the run in the timeline; moving the cursor stops that',
    views: LANES,
    act: act.follow,
  },
  {
    keys: ['G', 'end'],
    sentence: 'follow the run',
    views: ['timeline'],
    act: act.follow,
  },
  {
    keys: ['g', 'home'],
    sentence: 'to the first attempt',
    views: ['timeline'],
    act: act.moveInTime,
  },
  {
    keys: ['left', 'right', 'h'],
    label: '← →',
    word: 'attempts',
    sentence: 'previous or next attempt',
    views: ['attempt'],
    act: act.stepAttempt,
  },
  {
    keys: ['left', 'right', 'h'],
    label: '← →',
    word: 'container',
    sentence: "show another container's output",
    isOffered: (snapshot) => (podInView(snapshot)?.containers.length ?? 0) > 1,
    views: ['logs'],
    act: act.stepContainer,
  },
  {
    keys: ['f'],
    word: 'follow',
    sentence: 'follow the output, or stop following it',
    views: ['logs'],
    act: act.followLogs,
  },
  {
    keys: ['n', 'N'],
    label: 'n N',
    word: 'match',
    sentence: 'next match of the text behind /, match before',
    views: ['logs'],
    isOffered: (snapshot) => filterOf(snapshot) !== '',
    act: act.nextMatch,
  },
  {
    keys: [firstPodOrder.key, ...otherPodOrders.map(({ key }) => key)],
    label: 'shift',
    sentence: `sort by a column, and again the other way round: ${POD_ORDERS.map(({ key, name }) => `${key} ${name}`).join(', ')}`,
    views: ['pods'],
    act: act.sortByColumn,
  },
  {
    keys: ['0'],
    label: '0',
    word: 'all',
    sentence: 'list the pods of all namespaces and workloads again (:ns NAME, :deploy NAME choose)',
    isOffered: ({ ui }) => ui.scope.namespace !== undefined || ui.scope.workload !== undefined,
    views: ['pods'],
    act: act.listAll,
  },
  {
    keys: ['enter'],
    word: 'open',
    sentence: 'open the chosen pod; esc returns',
    views: ['pods'],
    act: act.openPod,
  },
  {
    keys: ['enter'],
    word: 'attempt',
    sentence: "show the chosen probe's latest attempt",
    isOffered: act.isOnProbe,
    views: ['pod'],
    act: act.openAttempt,
  },
  {
    keys: ['t'],
    word: 'probe now',
    footer: ['pod'],
    sentence: "run the chosen probe now, as the kubelet's manual trigger does",
    isOffered: act.isOnProbe,
    isLive: true,
    act: act.trigger,
  },
  {
    keys: ['T'],
    word: 'try changes',
    footer: ['pod', 'attempt'],
    sentence: 'try changes against a failing server that kprobe did not start',
    isOffered: act.isOnUntried,
    isLive: true,
    act: act.tryChanges,
  },
  {
    keys: ['d'],
    word: 'describe',
    footer: ['pod', 'explain'],
    sentence: 'describe the chosen row: settings, latencies, counters',
    act: act.describe,
  },
  {
    keys: ['x'],
    word: 'explain',
    footer: ['pod', 'describe'],
    sentence: "explain the chosen probe's timing",
    isOffered: act.isOnProbe,
    act: act.explain,
  },
  {
    keys: ['r'],
    word: 'restart',
    footer: ['pod'],
    sentence: 'restart the chosen container; asks first if the restart is real',
    isOffered: act.isOnRunning,
    isLive: true,
    act: act.restart,
  },
  {
    keys: ['l'],
    word: 'logs',
    footer: ['pod'],
    sentence: "show the chosen container's output, run by run",
    act: act.toTab,
  },
  {
    keys: ['p'],
    word: 'previous',
    footer: ['pod', 'logs'],
    sentence: 'logs of the run that has ended last; again, of the run before',
    isOffered: (snapshot) => (chosenContainer(snapshot)?.container.restartCount ?? 0) > 0,
    act: act.previousRun,
  },
  {
    keys: ['j', 'down', 'k', 'up'],
    label: 'j k',
    word: 'choose',
    sentence: 'choose a row',
    views: LISTS,
    act: act.choose,
  },
  {
    keys: ['j', 'down', 'k', 'up'],
    label: 'j k',
    word: 'scroll',
    sentence: 'scroll',
    views: SCROLLED,
    act: act.scroll,
  },
  {
    keys: ['s'],
    word: 'sort',
    sentence: 'sort by the next column',
    views: ['pods', 'events'],
    act: act.sort,
  },
  {
    keys: ['1', '2', '3', '4', '5', 'tab', ']', 'shift-tab', '[', 'e', 'y'],
    label: '1 – 5',
    sentence: `${TABS.join(', ')}; also Tab, [ ], e and y`,
    act: act.toTab,
  },
  { keys: ['n'], sentence: 'next in trouble', views: ['pods'], act: act.nextDiagnosis },
  {
    keys: ['n', 'N'],
    label: 'n N',
    sentence: 'next in trouble, previous in trouble',
    views: [...TABS, ...READ],
    act: act.nextDiagnosis,
  },
  {
    keys: ['esc'],
    sentence:
      'back: out of the filter, of an overlay, of the tab, of the pod; in the list, marks all as seen',
    act: act.back,
  },
  {
    keys: [' ', 'u'],
    label: 'space',
    word: 'play/pause',
    footer: MOST,
    sentence: 'pause the replay, or play it again (u does the same)',
    isReplay: true,
    act: act.play,
  },
  {
    keys: [',', '.'],
    label: ', .',
    word: '10 s',
    footer: MOST,
    sentence: 'go back 10 s, or forward',
    isReplay: true,
    act: act.play,
  },
  {
    keys: ['<', '>'],
    label: '< >',
    word: 'speed',
    footer: MOST,
    sentence: 'play at half the speed, or at twice the speed',
    isReplay: true,
    act: act.play,
  },
  {
    keys: [' ', 'u'],
    label: 'space',
    word: 'pause',
    footer: MOST,
    sentence: 'pause the display while probing continues (u does the same)',
    isReplay: false,
    act: ({ ui }) => ({ ui: { ...ui, paused: !ui.paused } }),
  },
  {
    keys: ['/'],
    word: 'filter',
    footer: MOST,
    sentence: 'show only rows of this view that contain a text',
    act: act.editFilter,
  },
  {
    keys: [':'],
    sentence: 'jump: :ns NAME, :deploy NAME, :events, :pod NAME, :logs NAME, :q',
    act: act.editCommand,
  },
  {
    keys: ['w'],
    word: 'wrap',
    footer: WRAPPED,
    sentence: 'wrap long lines, or cut them off',
    act: act.toggleWrap,
  },
  {
    keys: ['g', 'home', 'G', 'end', 'ctrl-f', 'pgdn', 'ctrl-b', 'pgup'],
    label: 'g G',
    sentence: 'to the top, to the end; ctrl-f and ctrl-b page',
    act: (snapshot, key) => act.choose(snapshot, key) ?? act.scroll(snapshot, key),
  },
  {
    keys: ['c'],
    word: 'copy',
    footer: ['attempt'],
    sentence: "copy the chosen probe's attempt as a command, or the patch that helps",
    isOffered: act.isOnProbe,
    act: act.openCopies,
  },
  { keys: ['?'], word: 'keys', sentence: 'show the keys', act: act.toggleHelp },
  {
    keys: ['q'],
    word: 'quit',
    sentence: 'end the run; the exit code is the verdict',
    act: perform('quit'),
  },
  { keys: ['ctrl-c'], sentence: 'end the run with exit code 130', act: perform('interrupt') },
  {
    keys: ['m'],
    sentence: 'leave the mouse to the terminal, to select text, or take it again',
    act: act.toggleMouse,
  },
  { keys: ['ctrl-s'], sentence: 'save the trace so far', act: perform('save') },
  { keys: ['ctrl-z'], sentence: 'suspend; fg resumes', act: perform('suspend') },
  { keys: ['ctrl-l'], sentence: 'repaint the screen', act: perform('redraw') },
];
