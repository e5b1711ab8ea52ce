import type { Container, Pod, Volume } from '../../api/index.js';
import type { ConfigSource } from '../../runtime/environment/environment-variables.js';
import type { Problem } from '../preflight.js';

interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  /** Path of the name. */
  readonly field: string;
  readonly to: SourceReference & { readonly name: string };
}

interface SourceReference {
  readonly name?: string;
  /** Of a volume. */
  readonly secretName?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

const KINDS: Readonly<Record<string, Reference['kind']>> = {
  configMap: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  configMapRef: 'ConfigMap',
  secret: 'Secret',
  secretKeyRef: 'Secret',
  secretRef: 'Secret',
};

/** Returns the objects that a volume's or a variable's source refers to. */
function references(source: object = {}, path: string): Reference[] {
  return Object.entries(source).flatMap(([key, to]: [string, SourceReference | undefined]) => {
    const kind = KINDS[key];
    if (kind === undefined || to === undefined) return [];
    const name = to.secretName === undefined ? 'name' : 'secretName';
    return { kind, field: `${path}.${key}.${name}`, to: { ...to, name: to[name] ?? '' } };
  });
}

export function volumeReferences(volume: Volume, path: string): Reference[] {
  const projected = (volume.projected?.sources ?? []).flatMap((source, index) =>
    references(source, `${path}.projected.sources[${index}]`),
  );
  return [...references(volume, path), ...projected];
}

export function environmentReferences(
  { env = [], envFrom = [] }: Container,
  path: string,
): Reference[] {
  return [
    ...env.flatMap(({ valueFrom }, index) =>
      references(valueFrom, `${path}.env[${index}].valueFrom`),
    ),
    ...envFrom.flatMap((source, index) => references(source, `${path}.envFrom[${index}]`)),
  ];
}

/** Reports references without which the kubelet would not start the container, and wait for the object. */
export function missingReferences(
  { metadata: { namespace } }: Pod,
  found: readonly Reference[],
  config: ConfigSource,
): Problem[] {
  return found.flatMap(({ kind, field, to: { name, key, optional = false } }) => {
    if (optional) return [];
    const object =
      kind === 'ConfigMap'
        ? config.getConfigMap(namespace, name)
        : config.getSecret(namespace, name);
    if (object === undefined) {
      const message = `no ${kind} ${namespace}/${name} in the manifests`;
      return [{ field, message, hint: 'add its manifest' }];
    }
    if (key === undefined || Object.hasOwn(object.data, key)) return [];
    const message = `${kind} ${namespace}/${name} has no key ${key}`;
    return [{ field: field.replace(/name$/, 'key'), message }];
  });
}
