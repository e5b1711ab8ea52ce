import type { ApiObject } from './controllers/objects.js';

type Kind = ApiObject['kind'];
type OfKind<K extends Kind> = Extract<ApiObject, { readonly kind: K }>;

/** The objects of the API server, by UID; `onChange` is called for each write. */
export class Store {
  readonly #objects = new Map<string, ApiObject>();
  /** By kind, then by UID. */
  readonly #byKind = new Map<Kind, Map<string, ApiObject>>();
  /** By UID of the owner, then by UID. */
  readonly #owned = new Map<string, Map<string, ApiObject>>();
  readonly #onChange: (object: ApiObject, before: ApiObject | undefined) => void;

  constructor(onChange: (object: ApiObject, before: ApiObject | undefined) => void) {
    this.#onChange = onChange;
  }

  get(uid: string): ApiObject | undefined {
    return this.#objects.get(uid);
  }

  list<K extends Kind>(kind: K): readonly OfKind<K>[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])] as unknown as readonly OfKind<K>[];
  }

  named<K extends Kind>(kind: K, namespace: string, name: string): OfKind<K> | undefined {
    return this.list(kind).find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
  }

  /** Returns the objects of a kind that an owner controls. */
  ownedBy<K extends Kind>(uid: string, kind: K): readonly OfKind<K>[] {
    const owned = [...(this.#owned.get(uid)?.values() ?? [])];
    return owned.filter((object) => object.kind === kind) as unknown as readonly OfKind<K>[];
  }

  put<T extends ApiObject>(object: T): T {
    const { uid, owner } = object.metadata;
    const before = this.#objects.get(uid);
    this.#objects.set(uid, object);
    indexed(this.#byKind, object.kind).set(uid, object);
    if (owner !== undefined) indexed(this.#owned, owner.uid).set(uid, object);
    this.#onChange(object, before);
    return object;
  }

  /** Removes an object without a call of `onChange`. */
  remove({ kind, metadata: { uid, owner } }: ApiObject): void {
    this.#objects.delete(uid);
    this.#byKind.get(kind)?.delete(uid);
    if (owner !== undefined) this.#owned.get(owner.uid)?.delete(uid);
    this.#owned.delete(uid);
  }
}

function indexed<Key>(index: Map<Key, Map<string, ApiObject>>, key: Key): Map<string, ApiObject> {
  const known = index.get(key);
  if (known !== undefined) return known;
  const created = new Map<string, ApiObject>();
  index.set(key, created);
  return created;
}
