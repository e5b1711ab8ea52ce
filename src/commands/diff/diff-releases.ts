import type { KubeletConfig } from '../../kubelet/release.js';
import { type PodDifference, podDifferences } from '../../kubelet/upgrade.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { differencesText } from '../../report/differences-text.js';
import { escapeControl } from '../../text/escape.js';
import { type TextStyle, UNPAINTED } from '../../text/text-style.js';

export type Releases = readonly [from: KubeletConfig, to: KubeletConfig];

interface ReleaseChanges {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly changes: readonly PodDifference[];
}

export function releaseChanges(
  pods: readonly LoadedPod[],
  [from, to]: Releases,
): readonly ReleaseChanges[] {
  return pods.flatMap(({ pod, source: { kind, name } }) => {
    const changes = podDifferences(pod, from, to);
    const { namespace } = pod.metadata;
    return changes.length === 0 ? [] : [{ kind, namespace, name, changes }];
  });
}

export function releaseText(
  objects: readonly ReleaseChanges[],
  [from, to]: Releases,
  style: TextStyle = UNPAINTED,
): string {
  const range = `Kubernetes ${from.version} → ${to.version}`;
  if (objects.length === 0) return `${range} changes nothing for these pods\n`;
  return objects
    .map(({ kind, namespace, name, changes }) => {
      const title = style.paint(escapeControl(`${kind} ${namespace}/${name}`), 'strong');
      return `${title}: ${range}\n${differencesText(changes, style)}`;
    })
    .join('\n');
}
