import { differencesText } from '../../report/differences-text.js';
import type { ClusterUpgrade, UpgradedPods } from '../../session/cluster/cluster-upgrade.js';
import { counted } from '../../text/count.js';
import { escapeControl } from '../../text/escape.js';
import { type TextStyle, UNPAINTED } from '../../text/text-style.js';

/** Returns what an upgrade of the nodes changes for pods of a cluster, workload by workload. */
export function clusterUpgradeText(
  { groups, pods, withoutNode, onLaterNode }: ClusterUpgrade,
  to: string,
  style: TextStyle = UNPAINTED,
): string {
  const left = [
    [withoutNode, 'without a known node'] as const,
    [onLaterNode, 'on nodes of a later release'] as const,
  ]
    .map(([count, where]) => (count === 0 ? '' : `${counted(count, 'pod')} ${where}: left out\n`))
    .join('');
  if (groups.length > 0)
    return `${groups.map((each) => groupText(each, to, style)).join('\n')}${left}`;
  return `Kubernetes ${to} changes nothing for ${counted(pods, 'pod')}\n${left}`;
}

function groupText(
  { kind, namespace, name, pods, from, changes }: UpgradedPods,
  to: string,
  style: TextStyle,
): string {
  const count = kind === 'Pod' ? '' : ` (${counted(pods.length, 'pod')})`;
  const title = style.paint(escapeControl(`${kind} ${namespace}/${name}`), 'strong');
  return `${title}${count}: Kubernetes ${from} → ${to}\n${differencesText(changes, style)}`;
}
