import type { KubeletConfig } from '../../kubelet/release.js';
import { podDifferences } from '../../kubelet/upgrade.js';
import { type LoadedPod, statefulSetSpec } from '../../manifest/pods/load-pod.js';
import { type ChangedObject, differencesText } from '../../report/differences-text.js';
import type { TextStyle } from '../../text/text-style.js';

export type Releases = readonly [from: KubeletConfig, to: KubeletConfig];

export function releaseChanges(
  pods: readonly LoadedPod[],
  [from, to]: Releases,
): readonly ChangedObject[] {
  return pods.flatMap((loaded) => {
    const { kind, name } = loaded.source;
    const changes = podDifferences(loaded.pod, from, to, statefulSetSpec(loaded), loaded.written);
    const { namespace } = loaded.pod.metadata;
    return changes.length === 0 ? [] : [{ kind, namespace, name, changes }];
  });
}

export function releaseText(
  objects: readonly ChangedObject[],
  [from, to]: Releases,
  style: TextStyle,
): string {
  const range = `Kubernetes ${from.version} → ${to.version}`;
  if (objects.length === 0) return `${range} changes nothing for these pods\n`;
  return objects.map((each) => differencesText(each, `: ${range}`, style)).join('\n');
}
