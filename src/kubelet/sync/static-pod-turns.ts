/** Lets static pods of the same name start one after another. Ports allowStaticPodStart (pod_workers.go). */
export class StaticPodTurns {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, string[]>();

  wait(fullname: string, uid: string): void {
    this.#waiting.set(fullname, [...(this.#waiting.get(fullname) ?? []), uid]);
  }

  /** Returns whether it is this pod's turn; pods that have `ended` are skipped. */
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

  /** Lets the next pod start after this one has ended. */
  free(fullname: string, uid: string): void {
    if (this.#started.get(fullname) === uid) this.#started.delete(fullname);
  }
}
