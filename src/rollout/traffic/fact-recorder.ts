import type { Event } from '../../kubelet/event.js';
import type { ScriptedContainer } from '../../sim/scripted-container.js';
import type { Change } from '../control-plane.js';
import type { ApiPod } from '../controllers/objects.js';
import type { PodFact } from './pod-fact.js';

/** Exit code of a killed container. */
const SIGKILL = 137;

/** Records the facts of all pods, as the control plane and the kubelets report them; times are the clock's. */
export class FactRecorder {
  readonly #facts: PodFact[] = [];
  #begin = 0;
  readonly #deleted = new Set<string>();
  /** The first Service: the one that gets the requests. */
  #service: string | undefined;

  /** Returns the facts with times in milliseconds since the rollout began. */
  facts(): readonly PodFact[] {
    return this.#facts.map((fact) => ({ ...fact, at: fact.at - this.#begin }));
  }

  onBegin(at: number): void {
    this.#begin = at;
  }

  onChange(change: Change, at: number): void {
    if (change.kind === 'endpoint') this.#endpoint(change, at);
    else if (change.kind !== 'event' && change.object.kind === 'Pod') {
      this.#pod(change.object, at);
    }
  }

  onEvent(pod: ApiPod, event: Event, at: number): void {
    if (!('container' in event) || event.container !== servingContainer(pod)) return;
    const of = { at, pod: pod.metadata.uid };
    if (event.kind === 'stop') this.#facts.push({ ...of, kind: 'term' });
    if (event.kind === 'backOff') this.#facts.push({ ...of, kind: 'backOff', delay: event.delay });
    if (event.kind === 'exited') {
      this.#facts.push({ ...of, kind: 'ended', killed: event.exitCode === SIGKILL });
    }
  }

  onStart({ config: { pod, container }, requests }: ScriptedContainer, at: number): void {
    if (container.name !== servingContainer(pod)) return;
    // A probe's answer and a request's take their own time.
    const { latency: _, ...behaviour } = requests;
    this.#facts.push({ at, pod: pod.metadata.uid, kind: 'started', behaviour });
  }

  #endpoint({ service, pod, endpoint }: Change & { readonly kind: 'endpoint' }, at: number): void {
    this.#service ??= service.metadata.uid;
    if (service.metadata.uid !== this.#service) return;
    const of = { at, pod: pod.metadata.uid, kind: 'endpoint' } as const;
    this.#facts.push({ ...of, ...(endpoint && { conditions: endpoint }) });
  }

  #pod(pod: ApiPod, at: number): void {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    if (deletionTimestamp === undefined || this.#deleted.has(uid)) return;
    this.#deleted.add(uid);
    const gracePeriodSeconds =
      deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
    this.#facts.push({ at, pod: uid, kind: 'deleted', gracePeriodSeconds });
  }
}

/** Returns the container that takes the Service's requests: the first one with a port, or the first one. */
function servingContainer({ spec: { containers } }: Pick<ApiPod, 'spec'>): string | undefined {
  const serving = containers.find(({ ports = [] }) => ports.length > 0) ?? containers[0];
  return serving?.name;
}
