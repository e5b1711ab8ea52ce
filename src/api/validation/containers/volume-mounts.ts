/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateLocalDescendingPath,
  validateOptional,
  validateRequired,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import type { VolumesByName } from '../volumes/volumes.js';

type Container = Decoded<v1.Container>;
type VolumeMount = Decoded<v1.VolumeMount>;

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE_READ_ONLY = ['Disabled', 'Enabled', 'IfPossible'];

/** Ports ValidateVolumeMounts (pkg/apis/core/validation/validation.go); some paths there lack the index. */
export function validateVolumeMounts(
  container: Container,
  volumes: VolumesByName,
  at: FieldPath,
): void {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const taken = new Set<string>();
  at.each(volumeMounts, (mount, mountAt) => {
    const { name = '', mountPath = '' } = mount;
    const nameAt = mountAt.child('name');
    const pathAt = mountAt.child('mountPath');
    validateRequired(name, nameAt);
    if (!volumes.has(name)) nameAt.notFound(name);
    validateRequired(mountPath, pathAt);
    if (taken.has(mountPath)) pathAt.invalid(mountPath, 'must be unique');
    taken.add(mountPath);
    if (volumeDevices.some((device) => (device.name ?? '') === name)) {
      nameAt.invalid(name, 'must not already exist in volumeDevices');
    }
    if (volumeDevices.some((device) => (device.devicePath ?? '') === mountPath)) {
      pathAt.invalid(mountPath, 'must not already exist as a path in volumeDevices');
    }
    validateSubPaths(mount, at, mountAt);
    validateMountPropagation(mount, container, at.child('mountPropagation'));
    validateMountRecursiveReadOnly(mount, at.child('recursiveReadOnly'));
  });
}

function validateSubPaths(mount: VolumeMount, at: FieldPath, mountAt: FieldPath): void {
  const { subPath = '', subPathExpr = '' } = mount;
  validateOptional(subPath, at.child('subPath'), validateLocalDescendingPath);
  if (subPath !== '' && subPathExpr !== '') {
    const detail = 'subPathExpr and subPath are mutually exclusive';
    mountAt.child('subPathExpr').invalid(subPathExpr, detail);
  }
  validateOptional(subPathExpr, at.child('subPathExpr'), validateLocalDescendingPath);
}

function validateMountPropagation(
  { mountPropagation }: VolumeMount,
  { securityContext }: Container,
  at: FieldPath,
): void {
  validateSupportedIfSet(mountPropagation, PROPAGATIONS, at);
  if (mountPropagation === 'Bidirectional' && securityContext?.privileged !== true) {
    at.forbidden('Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateMountRecursiveReadOnly(mount: VolumeMount, at: FieldPath): void {
  const { recursiveReadOnly: mode = 'Disabled', readOnly, mountPropagation = 'None' } = mount;
  validateSupported(mode, RECURSIVE_READ_ONLY, at);
  if (mode === 'Disabled' || !RECURSIVE_READ_ONLY.includes(mode)) return;
  if (readOnly !== true) at.forbidden('may only be specified when readOnly is true');
  if (mountPropagation !== 'None') {
    at.forbidden('may only be specified when mountPropagation is None or not specified');
  }
}

export function validateVolumeDevices(
  { volumeMounts = [], volumeDevices = [] }: Container,
  volumes: VolumesByName,
  at: FieldPath,
): void {
  const paths = new Set<string>();
  const names = new Set<string>();
  at.each(volumeDevices, ({ name = '', devicePath = '' }, deviceAt) => {
    const nameAt = deviceAt.child('name');
    const pathAt = deviceAt.child('devicePath');
    validateRequired(name, nameAt);
    if (names.has(name)) nameAt.invalid(name, 'must be unique');
    validateDeviceSource(name, volumes, nameAt);
    validateRequired(devicePath, pathAt);
    if (paths.has(devicePath)) pathAt.invalid(devicePath, 'must be unique');
    if (devicePath.split('/').includes('..')) {
      pathAt.invalid(devicePath, "can not contain backsteps ('..')");
    } else {
      paths.add(devicePath);
    }
    if (volumeMounts.some((mount) => (mount.name ?? '') === name)) {
      nameAt.invalid(name, 'must not already exist in volumeMounts');
    }
    if (volumeMounts.some((mount) => (mount.mountPath ?? '') === devicePath)) {
      pathAt.invalid(devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  });
}

function validateDeviceSource(name: string, volumes: VolumesByName, at: FieldPath): void {
  const volume = volumes.get(name);
  if (volume === undefined) return at.notFound(name);
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return;
  const detail =
    'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  at.invalid(name, detail);
}
