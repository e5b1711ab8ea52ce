import { present } from '../../api/index.js';
import type { KubeObject, ObjectMeta, ReflectHandler } from '../types.js';

/** Knows what the handler has, and reports only what differs from it. */
export class ReflectorStore {
  readonly #handler: ReflectHandler;
  /** The least of each object's metadata, by namespace and name. */
  readonly #known = new Map<string, ObjectMeta>();

  constructor(handler: ReflectHandler) {
    this.#handler = handler;
  }

  /** Reports an object, unless the handler has this version of it. */
  upsert(object: KubeObject): void {
    const key = keyOf(object);
    const before = this.#known.get(key);
    const { name, namespace, uid, resourceVersion } = object.metadata;
    if (before?.uid === uid && before.resourceVersion === resourceVersion) return;
    if (before !== undefined && before.uid !== uid) this.#handler.remove({ metadata: before });
    this.#known.set(key, { name, ...present({ namespace }), uid, resourceVersion });
    this.#handler.upsert(object);
  }

  delete(object: KubeObject): void {
    const key = keyOf(object);
    if (this.#known.get(key)?.uid !== object.metadata.uid) return;
    this.#known.delete(key);
    this.#handler.remove(object);
  }

  /** Begins a list; what it leaves in the set was not listed. */
  beginList(): Set<string> {
    return new Set(this.#known.keys());
  }

  listed(items: readonly KubeObject[], missing: Set<string>): void {
    for (const item of items) {
      missing.delete(keyOf(item));
      this.upsert(item);
    }
  }

  endList(missing: ReadonlySet<string>): void {
    for (const key of missing) {
      const metadata = this.#known.get(key);
      this.#known.delete(key);
      if (metadata !== undefined) this.#handler.remove({ metadata });
    }
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
