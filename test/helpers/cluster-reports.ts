import { seeded } from '../../src/clock/clock.js';
import { rfc3339 } from '../../src/clock/rfc3339.js';
import { apiPodStatus } from '../../src/kubelet/status/api-status.js';
import type { Scenario } from '../../src/sim/scenario.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

/** What a watch of the simulated pod would have received. */
export interface Report {
  readonly now: number;
  readonly kind: 'pod' | 'event';
  /** Equal for the versions of one object. */
  readonly id: string;
  readonly object: object;
}

/** Milliseconds by which reports are late together, and one of them alone, at most. */
const LATE = 200;
const ALONE = 5;

/** Begin of a scenario's trace on the virtual clock. */
export const originOf = ({ kubeletUp }: Scenario): number => Date.UTC(2009, 10, 10, 23) + kubeletUp;

/** Turns a simulated trace into a cluster's reports: times in whole seconds, events as the recorder sends them, random delays. */
export function clusterReports(
  scenario: Scenario,
  lines: readonly TraceLine[],
  seed: number,
): readonly Report[] {
  const { pod: first, actions } = scenario;
  const origin = originOf(scenario);
  const random = seeded(seed);
  const reports: Report[] = [];
  const arrived = { pod: 0, event: 0, any: 0 };
  const updates = actions.flatMap((action) => (action.do === 'update' ? [action.pod] : []));
  let [pod, status, summary] = [first, {}, EMPTY_SUMMARY];
  const report = (t: number, kind: Report['kind'], object: object, id = ''): void => {
    arrived.any = Math.max(arrived.any, origin + t * 1000 + random() * LATE);
    const now = Math.max(arrived.any + random() * ALONE, arrived[kind]);
    arrived[kind] = now;
    reports.push({ now, kind, object, id });
  };
  const time = (t: number): string => rfc3339(origin + t * 1000);
  for (const line of lines) {
    summary = fold(summary, line);
    if (line.kind === 'action') {
      if (line.do === 'update') pod = updates.shift() ?? pod;
      else {
        const { terminationGracePeriodSeconds: grace = 30 } = pod.spec;
        const deletion = { deletionTimestamp: time(line.t), deletionGracePeriodSeconds: grace };
        pod = { ...pod, metadata: { ...pod.metadata, ...(deletion as object) } };
      }
    }
    if (line.kind === 'status') status = apiPodStatus(line.podStatus);
    if (line.kind === 'status' || line.kind === 'action' || line.kind === 'pod') {
      const metadata = { ...pod.metadata, creationTimestamp: time(0) };
      report(line.t, 'pod', { metadata, spec: pod.spec, status });
    }
    const event = line.kind === 'event' ? summary.pods[0]?.events.at(-1) : undefined;
    if (event?.sent?.lastAt !== line.t || line.kind !== 'event') continue;
    const { type, reason, message, combined, firstAt, sent, container } = event;
    const uid = `${type} ${reason} ${combined ? '' : `${container} ${message}`}`;
    const involvedObject = { fieldPath: line.fieldPath };
    const times = { firstTimestamp: time(firstAt), lastTimestamp: time(sent.lastAt) };
    const { count } = sent;
    const metadata = { uid };
    const object = { metadata, involvedObject, type, reason, message, count, ...times };
    report(line.t, 'event', object, uid);
  }
  return reports.sort((a, b) => a.now - b.now);
}
