import type { Pod } from '../../../api/index.js';

/** The label of each field; for fields of the pod, the kubelet's own label. */
export const LABELS = {
  session: 'dev.kprobe.session',
  owner: 'dev.kprobe.owner',
  uid: 'io.kubernetes.pod.uid',
  name: 'io.kubernetes.pod.name',
  namespace: 'io.kubernetes.pod.namespace',
  kind: 'dev.kprobe.kind',
  attempt: 'dev.kprobe.attempt',
  container: 'io.kubernetes.container.name',
  sandboxID: 'dev.kprobe.sandbox',
  hash: 'dev.kprobe.hash',
  restartCount: 'dev.kprobe.restart-count',
  imageRef: 'dev.kprobe.image-ref',
  messageFile: 'dev.kprobe.message-file',
} as const;

export interface PodLabels {
  /** The run of kprobe that made the container or volume. */
  readonly session: string;
  /** The process of kprobe that manages it, as `ownerOf` writes it. */
  readonly owner: string;
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}

export interface SandboxLabels extends PodLabels {
  readonly kind: 'sandbox';
  readonly attempt: number;
}

export interface ContainerLabels extends PodLabels {
  readonly kind: 'container';
  readonly container: string;
  readonly sandboxID: string;
  readonly hash: string;
  readonly restartCount: number;
  readonly imageRef: string;
  readonly messageFile: string;
}

export function podLabels(
  { session, owner }: Pick<PodLabels, 'session' | 'owner'>,
  { uid, name, namespace }: Pick<PodLabels, 'uid' | 'name' | 'namespace'>,
): PodLabels {
  return { session, owner, uid, name, namespace };
}

export function labelArguments(labels: SandboxLabels | ContainerLabels | PodLabels): string[] {
  return Object.entries(labels).flatMap(([field, value]: [string, string | number]) => [
    '--label',
    `${LABELS[field as keyof typeof LABELS]}=${value}`,
  ]);
}

/** Decodes the labels of a container; undefined when it is not kprobe's. */
export function decodeLabels(
  labels: Readonly<Record<string, string>>,
): SandboxLabels | ContainerLabels | undefined {
  const text = (field: keyof typeof LABELS): string => labels[LABELS[field]] ?? '';
  const pod = textsOf(text, ['session', 'owner', 'uid', 'name', 'namespace']);
  if (pod.session === '') return undefined;
  if (text('kind') === 'sandbox') {
    return { ...pod, kind: 'sandbox', attempt: Number(text('attempt')) };
  }
  const ofContainer = textsOf(text, ['container', 'sandboxID', 'hash', 'imageRef', 'messageFile']);
  return { ...pod, ...ofContainer, kind: 'container', restartCount: Number(text('restartCount')) };
}

function textsOf<F extends string>(text: (field: F) => string, fields: readonly F[]) {
  return Object.fromEntries(fields.map((field) => [field, text(field)])) as Record<F, string>;
}

/** Returns a name that no other run uses: the session is part of it. */
export function engineName(pod: Pod, part: string, session: string, attempt: number): string {
  const { namespace, name } = pod.metadata;
  const readable = `kprobe-${namespace}-${name}-${part}`.replace(/[^a-zA-Z0-9_.-]/g, '-');
  return `${readable.slice(0, 160)}-${session}-${attempt}`;
}
