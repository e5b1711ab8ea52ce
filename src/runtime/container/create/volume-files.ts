import {
  aggregateContainerResources,
  allContainers,
  type ConfigMapVolumeSource,
  type DownwardAPIVolumeSource,
  nanoOf,
  type Pod,
  type ProjectedVolumeSource,
  type ResourceList,
  type SecretVolumeSource,
  type Volume,
  type VolumeProjection,
} from '../../../api/index.js';
import { fromBase64 } from '../../../go/base64.js';
import { fail, ok, type OrError } from '../../../go/result.js';
import {
  containerResourceRuntimeValue,
  extractFieldPathAsString,
} from '../../environment/downward-api.js';
import { type EnvironmentInput, findConfig } from '../../environment/environment-variables.js';

export interface VolumeFile {
  /** Relative to the volume. */
  readonly path: string;
  readonly mode: number;
  readonly content: Uint8Array;
}

export type VolumeInput = Pick<EnvironmentInput, 'pod' | 'node' | 'config'>;

const DEFAULT_MODE = 0o644;

/** Returns a volume's files from the pod's own data; none if it starts empty. Fails with the kubelet's text. */
export function volumeFiles(input: VolumeInput, volume: Volume): OrError<readonly VolumeFile[]> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) return configMapFiles(input, configMap);
  if (secret !== undefined) return secretFiles(input, secret);
  if (downwardAPI !== undefined) return downwardFiles(input, downwardAPI);
  return projected === undefined ? ok([]) : projectedFiles(input, projected);
}

type Data = ReadonlyMap<string, Uint8Array>;

/** Ports SetUpAt (pkg/volume/configmap/configmap.go). */
function configMapFiles(
  { pod, config }: VolumeInput,
  source: ConfigMapVolumeSource,
): OrError<readonly VolumeFile[]> {
  const { name, optional = false } = source;
  const found = findConfig(config.configMaps, pod, name);
  if (found === undefined && !optional) return fail(`configmap "${name}" not found`);
  const data = new Map([
    ...Object.entries(found?.data ?? {}).map(([key, text]) => [key, encode(text)] as const),
    ...decoded(found?.binaryData ?? {}),
  ]);
  return pick(data, source, 'configmap');
}

/** Ports SetUpAt (pkg/volume/secret/secret.go). */
function secretFiles(
  { pod, config }: VolumeInput,
  source: Omit<SecretVolumeSource, 'secretName'> & { readonly secretName: string },
): OrError<readonly VolumeFile[]> {
  const { secretName, optional = false } = source;
  const found = findConfig(config.secrets, pod, secretName);
  if (found === undefined && !optional) return fail(`secret "${secretName}" not found`);
  return pick(new Map(decoded(found?.data ?? {})), source, 'secret');
}

type Picked = Pick<ConfigMapVolumeSource, 'items' | 'defaultMode' | 'optional'>;

/** Returns all keys, or the named ones. Ports MakePayload (pkg/volume/configmap/configmap.go, secret/secret.go). */
function pick(data: Data, source: Picked, kind: string): OrError<readonly VolumeFile[]> {
  const { items = [], defaultMode = DEFAULT_MODE, optional = false } = source;
  if (items.length === 0) {
    return ok([...data].map(([path, content]) => ({ path, mode: defaultMode, content })));
  }
  const files: VolumeFile[] = [];
  for (const { key, path, mode } of items) {
    const content = data.get(key);
    if (content !== undefined) files.push({ path, mode: mode ?? defaultMode, content });
    else if (!optional) return fail(`${kind} references non-existent ${kind} key: ${key}`);
  }
  return ok(files);
}

/** Ports CollectData (pkg/volume/downwardapi/downwardapi.go). */
function downwardFiles(
  { pod, node }: VolumeInput,
  { items = [], defaultMode = DEFAULT_MODE }: DownwardAPIVolumeSource,
): OrError<readonly VolumeFile[]> {
  const files: VolumeFile[] = [];
  for (const { path, fieldRef, resourceFieldRef, mode = defaultMode } of items) {
    let value: OrError<string> = ok('');
    if (fieldRef !== undefined) value = extractFieldPathAsString(pod, fieldRef.fieldPath);
    else if (resourceFieldRef !== undefined) {
      const container = pod.spec.containers.find(
        ({ name }) => name === resourceFieldRef.containerName,
      );
      if (container === undefined) {
        return fail(`container "${resourceFieldRef.containerName ?? ''}" not found`);
      }
      value = containerResourceRuntimeValue(resourceFieldRef, pod, container, node.allocatable);
    }
    if (!value.ok) return value;
    files.push({ path, mode, content: encode(value.value) });
  }
  return ok(files);
}

/** Ports collectData (pkg/volume/projected/projected.go). */
function projectedFiles(
  input: VolumeInput,
  { sources = [], defaultMode = DEFAULT_MODE }: ProjectedVolumeSource,
): OrError<readonly VolumeFile[]> {
  const files = new Map<string, VolumeFile>();
  for (const source of sources) {
    const found = projectionFiles(input, source, defaultMode);
    if (!found.ok) return found;
    for (const file of found.value) files.set(file.path, file);
  }
  return ok([...files.values()]);
}

function projectionFiles(
  input: VolumeInput,
  { configMap, secret, downwardAPI }: VolumeProjection,
  defaultMode: number,
): OrError<readonly VolumeFile[]> {
  if (configMap !== undefined) return configMapFiles(input, { ...configMap, defaultMode });
  if (secret !== undefined) {
    return secretFiles(input, { ...secret, secretName: secret.name, defaultMode });
  }
  return downwardAPI === undefined ? ok([]) : downwardFiles(input, { ...downwardAPI, defaultMode });
}

function decoded(data: Readonly<Record<string, string>>): (readonly [string, Uint8Array])[] {
  return Object.entries(data).map(([key, base64]) => [key, fromBase64(base64)] as const);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function isInMemory({ emptyDir }: Volume): boolean {
  return emptyDir?.medium === 'Memory';
}

/** Returns the bytes of a volume in memory. Ports calculateEmptyDirMemorySize (pkg/volume/emptydir/empty_dir.go). */
export function emptyDirMemorySize(
  { spec }: Pod,
  { emptyDir }: Volume,
  { memory = '0' }: ResourceList,
): number {
  const areLimited = allContainers(spec).every(
    ({ resources }) => resources?.limits?.['memory'] !== undefined,
  );
  const sum = aggregateContainerResources(spec, 'limits').get('memory');
  const podLimit = spec.resources?.limits?.['memory'];
  const limit = areLimited ? Number(sum?.nano ?? 0n) / 1e9 : 0;
  const sizes = [
    bytes(memory),
    podLimit === undefined ? limit : bytes(podLimit),
    bytes(emptyDir?.sizeLimit),
  ];
  return Math.floor(Math.min(...sizes.filter((size) => size > 0)));
}

function bytes(text?: string): number {
  return Number(nanoOf(text)) / 1e9;
}
