/** Static pods of one name start one after the other. Ports allowStaticPodStart (pkg/kubelet/pod_workers.go). */
export class StaticPodTurns {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, string[]>();

  wait(fullname: string, uid: string): void {
    this.#waiting.set(fullname, [...(this.#waiting.get(fullname) ?? []), uid]);
  }

  /** Whether it is this pod's turn. Those for whom `ended` holds are passed over. */
  allow(fullname: string, uid: string, ended: (uid: string) => boolean): boolean {
    const started = this.#started.get(fullname);
    if (started !== undefined) return started === uid;
    const waiting = this.#waiting.get(fullname) ?? [];
    const next = waiting.findIndex((other) => !ended(other));
    if (next !== -1 && waiting[next] !== uid) {
      this.#waiting.set(fullname, waiting.slice(next));
      return false;
    }
    const rest = next === -1 ? [] : waiting.slice(next + 1);
    if (rest.length > 0) this.#waiting.set(fullname, rest);
    else this.#waiting.delete(fullname);
    this.#started.set(fullname, uid);
    return true;
  }

  /** The pod has ended: the next one may start. */
  free(fullname: string, uid: string): void {
    if (this.#started.get(fullname) === uid) this.#started.delete(fullname);
  }
}
