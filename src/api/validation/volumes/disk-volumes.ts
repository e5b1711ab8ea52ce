import { byteLength } from '../../../go/text.js';
import type { Decoded } from '../../schema/decoded.js';
import { validateSupported } from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { inclusiveRangeError } from '../common/formats.js';

const IQN = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\t\n\f\r ]+)$/;
const EUI = /^eui.[A-Za-z0-9]{16}$/;
const NAA = /^naa.[A-Za-z0-9]{32}$/;
const MAX_ISCSI_NAME_BYTES = 64;

const CACHING_MODES = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_URI =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** The partition of a GCE or an AWS disk; 0, which the message leaves out, is the whole disk. */
export function validatePartition(
  { partition = 0 }: { readonly partition?: number | undefined },
  at: FieldPath,
): void {
  if (partition >= 0 && partition <= 255) return;
  at.child('partition').invalid(partition, inclusiveRangeError(1, 255));
}

/** Ports validateISCSIVolumeSource (pkg/apis/core/validation/validation.go), less the required fields. */
export function validateISCSIVolumeSource(
  source: Decoded<'ISCSIVolumeSource'>,
  at: FieldPath,
): void {
  const { iqn = '', lun = 0, initiatorName } = source;
  if (iqn !== '') validateInitiator(iqn, at.child('iqn'));
  validateLUN(lun, at.child('lun'));
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  if (authenticates && source.secretRef === undefined) at.child('secretRef').required();
  if (initiatorName !== undefined) validateInitiator(initiatorName, at.child('initiatorname'));
}

function validateLUN(lun: number, at: FieldPath): void {
  if (lun < 0 || lun > 255) at.invalid(lun, inclusiveRangeError(0, 255));
}

function validateInitiator(name: string, at: FieldPath): void {
  const rule = { iqn: IQN, eui: EUI, naa: NAA }[name.slice(0, 3)];
  if (rule === undefined) at.invalid(name, 'must be valid format starting with iqn, eui, or naa');
  else if (!rule.test(name)) at.invalid(name, 'must be valid format');
}

/** The name of an iSCSI volume and its portal are part of the initiator's name. */
export function validateISCSIName(volume: Decoded<'Volume'>, at: FieldPath): void {
  const { name = '', iscsi } = volume;
  if (iscsi?.initiatorName === undefined) return;
  if (byteLength(`${name}:${iscsi.targetPortal ?? ''}`) <= MAX_ISCSI_NAME_BYTES) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  at.child('name').invalid(name, detail);
}

/** Ports validateFCVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateFCVolumeSource(source: Decoded<'FCVolumeSource'>, at: FieldPath): void {
  const { targetWWNs = [], wwids = [], lun } = source;
  const namesAt = at.child('targetWWNs');
  if (targetWWNs.length === 0) {
    if (wwids.length > 0) return;
    return namesAt.required('must specify either targetWWNs or wwids, but not both');
  }
  if (wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    namesAt.invalid(asJson(targetWWNs), detail);
  }
  if (lun !== undefined) validateLUN(lun, at.child('lun'));
  else at.child('lun').required('lun is required if targetWWNs is specified');
}

/** Ports validateAzureDisk (pkg/apis/core/validation/validation.go), less the required fields. */
export function validateAzureDisk(source: Decoded<'AzureDiskVolumeSource'>, at: FieldPath): void {
  const { cachingMode = 'ReadWrite', kind = 'Shared', diskURI = '' } = source;
  validateSupported(cachingMode, CACHING_MODES, at.child('cachingMode'));
  validateSupported(kind, DISK_KINDS, at.child('kind'));
  const isManaged = kind === 'Managed';
  if (diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')) return;
  at.child('diskURI').notSupported(diskURI, [isManaged ? MANAGED_URI : BLOB_URI]);
}
