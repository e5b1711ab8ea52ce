import { isFailing } from '../../diagnosis/fault.js';
import { subjectText } from '../../diagnosis/words.js';
import { currentRun } from '../../trace/summary/container-view.js';
import { verdictOfAttempt } from '../../trace/summary/probe-view.js';
import { copiesInView } from './copies.js';
import { type KeyName, moveTo } from './key-reader.js';
import { listInView } from './lists.js';
import {
  chosenContainer,
  chosenPod,
  chosenTarget,
  diagnosesOf,
  filterOf,
  findAttempt,
  orderIn,
  POD_LIST,
  POD_ORDERS,
  podInView,
  podsInScope,
  sortingOf,
  viewName,
  withFilter,
  withTab,
  wrapsIn,
} from './selection.js';
import {
  canAct,
  type ContainerRef,
  overlayOf,
  type Pressed,
  type ProbeRef,
  type Snapshot,
  type Sorting,
  type Tab,
  TABS,
  type TimelineUi,
  type Ui,
  withChosen,
  withoutOverlay,
  withOverlay,
} from './state.js';
import { cursorAttempt, hasLanes, stepInTime, ZOOMS } from './timeline.js';

type Act = (snapshot: Snapshot, key: KeyName) => Pressed | undefined;

export const choose: Act = (snapshot, key) => {
  const list = listInView(snapshot);
  if (list === undefined) return undefined;
  const { id, rows, chosen, follows = false } = list;
  const { body, size } = snapshot;
  const page = (body?.height ?? size.rows / 2) - 1;
  // A list that follows has a place behind its last row, where none is chosen.
  const last = follows ? rows.length : rows.length - 1;
  const at = chosen === undefined ? last : rows.indexOf(chosen);
  const to = moveTo(key, at, last, page);
  return to === undefined ? undefined : { ui: withChosen(snapshot.ui, id, rows[to] ?? '') };
};

export const scroll: Act = ({ ui, body }, key) => {
  if (body === undefined) return undefined;
  const { id, start, last, height, follows, gone } = body;
  const to = moveTo(key, start, last, height - 1);
  if (to === undefined) return undefined;
  const kept = follows && to === last ? 'end' : to + gone;
  return { ui: { ...ui, scroll: { ...ui.scroll, [id]: kept } } };
};

/** Scrolls to the next of the rows that the user looks for, to the one before, or first to the last one (`p`). */
export const nextMatch: Act = ({ ui, body }, key) => {
  if (body === undefined || body.matches.length === 0) return undefined;
  const { id, start, height, last, gone, matches } = body;
  const at = matches.findIndex(
    ({ key, top }) => key === ui.chosen[id] && top >= start && top < start + height,
  );
  const above = matches.findLastIndex(({ top }) => top < start);
  const first = { n: above + 1, N: above }[key] ?? -1;
  const match = matches.at((at < 0 ? first : at + (key === 'n' ? 1 : -1)) % matches.length);
  if (match === undefined) return undefined;
  const scroll = { ...ui.scroll, [id]: Math.min(match.top, last) + gone };
  return { ui: { ...withChosen(ui, id, match.key), scroll } };
};

/** Opens the logs at the run that has ended last; there, goes to the run before. */
export const previousRun: Act = (snapshot, key) => {
  if (viewName(snapshot) !== 'logs') return { ui: withTab(snapshot, 'logs'), then: key };
  const effect = { kind: 'say', text: 'no run has ended yet' } as const;
  return nextMatch(snapshot, key) ?? { ui: snapshot.ui, effect };
};

/** Shows the end of the logs as they grow, or keeps what is on the screen. */
export const followLogs: Act = ({ ui, body }) => {
  if (body === undefined) return undefined;
  const { id, start, last, gone } = body;
  const isFollowing = (ui.scroll[id] ?? 'end') === 'end';
  const to = isFollowing ? Math.min(start, last) + gone : 'end';
  return { ui: { ...ui, scroll: { ...ui.scroll, [id]: to } } };
};

/** Takes one step back: clears the filter, or else leaves the overlay, the tab, the pod or the scope. */
export const back: Act = (snapshot) => {
  const { ui } = snapshot;
  if (filterOf(snapshot) !== '') return { ui: withFilter(snapshot, '') };
  if (ui.overlays.length > 0) return { ui: withoutOverlay(ui) };
  if (viewName(snapshot) === 'pods') return { ui: { ...ui, scope: {}, allSeenAt: snapshot.now } };
  if (ui.tab !== 'pod') return { ui: { ...ui, tab: 'pod' } };
  const { chosen } = ui.pod === undefined ? ui : withChosen(ui, POD_LIST, ui.pod);
  return { ui: { ...ui, chosen, pod: undefined } };
};

export const close: Act = ({ ui }) => ({ ui: withoutOverlay(ui) });

export const toggleHelp: Act = ({ ui }) => ({
  ui: ui.overlays.at(-1)?.kind === 'help' ? withoutOverlay(ui) : withOverlay(ui, { kind: 'help' }),
});

export const editFilter: Act = (snapshot) => ({
  ui: { ...snapshot.ui, filterBefore: filterOf(snapshot) },
});

export const editCommand: Act = ({ ui }) => ({ ui: { ...ui, command: '' } });

export const sort: Act = (snapshot) => {
  const order = sortingOf(snapshot, viewName(snapshot)).order + 1;
  return { ui: withSorting(snapshot, { order, isReversed: false }) };
};

/** Sorts the pods by the column of a key, and by the same column the other way round. */
export const sortByColumn: Act = (snapshot, key) => {
  const before = sortingOf(snapshot);
  const order = POD_ORDERS.findIndex((each) => each.key === key);
  const isReversed = orderIn(POD_ORDERS, before) === POD_ORDERS[order] && !before.isReversed;
  return { ui: withSorting(snapshot, { order, isReversed }) };
};

function withSorting(snapshot: Snapshot, sorting: Sorting): Ui {
  const { ui } = snapshot;
  return { ...ui, sorting: { ...ui.sorting, [viewName(snapshot)]: sorting } };
}

/** Lists the pods of all namespaces and workloads. */
export const listAll: Act = ({ ui }) => ({ ui: { ...ui, scope: {} } });

export const toggleMouse: Act = ({ ui }) => {
  const on = !ui.hasMouse;
  return { ui: { ...ui, hasMouse: on }, effect: { kind: 'mouse', on } };
};

export const toggleWrap: Act = (snapshot) => {
  const { ui } = snapshot;
  const wraps = { ...ui.wraps, [viewName(snapshot)]: !wrapsIn(snapshot) };
  return { ui: { ...ui, wraps } };
};

export const toTab: Act = (snapshot, key) => ({
  ui: withTab(snapshot, tabOf(snapshot.ui, key)),
});

const TAB_KEYS: Readonly<Record<string, Tab>> = { e: 'events', y: 'status', l: 'logs' };

function tabOf({ tab }: Ui, key: KeyName): Tab {
  const at = TABS.indexOf(tab);
  const to = { tab: at + 1, ']': at + 1, 'shift-tab': at - 1, '[': at - 1 }[key];
  const index = to === undefined ? Number(key) - 1 : to % TABS.length;
  return TAB_KEYS[key] ?? TABS.at(index) ?? tab;
}

/** Chooses the next row with a diagnosis, or the one before, also in another pod. */
export const nextDiagnosis: Act = (snapshot, key) => {
  const { ui } = snapshot;
  const step = key === 'N' ? -1 : 1;
  const diagnoses = podsInScope(snapshot).flatMap((pod) =>
    diagnosesOf(pod, snapshot)
      .filter(isFailing)
      .map((diagnosis) => ({ pod, row: subjectText(diagnosis.subject) })),
  );
  if (diagnoses.length === 0)
    return { ui, effect: { kind: 'say', text: 'nothing is in trouble now' } };
  const open = podInView(snapshot);
  const chosen = open && ui.tab === 'pod' ? chosenTarget(open, snapshot)?.id : undefined;
  const at = diagnoses.findIndex(({ pod, row }) => pod === open && row === chosen);
  const next = diagnoses.at(at === -1 && step === -1 ? -1 : (at + step) % diagnoses.length);
  if (next === undefined) return undefined;
  const pod = next.pod.key;
  return { ui: { ...withChosen(ui, pod, next.row), pod, tab: 'pod', overlays: [] } };
};

export const openPod: Act = (snapshot) => {
  const pod = chosenPod(snapshot);
  return pod && { ui: { ...snapshot.ui, pod: pod.key } };
};

/** The chosen row, and what actions call its container and its probe. */
function targetOf(snapshot: Snapshot) {
  const pod = podInView(snapshot);
  const row = pod && chosenTarget(pod, snapshot);
  if (pod === undefined || row === undefined) return undefined;
  const container: ContainerRef = { pod: pod.key, container: row.container.name };
  const probe: ProbeRef | undefined = row.probe && { ...container, probe: row.probe.type };
  return { pod, row, container, probe };
}

export function isOnProbe(snapshot: Snapshot): boolean {
  return targetOf(snapshot)?.probe !== undefined;
}

export function isOnRunning(snapshot: Snapshot): boolean {
  const row = targetOf(snapshot)?.row;
  return row !== undefined && currentRun(row.container) !== undefined;
}

/** Acts on the chosen probe; where a container is chosen, says that a probe has to be chosen. */
function onProbe(act: (snapshot: Snapshot, probe: ProbeRef) => Pressed): Act {
  return (snapshot) => {
    const target = targetOf(snapshot);
    if (target === undefined) return undefined;
    const { ui } = snapshot;
    if (target.probe !== undefined) return act(snapshot, target.probe);
    const { name, probes } = target.row.container;
    const text = probes.length === 0 ? `${name} has no probes` : 'choose a probe first (j, k)';
    return { ui, effect: { kind: 'say', text } };
  };
}

export const trigger = onProbe(({ ui }, probe) => ({ ui, effect: { kind: 'trigger', ...probe } }));

/** Reports whether the chosen probe fails, and its server was not started by kprobe, which would have tried what may help. */
export function isOnUntried(snapshot: Snapshot): boolean {
  const { container, probe } = targetOf(snapshot)?.row ?? {};
  const last = probe?.attempts.at(-1);
  if (!snapshot.context.triesOnKey || container === undefined || last === undefined) return false;
  return verdictOfAttempt(last) !== 'success' && currentRun(container)?.listening?.started !== true;
}

export const tryChanges: Act = (snapshot) => {
  const probe = targetOf(snapshot)?.probe;
  if (probe === undefined || !isOnUntried(snapshot)) return undefined;
  return { ui: snapshot.ui, effect: { kind: 'try', ...probe } };
};

export const explain = onProbe(({ ui }, probe) => ({
  ui: withOverlay(ui, { kind: 'explain', ...probe }),
}));

export const openCopies = onProbe(({ ui }, probe) => ({
  ui: withOverlay(ui, { kind: 'copy', ...probe }),
}));

export const copy: Act = (snapshot, key) => {
  const chosen = copiesInView(snapshot)[key === 'enter' ? 0 : Number(key) - 1];
  return chosen && { ui: withoutOverlay(snapshot.ui), effect: { kind: 'copy', ...chosen } };
};

/** `1 – 2`: the numbers of the texts that can be copied. */
export function copyNumbers(snapshot: Snapshot): string {
  const { length } = copiesInView(snapshot);
  return length > 1 ? `1 – ${length}` : '1';
}

export const describe: Act = (snapshot) => {
  const target = targetOf(snapshot);
  if (target === undefined) return undefined;
  const ref = target.probe ?? target.container;
  return { ui: withOverlay(snapshot.ui, { kind: 'describe', ...ref }) };
};

/** Opens the chosen attempt; for a container, its description. */
export const openAttempt: Act = (snapshot, key) => {
  const target = targetOf(snapshot);
  if (target?.probe === undefined) return describe(snapshot, key);
  const isMoved = snapshot.ui.timeline.cursor !== undefined && hasLanes(target.pod, snapshot);
  const isTimed = viewName(snapshot) === 'timeline' || isMoved;
  const startedAt = isTimed ? cursorAttempt(target.row, snapshot)?.startedAt : undefined;
  const which = startedAt === undefined ? {} : { startedAt };
  return { ui: withOverlay(snapshot.ui, { kind: 'attempt', ...target.probe, ...which }) };
};

export const restart: Act = (snapshot) => {
  const { ui, context } = snapshot;
  const ref = targetOf(snapshot)?.container;
  if (ref === undefined) return undefined;
  // An action without a real effect needs no confirmation.
  const isSafe = !canAct(context) || context.isSimulated(ref.pod, ref.container);
  return isSafe
    ? { ui, effect: { kind: 'restart', ...ref } }
    : { ui: withOverlay(ui, { kind: 'confirmRestart', ...ref }) };
};

export const confirm: Act = ({ ui }) => {
  const overlay = overlayOf(ui, 'confirmRestart');
  return overlay && { ui: withoutOverlay(ui), effect: { ...overlay, kind: 'restart' } };
};

export const stepAttempt: Act = (snapshot, key) => {
  const { ui } = snapshot;
  const overlay = overlayOf(ui, 'attempt');
  const found = findAttempt(snapshot);
  const next = found?.probe.attempts[found.index + (key === 'right' ? 1 : -1)];
  if (overlay === undefined || next === undefined) return undefined;
  return { ui: withOverlay(withoutOverlay(ui), { ...overlay, startedAt: next.startedAt }) };
};

export const stepContainer: Act = (snapshot, key) => {
  const found = chosenContainer(snapshot);
  if (found === undefined) return undefined;
  const { containers, key: pod } = found.pod;
  const at = containers.indexOf(found.container) + (key === 'right' ? 1 : -1);
  const next = containers.at(at % containers.length);
  return next && { ui: withChosen(snapshot.ui, pod, next.name) };
};

export const moveInTime: Act = (snapshot, key) => {
  const row = targetOf(snapshot)?.row;
  const by = { left: -1, h: -1, right: 1 }[key] ?? -Infinity;
  return row && inTimeline(snapshot, stepInTime(snapshot, row, by));
};

export const zoom: Act = (snapshot, key) => {
  const by = key === '+' || key === '=' ? -1 : 1;
  const to = snapshot.ui.timeline.zoom + by;
  return inTimeline(snapshot, { zoom: Math.max(0, Math.min(ZOOMS.length - 1, to)) });
};

export const follow: Act = (snapshot) => inTimeline(snapshot, { end: 'now', cursor: undefined });

function inTimeline({ ui }: Snapshot, change: Partial<TimelineUi>): Pressed {
  return { ui: { ...ui, timeline: { ...ui.timeline, ...change } } };
}

/** Seconds that a key goes back, or forward. */
const SEEK = 10;

export const play: Act = ({ ui }, key) => {
  if (key === ',' || key === '.') {
    return { ui, effect: { kind: 'seek', seconds: key === ',' ? -SEEK : SEEK } };
  }
  const todo = ({ '<': 'slower', '>': 'faster' } as const)[key] ?? 'togglePause';
  return { ui, effect: { kind: 'play', do: todo } };
};
