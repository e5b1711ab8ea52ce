/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { byteLength } from '../../../go/text.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { sortedEntries } from '../../values/objects.js';
import {
  validateDNS1123Label,
  validateOptional,
  validateRequired,
  validateSupported,
} from '../common/checks.js';
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

/** Validates the partition of a GCE or an AWS disk. 0 is the whole disk; the server's message leaves it out. */
export function validatePartition(
  { partition = 0 }: { readonly partition?: number | undefined },
  at: FieldPath,
): void {
  if (partition >= 0 && partition <= 255) return;
  at.child('partition').invalid(partition, inclusiveRangeError(1, 255));
}

/** Ports validateISCSIVolumeSource (pkg/apis/core/validation/validation.go), without the required fields. */
export function validateISCSIVolumeSource(
  source: Decoded<v1.ISCSIVolumeSource>,
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

/** Validates the name of an iSCSI volume, which is a part of the initiator's name together with its portal. */
export function validateISCSIName(volume: Decoded<v1.Volume>, at: FieldPath): void {
  const { name = '', iscsi } = volume;
  if (iscsi?.initiatorName === undefined) return;
  if (byteLength(`${name}:${iscsi.targetPortal ?? ''}`) <= MAX_ISCSI_NAME_BYTES) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  at.child('name').invalid(name, detail);
}

export function validateFCVolumeSource(source: Decoded<v1.FCVolumeSource>, at: FieldPath): void {
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

/** Ports validateAzureDisk (pkg/apis/core/validation/validation.go), without the required fields. */
export function validateAzureDisk(source: Decoded<v1.AzureDiskVolumeSource>, at: FieldPath): void {
  const { cachingMode = 'ReadWrite', kind = 'Shared', diskURI = '' } = source;
  validateSupported(cachingMode, CACHING_MODES, at.child('cachingMode'));
  validateSupported(kind, DISK_KINDS, at.child('kind'));
  const isManaged = kind === 'Managed';
  if (diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')) return;
  at.child('diskURI').notSupported(diskURI, [isManaged ? MANAGED_URI : BLOB_URI]);
}

const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const MAX_TENANT_BYTES = 64;

export function validateFlockerVolumeSource(
  { datasetName: name = '', datasetUUID: uuid = '' }: Decoded<v1.FlockerVolumeSource>,
  at: FieldPath,
): void {
  if (name === '' && uuid === '') at.required('one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    at.invalid('resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (name.includes('/')) at.child('datasetName').invalid(name, "must not contain '/'");
}

export function validateQuobyteVolumeSource(
  source: Decoded<v1.QuobyteVolumeSource>,
  at: FieldPath,
): void {
  const { registry = '', tenant = '', volume } = source;
  const registryAt = at.child('registry');
  if (registry === '') {
    registryAt.required(REGISTRY);
  } else if (byteLength(tenant) > MAX_TENANT_BYTES) {
    at.child('tenant').required('must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostPort(pair)) registryAt.invalid(registry, REGISTRY);
    }
  }
  validateRequired(volume, at.child('volume'));
}

function isHostPort(text: string): boolean {
  return /^(?:\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(text);
}

export function validateStorageOSVolumeSource(
  source: Decoded<v1.StorageOSVolumeSource>,
  at: FieldPath,
): void {
  validateRequired(source.volumeName, at.child('volumeName'), validateDNS1123Label);
  validateOptional(source.volumeNamespace, at.child('volumeNamespace'), validateDNS1123Label);
  validateSecretRef(source, at);
}

/** Validates a reference to a secret: if it is set, it needs a name. */
export function validateSecretRef(
  { secretRef }: { readonly secretRef?: Decoded<v1.LocalObjectReference> | undefined },
  at: FieldPath,
): void {
  if (secretRef) validateRequired(secretRef.name, at.child('secretRef.name'));
}

/** Ports validateFlexVolumeSource (pkg/apis/core/validation/validation.go): the names of its options. */
export function validateFlexOptions(source: Decoded<v1.FlexVolumeSource>, at: FieldPath): void {
  for (const [key] of sortedEntries(source.options)) {
    const namespace = key.split('/')[0] ?? '';
    if (!/\.(?:kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`)) continue;
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    at.child('options').item(key).invalid(key, detail);
  }
}
