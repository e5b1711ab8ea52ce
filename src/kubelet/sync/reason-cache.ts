import type { StartError, SyncResult } from '../sync-result.js';

/** Why each container's latest start failed. Ports ReasonCache (pkg/kubelet/reason_cache.go). */
export class ReasonCache {
  readonly #reasons = new Map<string, StartError>();

  /** Ports Update: only StartContainer results change it. */
  update(uid: string, results: readonly SyncResult[]): void {
    for (const result of results) {
      if (result.action !== 'StartContainer') continue;
      const key = composeKey(uid, result.target);
      if (result.error !== undefined) this.#reasons.set(key, result.error);
      else this.#reasons.delete(key);
    }
  }

  get(uid: string, name: string): StartError | undefined {
    return this.#reasons.get(composeKey(uid, name));
  }
}

function composeKey(uid: string, name: string): string {
  return `${uid}_${name}`;
}
