/** Starts static pods of the same name one after another. Ports allowStaticPodStart (pkg/kubelet/pod_workers.go). */
export class StaticPodQueue {
  /** The uid of the started pod, by full name. */
  readonly #started = new Map<string, string>();
  /** The uids of the pods that wait, by full name. */
  readonly #waiting = new Map<string, string[]>();

  add(fullname: string, uid: string): void {
    this.#waiting.set(fullname, [...(this.#waiting.get(fullname) ?? []), uid]);
  }

  /** Returns whether this pod may start; waiting pods that are `terminated` are skipped. */
  allowStart(fullname: string, uid: string, terminated: (uid: string) => boolean): boolean {
    const started = this.#started.get(fullname);
    if (started !== undefined) return started === uid;
    const waiting = this.#waiting.get(fullname) ?? [];
    const next = waiting.findIndex((candidate) => !terminated(candidate));
    if (next !== -1 && waiting[next] !== uid) {
      this.#waiting.set(fullname, waiting.slice(next));
      return false;
    }
    this.#waiting.set(fullname, next === -1 ? [] : waiting.slice(next + 1));
    this.#started.set(fullname, uid);
    return true;
  }

  /** Removes a pod that has ended, so that the next one may start. */
  remove(fullname: string, uid: string): void {
    if (this.#started.get(fullname) === uid) this.#started.delete(fullname);
  }
}
