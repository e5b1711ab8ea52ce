import { lstatSync, mkdirSync, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type Container,
  ownField,
  type Pod,
  type Volume,
  type VolumeMount,
} from '../../../api/index.js';
import { errnoText } from '../../../go/io-error.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import { expand } from '../../../kubelet/prober/exec-probe.js';
import type { Environment } from '../../environment/environment-variables.js';

/** A bind mount from the engine's machine. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
  readonly propagation?: string;
}

/** A path within one of the pod's volumes, which a container may have changed. */
export interface SubPath {
  /** Relative to the pod's volume. */
  readonly root: string;
  readonly parts: readonly string[];
}

export function volumeFolder(name: string): string {
  return `volumes/${name}`;
}

/** In a volume made of the pod's own data: the link to the folder with the files, and that folder (atomic_writer.go). */
export const DATA_LINK = '..data';
export const DATA_FOLDER = '..kprobe';

interface MountInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly env: Environment;
  /** The path of the pod's volume on the engine's machine. */
  readonly mountpoint: string;
  readonly inMemory: ReadonlyMap<string, string>;
  /** Relative to the pod's volume. */
  readonly messageFile: string;
  /** The pod's files for /etc, relative to the pod's volume, by target. */
  readonly etc: ReadonlyMap<string, string>;
}

/** The mounts of a container; throws a RuntimeError for what cannot be mounted. Ports makeMounts (kubelet_pods.go). */
export function containerMounts(input: MountInput) {
  const { pod, container, env, mountpoint, inMemory, messageFile, etc } = input;
  const mounts: Mount[] = [];
  // The subPaths are created and checked for links before the container is created.
  const subPaths: SubPath[] = [];
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find(({ name }) => name === mount.name);
    if (volume === undefined) {
      throw configurationError(
        `cannot find volume "${mount.name}" to mount into container "${container.name}"`,
      );
    }
    const parts = dataPath(volume, subPathParts(mount, env));
    let source: string;
    if (volume.hostPath === undefined) {
      const root = inMemory.get(volume.name) ?? `${mountpoint}/${volumeFolder(volume.name)}`;
      source = [root, ...parts].join('/');
      if (parts.length > 0) subPaths.push({ root: volumeFolder(volume.name), parts });
    } else {
      const subject = `volumeMount "${mount.name}" of container "${container.name}"`;
      source = hostSubPath(volume.hostPath.path, parts, subject);
    }
    const propagation = ownField(PROPAGATIONS, mount.mountPropagation ?? '');
    mounts.push({
      source,
      target: mount.mountPath,
      readOnly: mount.readOnly === true || isReadOnly(volume),
      ...(propagation !== undefined && { propagation }),
    });
  }
  const files = new Map(etc);
  const { terminationMessagePath = '/dev/termination-log' } = container;
  if (terminationMessagePath !== '') files.set(terminationMessagePath, messageFile);
  for (const [target, file] of files) {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === target) === true) continue;
    mounts.push({ source: `${mountpoint}/${file}`, target, readOnly: false });
  }
  return { mounts, subPaths };
}

/** Ports translateMountPropagation (pkg/kubelet/kubelet_pods.go); without one a mount is private. */
const PROPAGATIONS: Readonly<Record<string, string>> = {
  HostToContainer: 'rslave',
  Bidirectional: 'rshared',
};

/** Resolves the links in a path within a volume made of the pod's own data. */
function dataPath(volume: Volume, parts: string[]): string[] {
  if (!isPodData(volume) || parts.length === 0) return parts;
  return [DATA_FOLDER, ...(parts[0] === DATA_LINK ? parts.slice(1) : parts)];
}

function hostSubPath(root: string, parts: readonly string[], mount: string): string {
  if (parts.length === 0) return root;
  let path: string | undefined;
  try {
    path = resolveSubPath(root, parts);
  } catch (error) {
    throw configurationError(
      `failed to create subPath directory for ${mount}: ${pathErrorText(error)}`,
    );
  }
  if (path !== undefined) return path;
  const problem = `a link in ${parts.join('/')} leads out of ${root}`;
  throw configurationError(`failed to prepare subPath for ${mount}: ${problem}`);
}

/** Returns true for volumes made of the pod's own data, which are read-only. */
export function isPodData({ configMap, secret, projected, downwardAPI }: Volume): boolean {
  return [configMap, secret, projected, downwardAPI].some((source) => source !== undefined);
}

export function isReadOnly(volume: Volume): boolean {
  return isPodData(volume) || volume.image !== undefined;
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

type HostPath = NonNullable<Volume['hostPath']>;

/** Each type of a hostPath volume, without `OrCreate`, in the kubelet's words. */
const TYPES: Readonly<Record<string, readonly [name: string, matches: (stats: Stats) => boolean]>> =
  {
    Directory: ['a directory', (stats) => stats.isDirectory()],
    File: ['a file', (stats) => stats.isFile()],
    Socket: ['a socket file', (stats) => stats.isSocket()],
    CharDevice: ['a character device', (stats) => stats.isCharacterDevice()],
    BlockDevice: ['a block device', (stats) => stats.isBlockDevice()],
  };

/**
 * Returns why a volume is not of its type, or undefined; `creates` makes what an `OrCreate` type asks for.
 * Ports checkTypeInternal (pkg/volume/hostpath/host_path.go).
 */
export function setUpHostPath({ path, type = '' }: HostPath, creates: boolean): string | undefined {
  if (type === '') return undefined;
  const [name, matches] = ownField(TYPES, type.replace(/OrCreate$/, '')) ?? [];
  if (matches === undefined) return `${type} is an invalid volume type`;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined || !type.endsWith('OrCreate')) {
      const isOfType = found !== undefined && matches(found);
      return isOfType ? undefined : `hostPath type check failed: ${path} is not ${name}`;
    }
    if (creates && type === 'DirectoryOrCreate') mkdirSync(path, { recursive: true, mode: 0o755 });
    else if (creates) writeFileSync(path, '', { flag: 'a', mode: 0o644 });
    return undefined;
  } catch (error) {
    return pathErrorText(error);
  }
}

/**
 * Resolves a subPath of a hostPath volume, and creates the folders that are missing. Returns undefined where a link
 * leads out of the volume. Ports SafeMakeDir and PrepareSafeSubpath (pkg/volume/util/subpath/subpath_linux.go).
 */
export function resolveSubPath(root: string, parts: readonly string[]): string | undefined {
  const base = realpathSync(root);
  let path = base;
  for (const part of parts) {
    const next = join(path, part);
    if (lstatSync(next, { throwIfNoEntry: false }) === undefined) {
      mkdirSync(next, { mode: statSync(base).mode });
    }
    path = realpathSync(next);
    if (path !== base && !path.startsWith(base === '/' ? base : `${base}/`)) return undefined;
  }
  return path;
}

/** Formats an error as Go does: `mkdir /x: permission denied`. */
function pathErrorText(error: unknown): string {
  const failed = error as NodeJS.ErrnoException;
  return `${failed.syscall ?? ''} ${failed.path ?? ''}: ${errnoText(failed)}`;
}
