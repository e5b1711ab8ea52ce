import type { Pod } from '../../../api/index.js';
import type { ContainerConfig } from '../../../kubelet/ports.js';

/** Labels of kprobe's containers, and the run of kprobe that they belong to. */
export const SESSION_LABEL = 'dev.kprobe.session';
const KIND = 'dev.kprobe.kind';
const OWNER = 'dev.kprobe.owner';
const ATTEMPT = 'dev.kprobe.attempt';
const SANDBOX = 'dev.kprobe.sandbox';
const HASH = 'dev.kprobe.hash';
const RESTARTS = 'dev.kprobe.restart-count';
const IMAGE_REF = 'dev.kprobe.image-ref';
const MESSAGE_FILE = 'dev.kprobe.message-file';
/** As the kubelet names them. */
const POD_NAME = 'io.kubernetes.pod.name';
const POD_NAMESPACE = 'io.kubernetes.pod.namespace';
const POD_UID = 'io.kubernetes.pod.uid';
const CONTAINER = 'io.kubernetes.container.name';

export type Labels = Readonly<Record<string, string>>;

export interface PodLabels {
  readonly session: string;
  /** The process that manages it, as `ownerOf` writes it. */
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
  /** Of its termination message, in the pod's volume. */
  readonly messageFile: string;
}

interface Belongs {
  readonly session: string;
  readonly owner: string;
}

export function podLabels({ session, owner }: Belongs, { metadata }: Pod): PodLabels {
  const { uid, name, namespace } = metadata;
  return { session, owner, uid, name, namespace };
}

export function containerLabels(
  belongs: Belongs,
  { pod, container, sandboxID, hash, restartCount, imageRef }: ContainerConfig,
  messageFile: string,
): ContainerLabels {
  return {
    ...podLabels(belongs, pod),
    kind: 'container',
    container: container.name,
    sandboxID,
    hash,
    restartCount,
    imageRef,
    messageFile,
  };
}

/** `--label` arguments. */
export function labelArguments(labels: SandboxLabels | ContainerLabels | PodLabels): string[] {
  return Object.entries(encode(labels)).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
}

function encode(labels: SandboxLabels | ContainerLabels | PodLabels): Labels {
  const { session, owner, uid, name, namespace } = labels;
  const ofPod = {
    [SESSION_LABEL]: session,
    [OWNER]: owner,
    [POD_UID]: uid,
    [POD_NAME]: name,
    [POD_NAMESPACE]: namespace,
  };
  if (!('kind' in labels)) return ofPod;
  if (labels.kind === 'sandbox') {
    return { ...ofPod, [KIND]: 'sandbox', [ATTEMPT]: String(labels.attempt) };
  }
  return {
    ...ofPod,
    [KIND]: 'container',
    [CONTAINER]: labels.container,
    [SANDBOX]: labels.sandboxID,
    [HASH]: labels.hash,
    [RESTARTS]: String(labels.restartCount),
    [IMAGE_REF]: labels.imageRef,
    [MESSAGE_FILE]: labels.messageFile,
  };
}

/** Decodes the labels of a container; undefined when it is not kprobe's. */
export function decodeLabels(labels: Labels): SandboxLabels | ContainerLabels | undefined {
  const text = (key: string): string => labels[key] ?? '';
  if (text(SESSION_LABEL) === '') return undefined;
  const ofPod = {
    session: text(SESSION_LABEL),
    owner: text(OWNER),
    uid: text(POD_UID),
    name: text(POD_NAME),
    namespace: text(POD_NAMESPACE),
  };
  if (text(KIND) === 'sandbox')
    return { ...ofPod, kind: 'sandbox', attempt: Number(text(ATTEMPT)) };
  return {
    ...ofPod,
    kind: 'container',
    container: text(CONTAINER),
    sandboxID: text(SANDBOX),
    hash: text(HASH),
    restartCount: Number(text(RESTARTS)),
    imageRef: text(IMAGE_REF),
    messageFile: text(MESSAGE_FILE),
  };
}

/** Returns a name that no other run uses: the session is part of it. */
export function engineName(pod: Pod, what: string, session: string, attempt: number): string {
  const { namespace, name } = pod.metadata;
  const readable = `kprobe-${namespace}-${name}-${what}`.replace(/[^a-zA-Z0-9_.-]/g, '-');
  return `${readable.slice(0, 160)}-${session}-${attempt}`;
}
