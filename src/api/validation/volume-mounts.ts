import {
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateLocalDescendingPath, validatePathNoBacksteps } from './paths.js';
import type { VolumesByName } from './volumes.js';

type Container = Decoded<'Container'>;
type VolumeMount = Decoded<'VolumeMount'>;

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE_READ_ONLY = ['Disabled', 'Enabled', 'IfPossible'];

/** Ports ValidateVolumeMounts (pkg/apis/core/validation/validation.go); some paths there lack the index. */
export function validateVolumeMounts(
  container: Container,
  volumes: VolumesByName,
  path: string,
): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const taken = new Set<string>();
  return volumeMounts.flatMap((mount, index) => {
    const { name = '', mountPath = '' } = mount;
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push(notFound(`${at}.name`, name));
    if (mountPath === '') errors.push(required(`${at}.mountPath`));
    if (taken.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    taken.add(mountPath);
    if (volumeDevices.some((device) => (device.name ?? '') === name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (volumeDevices.some((device) => (device.devicePath ?? '') === mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices';
      errors.push(invalid(`${at}.mountPath`, mountPath, detail));
    }
    return [
      ...errors,
      ...validateSubPaths(mount, path, at),
      ...validateModes(mount, container, path),
    ];
  });
}

function validateSubPaths(mount: VolumeMount, path: string, at: string): FieldError[] {
  const { subPath = '', subPathExpr = '' } = mount;
  const errors = subPath === '' ? [] : validateLocalDescendingPath(subPath, `${path}.subPath`);
  if (subPathExpr === '') return errors;
  if (subPath !== '') {
    const detail = 'subPathExpr and subPath are mutually exclusive';
    errors.push(invalid(`${at}.subPathExpr`, subPathExpr, detail));
  }
  return [...errors, ...validateLocalDescendingPath(subPathExpr, `${path}.subPathExpr`)];
}

function validateModes(mount: VolumeMount, container: Container, path: string): FieldError[] {
  return [
    ...validateMountPropagation(mount, container, `${path}.mountPropagation`),
    ...validateMountRecursiveReadOnly(mount, `${path}.recursiveReadOnly`),
  ];
}

/** Ports validateMountPropagation (pkg/apis/core/validation/validation.go). */
function validateMountPropagation(
  mount: VolumeMount,
  container: Container,
  path: string,
): FieldError[] {
  const propagation = mount.mountPropagation;
  if (propagation === undefined) return [];
  const errors = PROPAGATIONS.includes(propagation)
    ? []
    : [notSupported(path, propagation, PROPAGATIONS)];
  if (propagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
    const detail = 'Bidirectional mount propagation is available only to privileged containers';
    errors.push(forbidden(path, detail));
  }
  return errors;
}

/** Ports validateMountRecursiveReadOnly (pkg/apis/core/validation/validation.go). */
function validateMountRecursiveReadOnly(mount: VolumeMount, path: string): FieldError[] {
  const mode = mount.recursiveReadOnly;
  if (mode === undefined || mode === 'Disabled') return [];
  if (!RECURSIVE_READ_ONLY.includes(mode)) return [notSupported(path, mode, RECURSIVE_READ_ONLY)];
  const errors: FieldError[] = [];
  if (mount.readOnly !== true) {
    errors.push(forbidden(path, 'may only be specified when readOnly is true'));
  }
  if ((mount.mountPropagation ?? 'None') !== 'None') {
    const detail = 'may only be specified when mountPropagation is None or not specified';
    errors.push(forbidden(path, detail));
  }
  return errors;
}

/** Ports ValidateVolumeDevices (pkg/apis/core/validation/validation.go). */
export function validateVolumeDevices(
  container: Container,
  volumes: VolumesByName,
  path: string,
): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const paths = new Set<string>();
  const names = new Set<string>();
  return volumeDevices.flatMap(({ name = '', devicePath = '' }, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'));
    errors.push(...validateDeviceSource(name, volumes, `${at}.name`));
    if (devicePath === '') errors.push(required(`${at}.devicePath`));
    if (paths.has(devicePath)) {
      errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'));
    }
    if (validatePathNoBacksteps(devicePath, path).length > 0) {
      errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else {
      paths.add(devicePath);
    }
    if (volumeMounts.some((mount) => (mount.name ?? '') === name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (volumeMounts.some((mount) => (mount.mountPath ?? '') === devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts';
      errors.push(invalid(`${at}.devicePath`, devicePath, detail));
    }
    if (name !== '') names.add(name);
    return errors;
  });
}

function validateDeviceSource(name: string, volumes: VolumesByName, path: string): FieldError[] {
  const volume = volumes.get(name);
  if (volume === undefined) return [notFound(path, name)];
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return [];
  const detail =
    'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return [invalid(path, name, detail)];
}
