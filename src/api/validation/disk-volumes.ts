import { asJson, type FieldError, invalid, notSupported, required } from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { inclusiveRangeError } from './formats.js';

const IQN = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\t\n\f\r ]+)$/;
const EUI = /^eui.[A-Za-z0-9]{16}$/;
const NAA = /^naa.[A-Za-z0-9]{32}$/;
const MAX_ISCSI_NAME_BYTES = 64;

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_URI =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** The partition of a GCE or an AWS disk; 0, which the text leaves out, is the whole disk. */
export function validatePartition(
  { partition = 0 }: { readonly partition?: number | undefined },
  path: string,
): FieldError[] {
  if (partition >= 0 && partition <= 255) return [];
  return [invalid(`${path}.partition`, partition, inclusiveRangeError(1, 255))];
}

/** Ports validateISCSIVolumeSource (pkg/apis/core/validation/validation.go), less what must be there. */
export function validateISCSIVolumeSource(
  source: Decoded<'ISCSIVolumeSource'>,
  path: string,
): FieldError[] {
  const { iqn = '', lun = 0, initiatorName } = source;
  const errors: FieldError[] = [];
  if (iqn !== '') errors.push(...validateInitiator(iqn, `${path}.iqn`));
  errors.push(...validateLUN(lun, `${path}.lun`));
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  if (authenticates && source.secretRef === undefined) errors.push(required(`${path}.secretRef`));
  if (initiatorName === undefined) return errors;
  return [...errors, ...validateInitiator(initiatorName, `${path}.initiatorname`)];
}

function validateLUN(lun: number, path: string): FieldError[] {
  return lun >= 0 && lun <= 255 ? [] : [invalid(path, lun, inclusiveRangeError(0, 255))];
}

function validateInitiator(name: string, path: string): FieldError[] {
  const rule = { iqn: IQN, eui: EUI, naa: NAA }[name.slice(0, 3)];
  if (rule === undefined) {
    return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
  }
  return rule.test(name) ? [] : [invalid(path, name, 'must be valid format')];
}

/** The name of an iSCSI volume and its portal are part of a name that the initiator has. */
export function validateISCSIName(volume: Decoded<'Volume'>, path: string): FieldError[] {
  const { name = '', iscsi } = volume;
  if (iscsi?.initiatorName === undefined) return [];
  if (byteLength(`${name}:${iscsi.targetPortal ?? ''}`) <= MAX_ISCSI_NAME_BYTES) return [];
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(`${path}.name`, name, detail)];
}

/** Ports validateFCVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateFCVolumeSource(
  source: Decoded<'FCVolumeSource'>,
  path: string,
): FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source;
  const at = `${path}.targetWWNs`;
  if (targetWWNs.length === 0) {
    if (wwids.length > 0) return [];
    return [required(at, 'must specify either targetWWNs or wwids, but not both')];
  }
  const errors: FieldError[] = [];
  if (wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalid(at, asJson(targetWWNs), detail));
  }
  if (lun === undefined) {
    return [...errors, required(`${path}.lun`, 'lun is required if targetWWNs is specified')];
  }
  return [...errors, ...validateLUN(lun, `${path}.lun`)];
}

/** Ports validateAzureDisk (pkg/apis/core/validation/validation.go), less what must be there. */
export function validateAzureDisk(
  source: Decoded<'AzureDiskVolumeSource'>,
  path: string,
): FieldError[] {
  const { cachingMode = 'ReadWrite', kind = 'Shared', diskURI = '' } = source;
  const errors: FieldError[] = [];
  if (!CACHING_MODES.includes(cachingMode)) {
    errors.push(notSupported(`${path}.cachingMode`, cachingMode, CACHING_MODES));
  }
  if (!DISK_KINDS.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, DISK_KINDS));
  const isManaged = kind === 'Managed';
  if (diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')) return errors;
  const form = isManaged ? MANAGED_URI : BLOB_URI;
  return [...errors, notSupported(`${path}.diskURI`, diskURI, [form])];
}
