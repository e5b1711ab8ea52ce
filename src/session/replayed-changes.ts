import type { Pod } from '../api/index.js';
import { diagnosePod } from '../diagnosis/diagnosis.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { unprovenSettings } from '../diagnosis/replays.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { settingsFor, withSettings } from '../manifest/pods/settings.js';
import { type RecordedRun, simulateBoth } from '../sim/recorded/what-if.js';
import type { ReplayedChange, RunFigures } from '../trace/event.js';
import { type ContainerView, currentRun } from '../trace/summary/container-view.js';
import { MAX_REPLAYS } from '../trace/summary/fold-container.js';
import { rounded } from '../trace/summary/pod-numbers.js';
import { findContainerOf, type PodSummary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import { recordedKubelet } from '../trace/trace-record.js';

/** The longest run that is played, in lines and seconds: a replay takes time from the probes of the live run. */
const MAX_LINES = 3000;
const MAX_LENGTH = 900;

interface Recorded extends Pick<RecordedRun, 'header'> {
  readonly lines: readonly TraceLine[];
  readonly pod: PodSummary;
  readonly container: ContainerView;
  readonly now: number;
}

/** Returns the settings that the container's diagnosis proposes, and that no replay of a run as long has tried. */
export function settingsToReplay(
  { lines, pod, container, now }: Recorded,
  isSimulated: IsSimulated,
): readonly Pick<ReplayedChange, 'field' | 'to'>[] {
  if (lines.length > MAX_LINES || now - pod.addedAt > MAX_LENGTH) return [];
  if (container.replays.length >= MAX_REPLAYS) return [];
  // Without the replays so far, the diagnosis proposes all its changes.
  const containers = pod.containers.map((each) => ({ ...each, replays: [] }));
  const diagnoses = diagnosePod({ ...pod, containers }, now, isSimulated);
  const { changes = [] } =
    diagnoses.find(({ subject }) => subject.container === container.name) ?? {};
  return unprovenSettings(changes).filter(({ field, to }) => {
    const known = container.replays.findLast((each) => each.field === field && each.to === to);
    // A change that did not help may help in a longer run.
    return known === undefined || (known.result === 'failure' && now > 2 * known.length);
  });
}

/** Plays what was recorded with the setting, and a little longer; undefined where the API server would reject it. */
export async function replayChange(
  { header, lines, pod, container, now }: Recorded,
  { field, to }: Pick<ReplayedChange, 'field' | 'to'>,
): Promise<ReplayedChange | undefined> {
  const path = [container.name, ...field.split('.')];
  const settings = [{ text: field, path, value: to }];
  const change = (object: Pod): Pod | undefined => {
    const changed = withSettings(object, settingsFor(object, settings), recordedKubelet(header));
    return changed.kind === 'pod' ? changed.pod : undefined;
  };
  if (change(pod.object) === undefined) return undefined;
  const periods = container.probes.map(
    ({ type }) => probeOf(container.spec, type)?.periodSeconds ?? 0,
  );
  // The success that ends a recording comes later with other attempts.
  const end = now + 2 * Math.max(...periods);
  const last = { t: end, kind: 'note', level: 'info', text: '' } as const;
  const { unchanged, changed } = await simulateBoth(
    { header, lines: [...lines, last] },
    (object) => change(object) ?? object,
  );
  const [type = ''] = field.split('Probe.');
  const length = end - pod.addedAt;
  const subject = { pod: pod.key, container: container.name };
  const viewBefore = findContainerOf(unchanged.summary, subject);
  const viewAfter = findContainerOf(changed.summary, subject);
  if (viewBefore === undefined || viewAfter === undefined) return undefined;
  const before = figuresOf(viewBefore, type, end);
  const after = figuresOf(viewAfter, type, end);
  const helps = isSound(viewAfter, type) && isBetter(before, after);
  return {
    field,
    to,
    result: helps ? 'success' : 'failure',
    length: rounded(length),
    before,
    after,
  };
}

/** Reports whether the container runs at the end, and the probe does not fail. */
function isSound(view: ContainerView, type: string): boolean {
  const probe = view.probes.find((each) => each.type === type);
  return currentRun(view) !== undefined && probe?.lastResult === 'success';
}

/** Reports whether it is better in one way, and worse in none. */
function isBetter(before: RunFigures, after: RunFigures): boolean {
  if (after.restarts > before.restarts || after.readyFor < before.readyFor - 1) return false;
  return (
    after.restarts < before.restarts ||
    after.readyFor > before.readyFor + 1 ||
    after.failures < before.failures
  );
}

function figuresOf(view: ContainerView, type: string, end: number): RunFigures {
  const { states, runs, probes, restartCount } = view;
  // What happened before the recording was not seen.
  const start = Math.max(0, runs[0]?.startedAt ?? 0);
  const first = states.find(({ ready }) => ready)?.t;
  const spans = states.map(({ t, ready }, at) => (ready ? (states[at + 1]?.t ?? end) - t : 0));
  return {
    ...(first !== undefined && { readyAfter: rounded(first - start) }),
    readyFor: rounded(spans.reduce((sum, span) => sum + span, 0)),
    restarts: restartCount,
    failures: probes.find((each) => each.type === type)?.failures ?? 0,
  };
}
