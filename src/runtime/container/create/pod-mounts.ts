import type { Container, Pod, Volume, VolumeMount } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import { expand } from '../../../kubelet/prober/expand-command.js';
import type { Environment } from '../../environment/environment-variables.js';
import { pathErrorText, resolveSubPath } from './host-path.js';

/** A bind mount from the engine's machine. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** A path within one of the pod's volumes, which a container may have changed. */
export interface SubPath {
  /** Relative to the pod's volume. */
  readonly root: string;
  readonly parts: readonly string[];
}

export interface ContainerMounts {
  readonly mounts: readonly Mount[];
  /** Created and checked for links before the container is. */
  readonly subPaths: readonly SubPath[];
}

/** Default path of termination messages. */
const TERMINATION_LOG = '/dev/termination-log';

/** The folder of a volume, in the pod's own. */
export function volumeFolder(name: string): string {
  return `volumes/${name}`;
}

/** The mounts of a container; throws a RuntimeError for what cannot be mounted. Ports makeMounts (kubelet_pods.go). */
export function containerMounts(
  pod: Pod,
  container: Container,
  env: Environment,
  { mountpoint, messageFile }: { readonly mountpoint: string; readonly messageFile: string },
): ContainerMounts {
  const mounts: Mount[] = [];
  const subPaths: SubPath[] = [];
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find(({ name }) => name === mount.name);
    if (volume === undefined) {
      throw configurationError(
        `cannot find volume "${mount.name}" to mount into container "${container.name}"`,
      );
    }
    const parts = subPathParts(mount, env);
    let source =
      volume.hostPath?.path ?? [mountpoint, volumeFolder(volume.name), ...parts].join('/');
    if (parts.length > 0) {
      if (volume.hostPath === undefined) subPaths.push({ root: volumeFolder(volume.name), parts });
      else
        source = hostSubPath(
          source,
          parts,
          `volumeMount "${mount.name}" of container "${container.name}"`,
        );
    }
    const readOnly = mount.readOnly === true || isReadOnly(volume);
    mounts.push({ source, target: mount.mountPath, readOnly });
  }
  const target = container.terminationMessagePath ?? TERMINATION_LOG;
  if (target !== '') {
    mounts.push({ source: `${mountpoint}/${messageFile}`, target, readOnly: false });
  }
  return { mounts, subPaths };
}

function hostSubPath(root: string, parts: readonly string[], mount: string): string {
  let path: string | undefined;
  try {
    path = resolveSubPath(root, parts);
  } catch (error) {
    throw configurationError(
      `failed to create subPath directory for ${mount}: ${pathErrorText(error)}`,
    );
  }
  if (path !== undefined) return path;
  const why = `a link in ${parts.join('/')} leads out of ${root}`;
  throw configurationError(`failed to prepare subPath for ${mount}: ${why}`);
}

/** Returns true for volumes made of the pod's own data, which are read-only. */
export function isReadOnly({ configMap, secret, projected, downwardAPI }: Volume): boolean {
  return [configMap, secret, projected, downwardAPI].some((source) => source !== undefined);
}

function subPathParts({ subPath = '', subPathExpr = '' }: VolumeMount, env: Environment): string[] {
  const path =
    subPathExpr === '' ? subPath : expand(subPathExpr, (name) => env.get(name) ?? `$(${name})`);
  if (path.startsWith('/'))
    throw configurationError(`error SubPath \`${path}\` must not be an absolute path`);
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    throw configurationError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return parts;
}

function configurationError(message: string): RuntimeError {
  return new RuntimeError(message, 'configuration');
}
