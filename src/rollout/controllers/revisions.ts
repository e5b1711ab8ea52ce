import type { Client } from './client.js';
import { computeHash, templateKey } from './deployment-util.js';
import type { ApiPod, ControllerRevision, DaemonSet, PodTemplate, StatefulSet } from './objects.js';

/** Label of pods with the revision that they are made of. */
export const CONTROLLER_REVISION_HASH = 'controller-revision-hash';

export interface PodSync<Owner extends StatefulSet | DaemonSet> {
  readonly owner: Owner;
  readonly revisions: readonly ControllerRevision[];
  readonly pods: readonly ApiPod[];
  readonly client: Client;
  readonly now: number;
}

/** Returns the revision of the owner's template, and stores a new one (getStatefulSetRevisions, constructHistory). */
export function updateRevisionOf({
  owner,
  revisions,
  client,
}: PodSync<StatefulSet | DaemonSet>): ControllerRevision {
  const { template } = owner.spec;
  const key = templateKey(template);
  const known = revisions.find((revision) => templateKey(revision.template) === key);
  if (known !== undefined) return known;
  return client.createRevision(owner, `${owner.metadata.name}-${computeHash(template)}`, template);
}

/** Ports getPodRevision (pkg/controller/statefulset/stateful_set_utils.go). */
export function getPodRevision({ metadata }: ApiPod): string {
  return metadata.labels[CONTROLLER_REVISION_HASH] ?? '';
}

export function withLabels(
  template: PodTemplate,
  labels: Readonly<Record<string, string>>,
): PodTemplate {
  const { metadata } = template;
  return { ...template, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}
