import { isObject, ownField } from '../../api/index.js';
import { jsonText } from '../../go/json.js';
import { readObjects } from '../../manifest/documents/manifest-object.js';
import { type ManifestSource, SourceFile } from '../../manifest/documents/source-file.js';

type Fields = Readonly<Record<string, unknown>>;
type Items = readonly unknown[];

/** Fields by which the items of a list are told apart (patchMergeKey, x-kubernetes-list-map-keys); other lists are replaced whole. */
const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  resourceClaims: ['name'],
  ports: ['containerPort', 'protocol'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  ownerReferences: ['uid'],
};

/** Objects of which a patch keeps no fields but its own (patchStrategy retainKeys). */
const REPLACED = new Set(['strategy', 'volumes']);

/** Returns the manifest of an object that is there; undefined when none has its kind, name and namespace. */
export function manifestOf(live: Fields, sources: readonly ManifestSource[]): Fields | undefined {
  const { name, namespace } = fieldsOf(live['metadata']);
  for (const { node, kind } of sources.flatMap((source) => readObjects(new SourceFile(source)))) {
    if (kind !== live['kind']) continue;
    const manifest = fieldsOf(JSON.parse(jsonText(node)));
    // kubectl notes what it applied in an annotation: the manifest always has some.
    const metadata: Fields = { namespace, annotations: {}, ...fieldsOf(manifest['metadata']) };
    if (metadata['name'] !== name || metadata['namespace'] !== namespace) continue;
    return { ...manifest, metadata };
  }
  return undefined;
}

/**
 * Returns the object that `kubectl apply` of a manifest makes of one that is there: fields that the server or others
 * set stay; fields that an earlier apply declared, and the manifest leaves out, go.
 */
export function appliedTo(live: Fields, manifest: Fields): Fields {
  const kept = declarations(live).reduce<unknown>(
    (object, declared) => withoutDropped(object, declared, manifest, ''),
    live,
  );
  return merged(kept, manifest, '') as Fields;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the fields that those who made the object declared: as kubectl noted them, otherwise as the server did. */
function declarations(live: Fields): readonly unknown[] {
  const metadata = fieldsOf(live['metadata']);
  const text = fieldsOf(metadata['annotations'])[LAST_APPLIED];
  if (typeof text === 'string') return [fromJson(text)];
  const managers = metadata['managedFields'];
  return (isList(managers) ? managers : [])
    .map(fieldsOf)
    .filter(
      ({ subresource = '', manager }) => subresource === '' && !CONTROLLERS.test(String(manager)),
    )
    .map(({ fieldsV1 }) => valueOf(fieldsOf(fieldsV1)));
}

/** The cluster's own controllers, and `kubectl rollout restart`: their fields are no part of a manifest. */
const CONTROLLERS = /^(?:kube-|kubelet$|kubectl-rollout$)/;

/** Returns a value with the fields of a FieldsV1: `f:name` is a field, `k:{…}` the item of a list. */
function valueOf(fields: Fields): unknown {
  const keys = Object.keys(fields).filter((key) => key !== '.');
  if (keys.length === 0) return true;
  if (!keys.every((key) => key.startsWith('f:'))) {
    return keys
      .filter((key) => key.startsWith('k:'))
      .map((key) => ({
        ...fieldsOf(valueOf(fieldsOf(fields[key]))),
        ...fieldsOf(fromJson(key.slice(2))),
      }));
  }
  return Object.fromEntries(keys.map((key) => [key.slice(2), valueOf(fieldsOf(fields[key]))]));
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function withoutDropped(live: unknown, declared: unknown, next: unknown, key: string): unknown {
  if (isList(live) && isList(declared) && isList(next)) {
    const same = itemsOf(key);
    if (same === undefined) return live;
    return live.flatMap((item) => {
      const [then, now] = [same(declared, item), same(next, item)];
      return then !== undefined && now === undefined ? [] : [withoutDropped(item, then, now, '')];
    });
  }
  if (!isObject(live) || !isObject(declared) || !isObject(next)) return live;
  const entries = Object.entries(live).flatMap(([name, value]) => {
    const [then, now] = [ownField(declared, name), ownField(next, name)];
    if (then !== undefined && then !== null && now === undefined) return [];
    return [[name, withoutDropped(value, then, now, name)] as const];
  });
  return Object.fromEntries(entries);
}

function merged(live: unknown, next: unknown, key: string): unknown {
  if (isList(live) && isList(next)) {
    const same = itemsOf(key);
    if (same === undefined) return next;
    const own = next.map((item) => (REPLACED.has(key) ? item : merged(same(live, item), item, '')));
    return [...own, ...live.filter((item) => same(next, item) === undefined)];
  }
  if (!isObject(live) || !isObject(next) || REPLACED.has(key)) return next;
  const entries = Object.entries(next).map(
    ([name, value]) => [name, merged(ownField(live, name), value, name)] as const,
  );
  const all = { ...live, ...Object.fromEntries(entries) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function isList(value: unknown): value is Items {
  return Array.isArray(value);
}

/** Returns how to find the item of a list that corresponds to another's; undefined for a list that is replaced whole. */
function itemsOf(key: string) {
  const keys = ownField(LIST_KEYS, key);
  if (keys === undefined) return undefined;
  const identity = (item: unknown): string =>
    JSON.stringify(
      keys.map((name) => fieldsOf(item)[name] ?? (name === 'protocol' ? 'TCP' : null)),
    );
  return (items: Items, like: unknown): unknown =>
    items.find((item) => identity(item) === identity(like));
}
