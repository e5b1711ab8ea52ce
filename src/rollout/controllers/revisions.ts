import { computeHash, templateKey } from './deployment-util.js';
import type { ApiPod, ControllerRevision, DaemonSet, PodTemplate, StatefulSet } from './objects.js';
import type { SyncContext } from './sync-context.js';

/** Label of pods with the revision that they are made of. */
export const CONTROLLER_REVISION_HASH = 'controller-revision-hash';

export interface PodSync<Owner extends StatefulSet | DaemonSet> extends SyncContext {
  readonly owner: Owner;
  readonly revisions: readonly ControllerRevision[];
  readonly pods: readonly ApiPod[];
}

/** Returns the revision of the owner's template, and stores a new one (getStatefulSetRevisions, constructHistory). */
export function updateRevisionOf({
  owner,
  revisions,
  api,
}: PodSync<StatefulSet | DaemonSet>): ControllerRevision {
  const { template } = owner.spec;
  const key = templateKey(template);
  const known = revisions.find((revision) => templateKey(revision.template) === key);
  if (known !== undefined) return known;
  const { name, namespace, uid, labels } = owner.metadata;
  const metadata = {
    name: `${name}-${computeHash(template)}`,
    namespace,
    labels,
    annotations: {},
    owner: { kind: owner.kind, name, uid },
  };
  return api.create({ kind: 'ControllerRevision', metadata, template });
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
