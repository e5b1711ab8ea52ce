import type { Pod } from '../../../api/index.js';
import type {
  RuntimeContainerState,
  RuntimeContainerStatus,
  RuntimePod,
  RuntimePodStatus,
  RuntimeSandboxStatus,
} from '../../../kubelet/ports.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import type { ConfigSource, EnvironmentNode } from '../../environment/environment-variables.js';
import { START_ERROR } from '../../stand-in.js';
import type { ContainerOutput, Engine, EngineImages } from '../engine.js';
import type { EngineCli } from '../engine-cli.js';
import type { EngineExecs } from '../engine-execs.js';
import { engineState, type Inspected } from '../inspect.js';
import { type CreatedRoutes, LOOPBACK } from './created-routes.js';
import type { ContainerLabels, PodLabels, SandboxLabels } from './labels.js';

/** The pods that kprobe made, as the engine lists them. */
export class CreatedPods {
  /** Oldest first. */
  readonly containers = new Map<string, KnownContainer>();
  readonly sandboxes = new Map<string, KnownSandbox>();

  list(states: ReadonlyMap<string, string>): readonly RuntimePod[] {
    const listed = this.#all().filter(({ id }) => states.has(id));
    const pods = new Map(listed.map(({ labels }) => [labels.uid, labels]));
    return [...pods.values()].map((pod) => this.#pod(pod, states));
  }

  idsOf(uid: string): readonly string[] {
    const own = this.#all().filter(({ labels }) => labels.uid === uid);
    return own.map(({ id }) => id);
  }

  #all(): readonly (KnownSandbox | KnownContainer)[] {
    return [...this.sandboxes.values(), ...this.containers.values()];
  }

  sandboxesOf(uid: string): readonly KnownSandbox[] {
    return [...this.sandboxes.values()].filter(({ labels }) => labels.uid === uid).reverse();
  }

  containersOf(uid: string): readonly KnownContainer[] {
    return [...this.containers.values()].filter(({ labels }) => labels.uid === uid).reverse();
  }

  containersIn(sandboxID: string): readonly KnownContainer[] {
    return [...this.containers.values()].filter(({ labels }) => labels.sandboxID === sandboxID);
  }

  status(uid: string, inspected: readonly Inspected[]): RuntimePodStatus {
    const byID = new Map(inspected.map((each) => [each.id, each]));
    const sandboxStatuses = this.sandboxesOf(uid).flatMap((sandbox) => {
      const seen = byID.get(sandbox.id);
      return seen === undefined ? [] : [sandboxStatus(sandbox, seen)];
    });
    const containerStatuses = this.containersOf(uid).flatMap((known) => {
      const seen = byID.get(known.id);
      return seen === undefined ? [] : [containerStatus(known, seen)];
    });
    const [latest] = sandboxStatuses;
    const ips = latest?.state === 'ready' ? latest.ips : [];
    return { uid, ips, sandboxStatuses, containerStatuses };
  }

  #pod({ uid, name, namespace }: PodLabels, states: ReadonlyMap<string, string>): RuntimePod {
    return {
      uid,
      name,
      namespace,
      containers: this.containersOf(uid)
        .filter(({ id }) => states.has(id))
        .map((known) => ({
          id: known.id,
          name: known.labels.container,
          state: stateOf(states.get(known.id) ?? '', known),
          sandboxID: known.labels.sandboxID,
        })),
      sandboxes: this.sandboxesOf(uid)
        .filter(({ id }) => states.has(id))
        .map(({ id }) => ({ id, state: states.get(id) === 'running' ? 'ready' : 'notReady' })),
    };
  }
}

function sandboxStatus(
  { id, labels: { attempt }, hostNetwork }: KnownSandbox,
  { state, ips }: Inspected,
): RuntimeSandboxStatus {
  const own = hostNetwork ? [] : ips.length > 0 ? ips : [LOOPBACK];
  return { id, attempt, hostNetwork, state: state === 'running' ? 'ready' : 'notReady', ips: own };
}

/** Ports toKubeContainerStatus (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
function containerStatus(known: KnownContainer, seen: Inspected): RuntimeContainerStatus {
  const { id, labels, failed, message } = known;
  const state = stateOf(seen.state, known);
  const about = {
    id,
    state,
    name: labels.container,
    sandboxID: labels.sandboxID,
    image: seen.image,
    imageRef: labels.imageRef,
    hash: labels.hash,
    restartCount: labels.restartCount,
    createdAt: seen.createdAt,
  };
  if (failed !== undefined) {
    return { ...about, ...START_ERROR, message: failed.message, finishedAt: failed.at };
  }
  const started = seen.startedAt === undefined ? {} : { startedAt: seen.startedAt };
  if (state !== 'exited') return { ...about, ...started, exitCode: 0, reason: '', message: '' };
  return {
    ...about,
    ...started,
    exitCode: seen.exitCode,
    reason: endReason(seen),
    message: message ?? seen.error,
    ...(seen.finishedAt === undefined ? {} : { finishedAt: seen.finishedAt }),
  };
}

/** Returns containerd's name for the end of a container. */
export function endReason({ exitCode, oomKilled }: Inspected): string {
  if (oomKilled) return 'OOMKilled';
  return exitCode === 0 ? 'Completed' : 'Error';
}

export interface KnownContainer {
  readonly id: string;
  readonly labels: ContainerLabels;
  readonly policy: 'File' | 'FallbackToLogsOnError';
  readonly tty: boolean;
  /** Started, and its end not reported yet. */
  running: boolean;
  /** Its end was reported: an engine with a full disk keeps listing it as running. */
  ended?: true;
  /** Error and time of a start that failed. */
  failed?: { readonly message: string; readonly at: number };
  /** Termination message, read once. */
  message?: string;
  output?: ContainerOutput;
}

interface KnownSandbox {
  readonly id: string;
  readonly labels: SandboxLabels;
  readonly hostNetwork: boolean;
}

export function stateOf(
  text: string,
  { failed, ended }: Pick<KnownContainer, 'failed' | 'ended'> = {},
): RuntimeContainerState {
  const state = engineState(text);
  if (failed !== undefined || ended === true || state === 'dead') return 'exited';
  return state === 'paused' || state === 'restarting' ? 'running' : state;
}

export interface CreatedOptions {
  readonly engine: Engine;
  readonly listener: EngineListener;
  readonly execs: EngineExecs;
  readonly routes: CreatedRoutes;
  readonly node: EnvironmentNode;
  readonly config: ConfigSource;
  /** The id of this run of kprobe in the engine. */
  readonly session: string;
  /** The process that manages it. */
  readonly owner: string;
  /** The engine's network for pods that are not on the host's. */
  readonly network: string;
  /** Returns the TCP ports of a pod that are probed from here. */
  readonly portsOf: (pod: Pod) => readonly number[];
  /** Leave everything when kprobe ends. */
  readonly keep: boolean;
  /** Take over the session of another process. */
  readonly adopts: boolean;
  readonly onClose: () => void;
}

/** Options that all parts of the runtime use. */
export interface Created extends CreatedOptions {
  readonly cli: EngineCli;
  readonly images: EngineImages;
  readonly pods: CreatedPods;
}
