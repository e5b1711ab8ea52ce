import { podKey } from '../kubelet/pod-name.js';
import type { Event } from '../trace/event.js';
import { toTraceLine, type TraceLine } from '../trace/trace-line.js';
import { TraceMask } from '../trace/trace-mask.js';
import type { Change } from './control-plane.js';
import type { ApiPod } from './controllers/objects.js';
import { isTerminating } from './controllers/pod-util.js';
import type { RolloutObserver } from './rollout.js';

/** Records the events of all pods as the lines of one trace, with secrets masked. */
export class RolloutTrace implements RolloutObserver {
  readonly #events: { readonly event: Event; readonly at: number }[] = [];
  /** Pods that exist, by UID. */
  readonly #pods = new Map<
    string,
    { readonly spec: ApiPod['spec']; readonly isDeleted: boolean }
  >();
  #begin = 0;

  /** Returns the lines; times count from the start of the rollout, and earlier ones are negative. */
  lines(): TraceLine[] {
    const mask = new TraceMask();
    return this.#events.map(({ event, at }) => mask.line(toTraceLine(event, at, this.#begin)));
  }

  onBegin(at: number): void {
    this.#begin = at;
  }

  onChange(change: Change, at: number): void {
    if (change.kind === 'endpoint' || change.kind === 'event') return;
    const { object } = change;
    if (object.kind !== 'Pod') return;
    if (change.kind === 'object') return this.#podChanged(object, at);
    this.#pods.delete(object.metadata.uid);
    this.#events.push({ event: { kind: 'gone', pod: podKey(object) }, at });
  }

  onEvent({ metadata: { uid } }: ApiPod, event: Event, at: number): void {
    // A StatefulSet's next pod has the same name.
    if (this.#pods.has(uid)) this.#events.push({ event, at });
  }

  #podChanged(object: ApiPod, at: number): void {
    const { spec, metadata } = object;
    // Other traces have no fields that the API server adds.
    const { name, namespace, uid, labels, annotations } = metadata;
    const kept = { name, namespace, uid, labels, annotations };
    const pod = podKey(object);
    const before = this.#pods.get(metadata.uid);
    const isDeleted = isTerminating(object);
    this.#pods.set(metadata.uid, { spec, isDeleted });
    if (before?.spec !== spec) {
      this.#events.push({
        event: { kind: 'pod', pod, object: { metadata: kept, spec, status: {} } },
        at,
      });
    }
    if (isDeleted && before?.isDeleted !== true) {
      this.#events.push({ event: { kind: 'action', pod, do: 'delete' }, at });
    }
  }
}
