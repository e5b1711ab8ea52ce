import type {
  ExplainedRollout,
  RolloutSettings,
  SimulatedRollout,
} from '../explain/explain-rollout.js';
import { counted } from './text/count.js';
import { formatSeconds } from './text/duration.js';

/** A rollout in one sentence: its end, the least number of replicas, and the settings that decide. */
export function rolloutText({ blocked, simulated, settings }: ExplainedRollout): string {
  if (blocked !== undefined) return `a change does not roll out: ${blocked}`;
  if (simulated === undefined) {
    return settings.replicas === 0
      ? 'nothing rolls out: 0 replicas'
      : 'not simulated: too many replicas for explain; see kprobe rollout';
  }
  return `${simulatedText(simulated)} (${rolloutSettingsText(settings)})`;
}

function simulatedText(rollout: SimulatedRollout): string {
  const { doneAt, seconds, counts, leastReady, leastEndpoints } = rollout;
  const { wanted, updated } = counts;
  const { count, seconds: lasting } = leastEndpoints;
  const end =
    doneAt === undefined
      ? `not rolled out after ${formatSeconds(seconds)}: ${updated} of ${wanted} replicas are new`
      : `rolled out in ${formatSeconds(doneAt)}`;
  const ready =
    leastReady >= wanted
      ? `never fewer than ${counted(wanted, 'ready replica')}`
      : `at least ${leastReady} of ${counted(wanted, 'replica')} ready`;
  const fewer =
    count >= wanted ? '' : `, ${counted(count, 'ready endpoint')} for ${formatSeconds(lasting)}`;
  return `simulated: ${end}; ${ready}${fewer}`;
}

/** `maxSurge 25 %, maxUnavailable 25 %` */
function rolloutSettingsText(settings: RolloutSettings): string {
  const { strategy, maxSurge, maxUnavailable, podManagementPolicy, partition } = settings;
  const { minReadySeconds } = settings;
  const fields = {
    maxSurge,
    maxUnavailable,
    partition: partition === 0 ? undefined : partition,
    minReadySeconds: minReadySeconds === 0 ? undefined : minReadySeconds,
  };
  return [
    ...(strategy === 'RollingUpdate' ? [] : [strategy]),
    ...(podManagementPolicy === undefined ? [] : [podManagementPolicy]),
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${String(value).replace('%', ' %')}`],
    ),
  ].join(', ');
}
