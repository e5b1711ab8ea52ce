import type { Pod } from '../api/index.js';
import type { RuntimePod, RuntimePodStatus, RuntimeSandboxStatus } from '../kubelet/ports.js';
import type { LocalContainer } from './local-container.js';

export interface LocalSandbox {
  readonly id: string;
  readonly pod: Pod;
  readonly attempt: number;
  readonly ips: readonly string[];
  ready: boolean;
}

/** What a runtime holds of one pod, newest first. */
export class LocalPod {
  readonly sandboxes: LocalSandbox[] = [];
  readonly containers: LocalContainer[] = [];
  #listing: RuntimePod | undefined;

  constructor(private readonly pod: Pod) {}

  get isEmpty(): boolean {
    return this.sandboxes.length === 0 && this.containers.length === 0;
  }

  /** The listing is made anew; until then it is the same object. */
  changed(): void {
    this.#listing = undefined;
  }

  listing(): RuntimePod {
    const { uid, name, namespace } = this.pod.metadata;
    this.#listing ??= {
      uid,
      name,
      namespace,
      containers: this.containers.map(({ id, state, config: { container, sandboxID } }) => ({
        id,
        state,
        name: container.name,
        sandboxID,
      })),
      sandboxes: this.sandboxes.map(({ id, ready }) => ({
        id,
        state: ready ? 'ready' : 'notReady',
      })),
    };
    return this.#listing;
  }

  status(): RuntimePodStatus {
    const sandboxStatuses = this.sandboxes.map(sandboxStatus);
    const [latest] = sandboxStatuses;
    return {
      uid: this.pod.metadata.uid,
      ips: latest?.state === 'ready' ? latest.ips : [],
      sandboxStatuses,
      containerStatuses: this.containers.map((container) => container.status()),
    };
  }
}

function sandboxStatus({ id, pod, attempt, ips, ready }: LocalSandbox): RuntimeSandboxStatus {
  const hostNetwork = pod.spec.hostNetwork ?? false;
  return { id, state: ready ? 'ready' : 'notReady', attempt, hostNetwork, ips };
}
