import type { Event } from '../../kubelet/event.js';
import type { ScriptedContainer } from '../../sim/scripted-container.js';
import type { Change } from '../control-plane.js';
import type { ApiPod } from '../controllers/objects.js';
import type { PodFact } from './pod-fact.js';

/** Label by which a Deployment, and a StatefulSet or DaemonSet, tell the pods of a template. */
const REVISION_LABELS = ['pod-template-hash', 'controller-revision-hash'];

/** Exit code of a killed container. */
const SIGKILL = 137;

/** Milliseconds since the simulation began. */
type Now = () => number;

/** Records the facts of all pods, as the control plane and the kubelets report them. */
export class FactRecorder {
  readonly facts: PodFact[] = [];
  readonly #known = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #now: Now;

  constructor(now: Now) {
    this.#now = now;
  }

  onChange(change: Change): void {
    if (change.kind === 'endpoint') this.#endpoint(change);
    else if (change.kind !== 'event' && change.object.kind === 'Pod') {
      this.#pod(change.object, change.kind === 'gone');
    }
  }

  onEvent(pod: ApiPod, event: Event): void {
    if (!('container' in event) || event.container !== servingContainer(pod)) return;
    const of = { at: this.#now(), pod: pod.metadata.uid };
    if (event.kind === 'stop') this.facts.push({ ...of, kind: 'term' });
    if (event.kind === 'backOff') this.facts.push({ ...of, kind: 'backOff', delay: event.delay });
    if (event.kind === 'exited') {
      this.facts.push({ ...of, kind: 'ended', killed: event.exitCode === SIGKILL });
    }
  }

  onStart({ config, requests }: ScriptedContainer): void {
    const { pod, container } = config;
    if (container.name !== servingContainer(pod)) return;
    this.facts.push({
      at: this.#now(),
      pod: pod.metadata.uid,
      kind: 'started',
      behaviour: requests,
    });
  }

  #endpoint({ pod, endpoint }: Change & { readonly kind: 'endpoint' }): void {
    const of = { at: this.#now(), pod: pod.metadata.uid, kind: 'endpoint' } as const;
    if (endpoint === undefined) this.facts.push(of);
    else {
      const { ready, serving, terminating } = endpoint;
      this.facts.push({ ...of, conditions: { ready, serving, terminating } });
    }
  }

  #pod(pod: ApiPod, isGone: boolean): void {
    const { uid, name, labels, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    const of = { at: this.#now(), pod: uid };
    if (!this.#known.has(uid)) {
      this.#known.add(uid);
      const revision = REVISION_LABELS.map((label) => labels[label]).find(Boolean) ?? '';
      this.facts.push({ ...of, kind: 'created', name, revision });
    }
    if (deletionTimestamp !== undefined && !this.#deleted.has(uid)) {
      this.#deleted.add(uid);
      const gracePeriodSeconds =
        deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
      this.facts.push({ ...of, kind: 'deleted', gracePeriodSeconds });
    }
    if (isGone) this.facts.push({ ...of, kind: 'gone' });
  }
}

/** Returns the container that takes the Service's requests: the first one with a port, or the first one. */
function servingContainer({ spec: { containers } }: Pick<ApiPod, 'spec'>): string | undefined {
  const serving = containers.find(({ ports = [] }) => ports.length > 0) ?? containers[0];
  return serving?.name;
}
