import { computeHash, templateKey } from './deployment-util.js';
import type { ApiPod, ControllerRevision, DaemonSet, PodTemplate, StatefulSet } from './objects.js';

/** Label of pods with the revision that they are made of. */
export const CONTROLLER_REVISION_HASH = 'controller-revision-hash';

/** Writes of the StatefulSet and the DaemonSet controllers. */
export interface PodClient<Owner extends StatefulSet | DaemonSet> {
  createRevision(owner: Owner, name: string, template: PodTemplate): ControllerRevision;
  createPod(
    owner: Owner,
    template: PodTemplate,
    place: { readonly name?: string; readonly nodeName?: string },
  ): void;
  deletePod(pod: ApiPod): void;
  updateStatus(owner: Owner): void;
  /** Syncs the owner again, milliseconds from now. */
  enqueueAfter(owner: Owner, delay: number): void;
}

/** One sync of a StatefulSet or a DaemonSet. */
export interface PodSync<Owner extends StatefulSet | DaemonSet> {
  readonly owner: Owner;
  readonly revisions: readonly ControllerRevision[];
  /** Pods that the owner controls. */
  readonly pods: readonly ApiPod[];
  readonly client: PodClient<Owner>;
  readonly now: number;
}

/** Returns the revision of the owner's template; a new one is stored (getStatefulSetRevisions, constructHistory). */
export function updateRevisionOf<Owner extends StatefulSet | DaemonSet>({
  owner,
  revisions,
  client,
}: PodSync<Owner>): ControllerRevision {
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

/** Returns the template with the labels of a revision, and more of them. */
export function withLabels(
  template: PodTemplate,
  labels: Readonly<Record<string, string>>,
): PodTemplate {
  const { metadata } = template;
  return { ...template, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}
