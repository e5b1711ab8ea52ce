import type { AttemptView } from '../trace/summary/probe-view.js';
import { findContainer, findPod, type Summary } from '../trace/summary/summary.js';
import type { LineOf } from './lines/entries.js';

/** All attempts of a run: the summary keeps only the latest of each probe. */
export class AttemptHistory {
  readonly #pods = new Map<string, Map<string, AttemptView[]>>();

  /** Adds the attempt of a line; `summary` is that after the line. */
  add({ pod, container, probe }: LineOf<'attemptDone'>, summary: Summary): void {
    const view = findPod(summary, pod);
    const probes = (view && findContainer(view, container))?.probes;
    const attempt = probes?.find(({ type }) => type === probe)?.attempts.at(-1);
    if (attempt === undefined) return;
    const ofPod = this.#pods.get(pod) ?? new Map<string, AttemptView[]>();
    const known = ofPod.get(`${container}/${probe}`) ?? [];
    this.#pods.set(pod, ofPod.set(`${container}/${probe}`, known));
    known.push(attempt);
  }

  /** Returns the attempts of a pod by `container/probe`. */
  ofPod(pod: string): ReadonlyMap<string, readonly AttemptView[]> {
    return this.#pods.get(pod) ?? new Map<string, AttemptView[]>();
  }
}
