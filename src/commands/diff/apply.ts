import { isList, isObject, LAST_APPLIED, ownField, tryParseJson } from '../../api/index.js';
import { jsonText } from '../../go/json.js';
import { readObjects } from '../../manifest/documents/manifest-object.js';
import { type ManifestSource, SourceFile } from '../../manifest/documents/source-file.js';

type Fields = Readonly<Record<string, unknown>>;
type Items = readonly unknown[];

/** Fields that identify the items of a list (patchMergeKey, x-kubernetes-list-map-keys); other lists are replaced as a whole. */
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

/** Objects that a patch replaces as a whole (patchStrategy retainKeys). */
const REPLACED = new Set(['strategy', 'volumes']);

export function manifestOf(live: Fields, sources: readonly ManifestSource[]): Fields | undefined {
  const { name, namespace } = fieldsOf(live['metadata']);
  for (const { node, kind } of sources.flatMap((source) => readObjects(new SourceFile(source)))) {
    if (kind !== live['kind']) continue;
    const manifest = fieldsOf(JSON.parse(jsonText(node)));
    // kubectl writes what it has applied into an annotation, so there is always one.
    const metadata: Fields = { namespace, annotations: {}, ...fieldsOf(manifest['metadata']) };
    if (metadata['name'] !== name || metadata['namespace'] !== namespace) continue;
    return { ...manifest, metadata };
  }
  return undefined;
}

/**
 * Returns the object after `kubectl apply` of a manifest: fields of the server and of others stay; fields that an
 * earlier apply declared, and the manifest lacks, are removed.
 */
export function appliedTo(live: Fields, manifest: Fields): Fields {
  const { declared, others } = ownershipOf(live);
  const kept = declared.reduce<unknown>(
    (object, fields) => withoutDropped(object, fields, manifest, '', others),
    live,
  );
  return merged(kept, manifest, '') as Fields;
}

/** Finds what earlier applies have declared: kubectl keeps it in an annotation, a server-side apply in managedFields. */
function ownershipOf(live: Fields) {
  const metadata = fieldsOf(live['metadata']);
  const text = fieldsOf(metadata['annotations'])[LAST_APPLIED];
  if (typeof text === 'string') return { declared: [tryParseJson(text)], others: [] };
  const managers = metadata['managedFields'];
  const all = (isList(managers) ? managers : []).map(fieldsOf);
  const appliers = all.filter(
    ({ operation, subresource = '' }) => operation === 'Apply' && subresource === '',
  );
  // The manager of the simulated command takes precedence over others.
  const kubectl = appliers.filter(({ manager }) => manager === 'kubectl');
  const counted = kubectl.length > 0 ? kubectl : appliers;
  const valuesOf = (some: readonly Fields[]): readonly unknown[] =>
    some.map(({ fieldsV1 }) => valueOf(fieldsOf(fieldsV1)));
  return {
    declared: valuesOf(counted),
    others: valuesOf(all.filter((each) => !counted.includes(each))),
  };
}

/** Returns a value with the fields of a FieldsV1: `f:name` is a field, `k:{…}` the item of a list. */
function valueOf(fields: Fields): unknown {
  const keys = Object.keys(fields).filter((key) => key !== '.');
  if (keys.length === 0) return true;
  if (!keys.every((key) => key.startsWith('f:'))) {
    return keys
      .filter((key) => key.startsWith('k:'))
      .map((key) => ({
        ...fieldsOf(valueOf(fieldsOf(fields[key]))),
        ...fieldsOf(tryParseJson(key.slice(2))),
      }));
  }
  return Object.fromEntries(keys.map((key) => [key.slice(2), valueOf(fieldsOf(fields[key]))]));
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function withoutDropped(
  live: unknown,
  declared: unknown,
  next: unknown,
  key: string,
  others: readonly unknown[],
): unknown {
  if (isList(live) && isList(declared) && isList(next)) {
    const same = itemsOf(key);
    if (same === undefined) return live;
    return live.flatMap((item) => {
      const kept = others.map((each) => (isList(each) ? same(each, item) : undefined));
      return withoutField(item, same(declared, item), same(next, item), '', kept);
    });
  }
  if (!isObject(live) || !isObject(declared) || !isObject(next)) return live;
  const entries = Object.entries(live).flatMap(([name, value]) => {
    const kept = others.map((each) => (isObject(each) ? ownField(each, name) : undefined));
    return withoutField(value, ownField(declared, name), ownField(next, name), name, kept).map(
      (left) => [name, left] as const,
    );
  });
  return Object.fromEntries(entries);
}

/** Returns what is left of a field or an item; empty where only this manager had declared it and no longer does. */
function withoutField(
  live: unknown,
  declared: unknown,
  next: unknown,
  key: string,
  others: readonly unknown[],
): readonly unknown[] {
  const isDropped = declared !== undefined && declared !== null && next === undefined;
  if (isDropped && others.every((each) => each === undefined)) return [];
  const rest = isDropped ? (isList(live) ? [] : {}) : next;
  return [withoutDropped(live, declared, rest, key, others)];
}

function merged(live: unknown, next: unknown, key: string): unknown {
  if (isList(live) && isList(next)) {
    const same = itemsOf(key);
    if (same === undefined) return next;
    const items = next.map((item) =>
      REPLACED.has(key) ? item : merged(same(live, item), item, ''),
    );
    return [...items, ...live.filter((item) => same(next, item) === undefined)];
  }
  if (!isObject(live) || !isObject(next) || REPLACED.has(key)) return next;
  const entries = Object.entries(next).map(
    ([name, value]) => [name, merged(ownField(live, name), value, name)] as const,
  );
  const all = { ...live, ...Object.fromEntries(entries) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** Returns a function that finds the corresponding item of a list; undefined for a list that is replaced as a whole. */
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
