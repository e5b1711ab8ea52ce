import { differencesText } from '../../report/differences-text.js';
import type { ClusterUpgrade } from '../../session/cluster/cluster-upgrade.js';
import { counted } from '../../text/count.js';
import type { TextStyle } from '../../text/text-style.js';

/** Returns what an upgrade of the nodes changes for pods of a cluster, workload by workload. */
export function clusterUpgradeText(
  { groups, pods, withoutNode, onLaterNode }: ClusterUpgrade,
  to: string,
  style: TextStyle,
): string {
  const left = [
    [withoutNode, 'without a known node'] as const,
    [onLaterNode, 'on nodes of a later release'] as const,
  ]
    .map(([count, where]) => (count === 0 ? '' : `${counted(count, 'pod')} ${where}: left out\n`))
    .join('');
  const texts = groups.map((group) => {
    const count = group.kind === 'Pod' ? '' : ` (${counted(group.pods.length, 'pod')})`;
    return differencesText(group, `${count}: Kubernetes ${group.from} → ${to}`, style);
  });
  if (texts.length > 0) return `${texts.join('\n')}${left}`;
  return `Kubernetes ${to} changes nothing for ${counted(pods, 'pod')}\n${left}`;
}
