import type { KubernetesRelease } from '../../kubelet/release.js';
import { type PodDifference, podDifferences } from '../../kubelet/upgrade.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { escapeControl } from '../../text/escape.js';
import { type Screen, UNPAINTED } from '../../text/screen.js';

export type Releases = readonly [from: KubernetesRelease, to: KubernetesRelease];

interface ReleaseChanges {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly changes: readonly PodDifference[];
}

/** Returns the objects for whose pods a release changes something. */
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
  screen: Screen = UNPAINTED,
): string {
  const range = `Kubernetes ${from} → ${to}`;
  if (objects.length === 0) return `${range} changes nothing for these pods\n`;
  return objects
    .map(({ kind, namespace, name, changes }) => {
      const title = screen.paint(escapeControl(`${kind} ${namespace}/${name}`), 'strong');
      return `${title}: ${range}\n${changes.map((change) => changeText(change, screen)).join('')}`;
    })
    .join('\n');
}

function changeText({ since, now, before, gate, fields }: PodDifference, screen: Screen): string {
  const row = (text: string, indent: number): string =>
    `${screen.wrap(' '.repeat(indent) + text, indent)}\n`;
  const by = gate === undefined ? '' : ` (feature gate ${gate})`;
  const title = screen.paint(`${since}${by}`, 'strong');
  return `  ${title}\n${row(now, 4)}${row(`before: ${before}`, 4)}${row(fields.join(', '), 4)}`;
}
