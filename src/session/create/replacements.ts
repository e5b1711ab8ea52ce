import {
  allContainers,
  type Container,
  type Decoded,
  mapContainers,
  type PodSpec,
  type v1,
  type Volume,
} from '../../api/index.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { isReadOnly } from '../../runtime/container/create/pod-mounts.js';
import { UsageError } from '../../usage-error.js';

/** Images and folders that flags give in place of things that only a cluster or a registry has. */
export interface Replacements {
  /** Images by container. */
  readonly images: ReadonlyMap<string, string>;
  /** Folders of this machine by volume or claim. */
  readonly volumes: ReadonlyMap<string, string>;
}

/** The volume with a service account's token that the API server adds to a pod; it ends in random letters there. */
const KUBE_API_ACCESS = 'kube-api-access';
const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns the pod that `--create` makes, with its replacements. */
export function withReplacements(loaded: LoadedPod, { images, volumes }: Replacements): LoadedPod {
  const { pod } = loaded;
  const spec = withoutToken(pod.spec, volumes);
  const replaced = (spec.volumes ?? []).filter((volume) => folderOf(volume, volumes) !== undefined);
  const readOnly = replaced
    .filter((volume) => isReadOnly(volume) || volume.persistentVolumeClaim?.readOnly === true)
    .map(({ name }) => name);
  const token = tokenFolder(spec, volumes);
  const complete = (list: 'containers' | 'initContainers') =>
    (spec[list] ?? []).map((container) =>
      withToken(withReadOnly(withImage(container, images), readOnly), token),
    );
  const all = [
    ...(spec.volumes ?? []).map((volume) => hostFolder(volume, folderOf(volume, volumes))),
    ...(token === undefined ? [] : [hostFolder({ name: KUBE_API_ACCESS }, token)]),
  ];
  const completed = {
    ...spec,
    ...(all.length > 0 && { volumes: all }),
    ...(spec.initContainers && { initContainers: complete('initContainers') }),
    containers: complete('containers'),
  };
  return { ...loaded, pod: { ...pod, spec: completed } };
}

/** Returns true for a volume with a token, which the API server adds to a pod of a cluster. */
export function isAddedToken({ name, projected }: Decoded<v1.Volume>): boolean {
  const { sources = [] } = projected ?? {};
  return (
    name?.startsWith(`${KUBE_API_ACCESS}-`) === true &&
    sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)
  );
}

function withoutToken(spec: PodSpec, volumes: Replacements['volumes']): PodSpec {
  const added = (spec.volumes ?? []).filter(isAddedToken).map(({ name }) => name);
  if (added.length === 0 || volumes.has(KUBE_API_ACCESS)) return spec;
  const without = (container: Container): Container => {
    const volumeMounts = container.volumeMounts?.filter(({ name }) => !added.includes(name));
    return { ...container, ...(volumeMounts && { volumeMounts }) };
  };
  const kept = (spec.volumes ?? []).filter(({ name }) => !added.includes(name));
  return mapContainers({ ...spec, volumes: kept }, without);
}

function withReadOnly(container: Container, names: readonly string[]): Container {
  const { volumeMounts } = container;
  if (volumeMounts?.some(({ name }) => names.includes(name)) !== true) return container;
  return {
    ...container,
    volumeMounts: volumeMounts.map((mount) =>
      names.includes(mount.name) ? { ...mount, readOnly: true } : mount,
    ),
  };
}

function hostFolder(volume: Volume, path: string | undefined): Volume {
  return path === undefined ? volume : { name: volume.name, hostPath: { path, type: 'Directory' } };
}

/** Returns the folder in place of a volume: by its claim, or by its own name. */
function folderOf(
  { name, persistentVolumeClaim }: Pick<Volume, 'name' | 'persistentVolumeClaim'>,
  volumes: Replacements['volumes'],
): string | undefined {
  const folder = volumes.get(persistentVolumeClaim?.claimName ?? name) ?? volumes.get(name);
  return (
    folder ?? (name.startsWith(`${KUBE_API_ACCESS}-`) ? volumes.get(KUBE_API_ACCESS) : undefined)
  );
}

/** Returns the folder with a token that containers get although their manifest names no volume for it. */
function tokenFolder(spec: PodSpec, volumes: Replacements['volumes']): string | undefined {
  const isNamed = spec.volumes?.some(({ name }) => name.startsWith(KUBE_API_ACCESS)) === true;
  const mounts = spec.automountServiceAccountToken !== false && !isNamed;
  return mounts ? volumes.get(KUBE_API_ACCESS) : undefined;
}

/** Ports mountServiceAccountToken (plugin/pkg/admission/serviceaccount/admission.go). */
function withToken(container: Container, token: string | undefined): Container {
  const mounts = container.volumeMounts ?? [];
  const isMounted = mounts.some(({ mountPath }) => mountPath === SERVICE_ACCOUNT_FOLDER);
  if (token === undefined || isMounted) return container;
  const mount = { name: KUBE_API_ACCESS, mountPath: SERVICE_ACCOUNT_FOLDER, readOnly: true };
  return { ...container, volumeMounts: [...mounts, mount] };
}

/** Replaces a container's image; an image that the machine has is not pulled. */
function withImage(container: Container, images: Replacements['images']): Container {
  const image = images.get(container.name);
  return image === undefined ? container : { ...container, image, imagePullPolicy: 'IfNotPresent' };
}

/** Throws a UsageError for a replacement of something that no pod has. */
export function rejectUnusedReplacements(
  pods: readonly LoadedPod[],
  { images, volumes }: Replacements,
): void {
  const specs = pods.map(({ pod }) => pod.spec);
  const containers = specs.flatMap(allContainers);
  for (const name of images.keys()) {
    if (containers.some((container) => container.name === name)) continue;
    const names = containers.map((container) => container.name).join(', ');
    throw new UsageError(`--image ${name}=…: no container "${name}" (containers: ${names})`);
  }
  const used = new Set(specs.flatMap((spec) => (spec.volumes ?? []).map((v) => v.hostPath?.path)));
  for (const [name, folder] of volumes) {
    if (used.has(folder)) continue;
    const names = pods.flatMap(({ written }) =>
      (written.volumes ?? []).map((v) => v.persistentVolumeClaim?.claimName ?? v.name ?? ''),
    );
    const known = names.length === 0 ? 'none' : names.join(', ');
    throw new UsageError(`--volume ${name}=…: no volume "${name}" (volumes: ${known})`);
  }
}
