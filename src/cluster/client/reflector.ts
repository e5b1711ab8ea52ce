import { setMaxListeners } from 'node:events';

import { omitUndefined } from '../../api/index.js';
import type { Clock, Timer } from '../../clock/clock.js';
import { ClusterError } from '../cluster-error.js';
import type { ConnectionState, KubeObject, ObjectMeta, ReflectHandler } from '../types.js';

/** A watch event. The object of a bookmark has only a resourceVersion; an error event is thrown. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

/** Requests of a reflector, which throw ClusterErrors. */
export interface ListerWatcher {
  /** Calls `onPage` with each page; returns the list's resourceVersion. */
  list(onPage: (items: readonly KubeObject[]) => void, signal: AbortSignal): Promise<string>;
  /** Resolves when the server has accepted the watch. */
  watch(
    parameters: { readonly resourceVersion: string; readonly timeoutSeconds: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<WatchEvent>>;
  /** Resolves when the server answers, whatever it says. */
  ping(): Promise<void>;
}

/** Values of client-go's reflector (tools/cache/reflector.go), in milliseconds. */
const BACKOFF = { first: 800, cap: 30_000, reset: 120_000 };
/** The cap while there is no answer, so that the end of an outage is seen soon; a single client is no load for a server. */
const OUTAGE_CAP = 3000;
const MIN_WATCH_SECONDS = 300;
/** A watch that ends sooner, without an event, has failed. */
const SHORT_WATCH = 1000;
/** Milliseconds without an event; the API server sends a bookmark each minute. */
const IDLE = 90_000;
/** Milliseconds without an event after which the server is pinged. */
const SILENCE = 5000;

interface OpenWatch {
  readonly stop: AbortController;
  /** The time of the server's last event. */
  heardAt: number;
  /** The reason why the server counts as unreachable. */
  lost?: ClusterError;
}

/** Errors before the first list that a retry does not fix. */
const LASTING = ['forbidden', 'unauthorized', 'notFound', 'invalid', 'untrusted'];

/** Lists, then watches from the list's resourceVersion, and repeats both when a watch ends. Resolves when aborted. */
export class Reflector {
  /** Metadata of the objects that the handler has, by namespace and name. */
  readonly #known = new Map<string, ObjectMeta>();
  /** The resourceVersion to watch from; without one, list first. */
  #version: string | undefined;
  #listed = -Infinity;
  #synced = false;
  #up: boolean | undefined;
  #delay = BACKOFF.first;
  #lastDelay = -Infinity;

  constructor(
    private readonly api: ListerWatcher,
    private readonly handler: ReflectHandler,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    setMaxListeners(0, signal);
  }

  /** @throws ClusterError before the first list that a retry does not fix */
  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        if (this.#version === undefined) await this.#list();
        else await this.#watch(this.#version);
      } catch (error) {
        if (this.#aborted()) return;
        await this.#recover(error);
      }
    }
  }

  async #list(): Promise<void> {
    const missing = new Map(this.#known);
    const onPage = (items: readonly KubeObject[]): void => {
      for (const item of items) {
        missing.delete(keyOf(item));
        this.#upsert(item);
      }
    };
    this.#version = await this.api.list(onPage, this.signal);
    for (const metadata of missing.values()) this.#remove({ metadata });
    this.#listed = this.clock.now();
    this.#report({ up: true });
    if (this.#synced) return;
    this.#synced = true;
    this.handler.synced();
  }

  async #watch(resourceVersion: string): Promise<void> {
    const begin = this.clock.now();
    const timeoutSeconds = String(Math.floor(MIN_WATCH_SECONDS * (1 + this.clock.random())));
    const watch: OpenWatch = { stop: new AbortController(), heardAt: begin };
    const { signal } = watch.stop;
    const onAbort = (): void => watch.stop.abort();
    this.signal.addEventListener('abort', onAbort);
    this.#listen(watch);
    let events = 0;
    let accepted = false;
    try {
      const stream = await this.api.watch({ resourceVersion, timeoutSeconds }, signal);
      accepted = true;
      watch.heardAt = this.clock.now();
      this.#report({ up: true });
      for await (const event of stream) {
        watch.heardAt = this.clock.now();
        events++;
        this.#apply(event);
      }
    } catch (error) {
      if (watch.lost !== undefined) throw watch.lost;
      // A broken stream is not an error: the next watch continues where it ended, or reports what is wrong.
      const isBroken = error instanceof ClusterError && error.code === 'unreachable';
      if (!signal.aborted && !(accepted && isBroken)) throw error;
    } finally {
      watch.stop.abort();
      this.signal.removeEventListener('abort', onAbort);
    }
    if (events === 0 && this.clock.now() - begin < SHORT_WATCH) await this.#pause();
  }

  /** Pings a silent server until the watch is stopped: no connection closes when a server hangs or the network is lost. */
  #listen(watch: OpenWatch): void {
    const { stop } = watch;
    const check = async (): Promise<void> => {
      const silence = this.clock.now() - watch.heardAt;
      if (silence >= IDLE) stop.abort();
      else if (silence >= SILENCE) {
        await this.api.ping().catch((error: unknown) => {
          if (!(error instanceof ClusterError)) throw error;
          watch.lost = error;
          stop.abort();
        });
        // Events that were sent during the outage may wait on a connection that is gone.
        if (this.#up === false) stop.abort();
      }
      listen();
    };
    let timer: Timer | undefined;
    const listen = (): void => {
      if (!stop.signal.aborted) timer = this.clock.setTimeout(() => void check(), SILENCE);
    };
    stop.signal.addEventListener('abort', () => timer?.cancel());
    listen();
  }

  #apply({ type, object }: WatchEvent): void {
    this.#version = object.metadata.resourceVersion;
    if (type === 'DELETED') this.#remove(object);
    else if (type !== 'BOOKMARK') this.#upsert(object);
  }

  /** Reports an object, unless the handler has this version of it. */
  #upsert(object: KubeObject): void {
    const key = keyOf(object);
    const before = this.#known.get(key);
    const { name, namespace, uid, resourceVersion } = object.metadata;
    if (before !== undefined) {
      if (before.uid !== uid) this.handler.remove({ metadata: before });
      else if (before.resourceVersion === resourceVersion) return;
    }
    this.#known.set(key, { name, ...omitUndefined({ namespace }), uid, resourceVersion });
    this.handler.upsert(object);
  }

  #remove(object: KubeObject): void {
    const key = keyOf(object);
    if (this.#known.get(key)?.uid !== object.metadata.uid) return;
    this.#known.delete(key);
    this.handler.remove(object);
  }

  async #recover(error: unknown): Promise<void> {
    if (!(error instanceof ClusterError)) throw error;
    if (!this.#synced && LASTING.includes(error.code)) throw error;
    if (error.code === 'expired') {
      // The connection is fine: list at once, unless the last list is just as new.
      this.#version = undefined;
      if (this.clock.now() - this.#listed > BACKOFF.cap) return;
    } else this.#report({ up: false, error });
    const isOutage = error.code === 'unreachable' || error.code === 'timeout';
    await this.#pause(error.detail.retryAfter, isOutage ? OUTAGE_CAP : BACKOFF.cap);
  }

  #report(state: ConnectionState): void {
    if (this.#up === state.up) return;
    this.#up = state.up;
    this.handler.connection(state);
  }

  /** Waits as wait.Backoff.DelayWithReset does, with a jitter of 1, and not less than `min`. */
  #pause(min = 0, cap = BACKOFF.cap): Promise<void> {
    const now = this.clock.now();
    if (now - this.#lastDelay > BACKOFF.reset) this.#delay = BACKOFF.first;
    this.#lastDelay = now;
    const delay = Math.max(min, Math.min(this.#delay, cap) * (1 + this.clock.random()));
    this.#delay = Math.min(this.#delay * 2, cap);
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.clock.setTimeout(done, delay);
      this.signal.addEventListener('abort', done);
    });
  }

  /** A method, since TypeScript would assume that a property has not changed after a wait. */
  #aborted(): boolean {
    return this.signal.aborted;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
