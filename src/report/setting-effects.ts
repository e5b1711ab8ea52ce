import type { Pod } from '../api/index.js';
import { podKey } from '../kubelet/pod-name.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { settingsFor, withSettings } from '../manifest/pods/settings.js';
import { whatIf } from '../sim/recorded/what-if.js';
import type { Trace } from '../trace/read-trace.js';
import type { PodNumbers } from '../trace/summary/pod-numbers.js';
import { findContainer } from '../trace/summary/summary.js';
import { recordedKubelet } from '../trace/trace-record.js';
import {
  probeOfDiagnosis,
  type ReportedPod,
  type RunReport,
  type SettingEffect,
} from './run-report.js';

const MAX_SETTINGS = 4;
/** A longer trace takes too long. */
const MAX_LINES = 100_000;

type WithProgress = <T>(
  work: (show: (done: number, total: number) => void) => Promise<T>,
) => Promise<T>;

/** Simulates the run with each setting that a diagnosis proposes, as `kprobe replay --set` does. */
export async function settingEffects(
  trace: Trace,
  { pods }: RunReport,
  withProgress: WithProgress,
): Promise<readonly SettingEffect[]> {
  // The attempts of a cluster are only partly known.
  if (trace.header.target === 'cluster' || trace.lines.length > MAX_LINES) return [];
  const effects: SettingEffect[] = [];
  for (const { key, container, field, value, onlyIfBetter } of pods
    .flatMap(candidatesOf)
    .slice(0, MAX_SETTINGS)) {
    const path = [container, ...field.split('.')];
    const text = `${path.join('.')}=${value}`;
    const settings = [{ text, path, value }];
    const refused = new Set<Pod>();
    const change = (pod: Pod): Pod => {
      if (podKey(pod) !== key) return pod;
      const changed = withSettings(pod, settingsFor(pod, settings), recordedKubelet(trace.header));
      if (changed.kind === 'pod') return changed.pod;
      refused.add(pod);
      return pod;
    };
    const { before, after, verdict } = await withProgress((show) => whatIf(trace, change, show));
    const [old, now] = [before, after].map((all) => all.find(({ pod }) => pod === key));
    if (refused.size > 0 || old === undefined || now === undefined) continue;
    if (onlyIfBetter && !isBetter(old, now)) continue;
    effects.push({ pod: key, setting: text, before: old, after: now, sentence: verdict.sentence });
  }
  return effects;
}

/** Reports whether there are fewer restarts, or more than a second more of readiness. */
function isBetter(before: PodNumbers, after: PodNumbers): boolean {
  const restarts = ({ restarts }: PodNumbers): number =>
    Object.values(restarts).reduce((sum, count) => sum + count, 0);
  if (restarts(after) !== restarts(before)) return restarts(after) < restarts(before);
  return after.readyFor > before.readyFor + 1;
}

interface Candidate {
  readonly key: string;
  readonly container: string;
  readonly field: string;
  readonly value: number | string;
  /** True where no diagnosis proposes the setting. */
  readonly onlyIfBetter: boolean;
}

/** Returns the settings that the diagnoses propose, or else more tolerant thresholds of the failing probe. */
function candidatesOf({ pod, diagnoses }: ReportedPod): readonly Candidate[] {
  return diagnoses.flatMap((diagnosis): readonly Candidate[] => {
    const { container } = diagnosis.subject;
    const place = { key: pod.key, container };
    const change = diagnosis.changes.find((each) => each.kind === 'field');
    if (change !== undefined) {
      const { field, to } = change;
      return typeof to === 'object' ? [] : [{ ...place, field, value: to, onlyIfBetter: false }];
    }
    const type = probeOfDiagnosis(diagnosis, pod);
    const view = findContainer(pod, container);
    const probe = type && view && probeOf(view.spec, type);
    if (probe === undefined) return [];
    const tolerant = {
      timeoutSeconds: Math.max(5, 2 * probe.timeoutSeconds),
      failureThreshold: Math.max(10, 3 * probe.failureThreshold),
    };
    return Object.entries(tolerant).map(([field, value]) => {
      return { ...place, field: `${type}Probe.${field}`, value, onlyIfBetter: true };
    });
  });
}
