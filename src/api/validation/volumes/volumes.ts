/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { goQuote } from '../../../go/quote.js';
import { isServerSince } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { nanoOf } from '../../values/quantity.js';
import {
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateEnum,
  validateLocalDescendingPath,
  validateMaxBytes,
  validatePathNoBacksteps,
  validateRequired,
  validateSupported,
} from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import { isDNS1123Subdomain } from '../common/formats.js';
import {
  validateDownwardAPIVolumeSource,
  validateFiles,
  validateProjectedVolumeSource,
} from './file-volumes.js';
import {
  validateAzureDisk,
  validateFCVolumeSource,
  validateFlexOptions,
  validateFlockerVolumeSource,
  validateISCSIName,
  validateISCSIVolumeSource,
  validatePartition,
  validateQuobyteVolumeSource,
  validateSecretRef,
  validateStorageOSVolumeSource,
} from './legacy-volumes.js';
import { validateEphemeralVolumeSource } from './volume-claim.js';

type Volume = Decoded<v1.Volume>;
type SourceName = Exclude<keyof Volume, 'name'>;
type SourceNames = Partial<Record<SourceName, string>>;

const MAX_DRIVER_BYTES = 63;
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const HOST_PATH_TYPES = [
  '',
  ...'BlockDevice CharDevice Directory DirectoryOrCreate File FileOrCreate Socket'.split(' '),
];

interface Rule {
  readonly source: SourceName;
  readonly validate: (volume: Volume, at: FieldPath) => void;
}

function rule<Source extends SourceName>(
  source: Source,
  required: readonly string[],
  validate?: (value: NonNullable<Volume[Source]>, at: FieldPath) => void,
): Rule {
  return {
    source,
    validate: (volume, at) => {
      const value = volume[source];
      if (!value) return;
      const lists = value as Readonly<Record<string, string | readonly string[] | undefined>>;
      for (const name of required) if (!lists[name]?.length) at.child(name).required();
      validate?.(value, at);
    },
  };
}

/** The volume sources in the order in which the server validates them. */
const RULES: readonly Rule[] = [
  rule('emptyDir', [], validateEmptyDir),
  rule('hostPath', [], validateHostPathVolumeSource),
  rule('gitRepo', ['repository'], ({ directory = '' }, at) => {
    validateLocalDescendingPath(directory, at.child('directory'));
  }),
  rule('gcePersistentDisk', ['pdName'], validatePartition),
  rule('awsElasticBlockStore', ['volumeID'], validatePartition),
  rule('secret', ['secretName'], validateFiles),
  rule('nfs', ['server', 'path'], ({ path = '' }, at) => {
    if (!path.startsWith('/')) at.child('path').invalid(path, 'must be an absolute path');
  }),
  rule('iscsi', ['targetPortal', 'iqn'], validateISCSIVolumeSource),
  rule('glusterfs', ['endpoints', 'path']),
  rule('flocker', [], validateFlockerVolumeSource),
  rule('persistentVolumeClaim', ['claimName']),
  rule('rbd', ['monitors', 'image']),
  rule('cinder', ['volumeID'], validateSecretRef),
  rule('cephfs', ['monitors']),
  rule('quobyte', [], validateQuobyteVolumeSource),
  rule('downwardAPI', [], validateDownwardAPIVolumeSource),
  rule('fc', [], validateFCVolumeSource),
  rule('flexVolume', ['driver'], validateFlexOptions),
  rule('configMap', ['name'], validateFiles),
  rule('azureFile', ['secretName', 'shareName']),
  rule('vsphereVolume', ['volumePath']),
  rule('photonPersistentDisk', ['pdID']),
  rule('portworxVolume', ['volumeID']),
  rule('azureDisk', ['diskName', 'diskURI'], validateAzureDisk),
  rule('storageos', [], validateStorageOSVolumeSource),
  rule('projected', [], validateProjectedVolumeSource),
  rule('scaleIO', ['gateway', 'system', 'volumeName']),
  rule('csi', [], validateCSIVolumeSource),
  rule('ephemeral', [], validateEphemeralVolumeSource),
  rule('image', [], ({ pullPolicy }, at) => {
    validateEnum(pullPolicy, PULL_POLICIES, at.child('pullPolicy'));
  }),
];

/** Names in the server's errors about a second source, if they differ from the field's. */
const MISNAMED: SourceNames = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
/** Paths in the server's errors about a source, if they differ from the field's. */
const MISPLACED: SourceNames = { gcePersistentDisk: 'persistentDisk' };

/** Ports validateVolumeSource (pkg/apis/core/validation/validation.go); a template has no pod name. */
function validateVolumeSource(volume: Volume, at: FieldPath, podName: string | undefined): void {
  const present = RULES.filter(({ source }) => volume[source] !== undefined);
  if (present.length === 0) at.required('must specify a volume type');
  present.forEach(({ source, validate }, index) => {
    if (index > 0) {
      at.child(MISNAMED[source] ?? source).forbidden('may not specify more than 1 volume type');
    } else {
      const sourceAt = at.child(MISPLACED[source] ?? source);
      const isNamed = podName !== undefined || isServerSince('1.37', at.server);
      if (source === 'image' && isNamed && !volume.image?.reference) {
        sourceAt.child('reference').required();
      }
      validate(volume, sourceAt);
    }
    if (source === 'iscsi') validateISCSIName(volume, at);
    if (source === 'ephemeral' && index === 0) validateClaimName(volume, at, podName);
  });
}

/** Validates an ephemeral volume, whose claim is named after the pod and the volume. */
function validateClaimName({ name = '' }: Volume, at: FieldPath, podName = ''): void {
  if (name === '' || podName === '') return;
  const claim = `${podName}-${name}`;
  const complaints = isDNS1123Subdomain(claim).map((each) => `PVC name ${goQuote(claim)}: ${each}`);
  at.child('name').invalidFor(name, complaints);
}

function validateEmptyDir(source: Decoded<v1.EmptyDirVolumeSource>, at: FieldPath): void {
  if (nanoOf(source.sizeLimit) >= 0n) return;
  at.child('sizeLimit').forbidden('SizeLimit field must be a valid resource quantity');
}

function validateHostPathVolumeSource(
  source: Decoded<v1.HostPathVolumeSource>,
  at: FieldPath,
): void {
  const { path = '', type } = source;
  if (path === '') return at.child('path').required();
  validatePathNoBacksteps(path, at.child('path'));
  validateSupported(type, HOST_PATH_TYPES, at.child('type'));
}

function validateCSIVolumeSource(source: Decoded<v1.CSIVolumeSource>, at: FieldPath): void {
  const { driver, nodePublishSecretRef: reference } = source;
  validateRequired(driver, at.child('driver'), (name, driverAt) => {
    validateMaxBytes(name, MAX_DRIVER_BYTES, driverAt);
    driverAt.invalidFor(name, isDNS1123Subdomain(name.toLowerCase()));
  });
  if (reference === undefined) return;
  const { name = '' } = reference;
  if (name === '') at.child('nodePublishSecretRef.name').required();
  else validateDNS1123Subdomain(name, at.child('name'));
}

/** Volumes without errors, by name. */
export type VolumesByName = ReadonlyMap<string, Volume>;

/** Ports ValidateVolumes (pkg/apis/core/validation/validation.go); a template has no pod name. */
export function validateVolumes(
  volumes: readonly Volume[] = [],
  podName: string | undefined,
  at: FieldPath,
): VolumesByName {
  const byName = new Map<string, Volume>();
  const ephemeral = podName ? volumes.filter((volume) => volume.ephemeral) : [];
  // The names of the claims that the server will make for ephemeral volumes.
  const createdClaims = new Set(ephemeral.map(({ name = '' }) => `${podName}-${name}`));
  at.each(volumes, (volume, volumeAt) => {
    const { name = '' } = volume;
    const before = at.errors.length;
    validateVolumeSource(volume, volumeAt, podName);
    validateRequired(name, volumeAt.child('name'), validateDNS1123Label);
    if (byName.has(name)) volumeAt.child('name').duplicate(name);
    if (at.errors.length === before) byName.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim === undefined || !createdClaims.has(claim)) return;
    const detail = 'must not reference a PVC that gets created for an ephemeral volume';
    volumeAt.child('persistentVolumeClaim.claimName').invalid(claim, detail);
  });
  return byName;
}
