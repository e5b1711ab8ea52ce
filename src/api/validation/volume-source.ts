import { goQuote } from '../../go/quote.js';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../field-error.js';
import { byteLength } from '../go-text.js';
import { parseQuantity } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, validateEnum } from './common.js';
import {
  validateAzureDisk,
  validateFCVolumeSource,
  validateISCSIName,
  validateISCSIVolumeSource,
  validatePartition,
} from './disk-volumes.js';
import { validateEphemeralVolumeSource } from './ephemeral-volume.js';
import {
  validateConfigMapVolumeSource,
  validateDownwardAPIVolumeSource,
  validateSecretVolumeSource,
} from './file-volumes.js';
import { isDNS1123Subdomain } from './formats.js';
import {
  validateFlexOptions,
  validateFlockerVolumeSource,
  validateMonitors,
  validateQuobyteVolumeSource,
  validateRBDVolumeSource,
  validateSecretRef,
  validateStorageOSVolumeSource,
} from './network-volumes.js';
import { validateLocalDescendingPath, validatePathNoBacksteps } from './paths.js';
import { validateProjectedVolumeSource } from './projected-volume.js';

type Volume = Decoded<'Volume'>;
type SourceName = Exclude<keyof Volume, 'name'>;

const MAX_DRIVER_BYTES = 63;
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

interface Rule {
  readonly source: SourceName;
  readonly validate: (volume: Volume, path: string) => FieldError[];
}

/** What is checked of a source: the texts that must be there, and then the rest. */
function rule<Source extends SourceName>(
  source: Source,
  texts: readonly string[],
  validate: (value: NonNullable<Volume[Source]>, path: string) => FieldError[] = () => [],
): Rule {
  return {
    source,
    validate: (volume, path) => {
      const value = volume[source];
      return value ? [...requireTexts(value, texts, path), ...validate(value, path)] : [];
    },
  };
}

/** The sources in the order of the server's checks. */
const RULES: readonly Rule[] = [
  rule('emptyDir', [], validateEmptyDir),
  rule('hostPath', [], validateHostPathVolumeSource),
  rule('gitRepo', ['repository'], ({ directory = '' }, path) =>
    validateLocalDescendingPath(directory, `${path}.directory`),
  ),
  rule('gcePersistentDisk', ['pdName'], validatePartition),
  rule('awsElasticBlockStore', ['volumeID'], validatePartition),
  rule('secret', [], validateSecretVolumeSource),
  rule('nfs', [], validateNFSVolumeSource),
  rule('iscsi', ['targetPortal', 'iqn'], validateISCSIVolumeSource),
  rule('glusterfs', ['endpoints', 'path']),
  rule('flocker', [], validateFlockerVolumeSource),
  rule('persistentVolumeClaim', ['claimName']),
  rule('rbd', [], validateRBDVolumeSource),
  rule('cinder', ['volumeID'], validateSecretRef),
  rule('cephfs', [], validateMonitors),
  rule('quobyte', [], validateQuobyteVolumeSource),
  rule('downwardAPI', [], validateDownwardAPIVolumeSource),
  rule('fc', [], validateFCVolumeSource),
  rule('flexVolume', ['driver'], validateFlexOptions),
  rule('configMap', [], validateConfigMapVolumeSource),
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
  rule('image', [], ({ pullPolicy }, path) =>
    validateEnum(pullPolicy, PULL_POLICIES, `${path}.pullPolicy`),
  ),
];

/** What the server calls a source when it is one too many, where that is not its name. */
const MISNAMED: Partial<Record<SourceName, string>> = {
  cephfs: 'cephFS',
  downwardAPI: 'downwarAPI',
};
/** And where its own errors are said to be. */
const MISPLACED: Partial<Record<SourceName, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Ports validateVolumeSource (pkg/apis/core/validation/validation.go); the pod's name is known for a pod only. */
export function validateVolumeSource(
  volume: Volume,
  path: string,
  podName: string | undefined,
): FieldError[] {
  const present = RULES.filter(({ source }) => volume[source] !== undefined);
  if (present.length === 0) return [required(path, 'must specify a volume type')];
  return present.flatMap(({ source, validate }, index) => {
    const ofName = source === 'iscsi' ? validateISCSIName(volume, path) : [];
    if (index > 0) {
      const at = `${path}.${MISNAMED[source] ?? source}`;
      return [forbidden(at, 'may not specify more than 1 volume type'), ...ofName];
    }
    const at = `${path}.${MISPLACED[source] ?? source}`;
    const needsImage = source === 'image' && podName !== undefined && !volume.image?.reference;
    return [
      ...(needsImage ? [required(`${at}.reference`)] : []),
      ...validate(volume, at),
      ...ofName,
      ...(source === 'ephemeral' ? validateClaimName(volume, path, podName) : []),
    ];
  });
}

/** The claim that is made for an ephemeral volume has a name made of the pod's and the volume's. */
function validateClaimName({ name = '' }: Volume, path: string, podName = ''): FieldError[] {
  if (name === '' || podName === '') return [];
  const claim = `${podName}-${name}`;
  return isDNS1123Subdomain(claim).map((complaint) =>
    invalid(`${path}.name`, name, `PVC name ${goQuote(claim)}: ${complaint}`),
  );
}

function requireTexts(source: unknown, names: readonly string[], path: string): FieldError[] {
  const fields = new Map(Object.entries(source ?? {}));
  return names.filter((name) => !fields.has(name)).map((name) => required(`${path}.${name}`));
}

function validateEmptyDir(source: Decoded<'EmptyDirVolumeSource'>, path: string): FieldError[] {
  const limit = parseQuantity(source.sizeLimit ?? '0');
  if (limit.kind === 'error' || limit.quantity.nano >= 0n) return [];
  return [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

/** Ports validateHostPathVolumeSource (pkg/apis/core/validation/validation.go). */
function validateHostPathVolumeSource(
  source: Decoded<'HostPathVolumeSource'>,
  at: string,
): FieldError[] {
  const { path = '', type = '' } = source;
  if (path === '') return [required(`${at}.path`)];
  const errors = validatePathNoBacksteps(path, `${at}.path`);
  if (!HOST_PATH_TYPES.includes(type)) {
    errors.push(notSupported(`${at}.type`, type, HOST_PATH_TYPES));
  }
  return errors;
}

/** Ports validateNFSVolumeSource (pkg/apis/core/validation/validation.go). */
function validateNFSVolumeSource(source: Decoded<'NFSVolumeSource'>, at: string): FieldError[] {
  const { server = '', path = '' } = source;
  const errors: FieldError[] = [];
  if (server === '') errors.push(required(`${at}.server`));
  if (path === '') errors.push(required(`${at}.path`));
  if (!path.startsWith('/')) errors.push(invalid(`${at}.path`, path, 'must be an absolute path'));
  return errors;
}

/** Ports validateCSIVolumeSource (pkg/apis/core/validation/validation.go). */
function validateCSIVolumeSource(source: Decoded<'CSIVolumeSource'>, path: string): FieldError[] {
  const { driver = '', nodePublishSecretRef } = source;
  const errors = validateCSIDriverName(driver, `${path}.driver`);
  if (nodePublishSecretRef === undefined) return errors;
  const { name = '' } = nodePublishSecretRef;
  if (name === '') return [...errors, required(`${path}.nodePublishSecretRef.name`)];
  return [...errors, ...complaintErrors(`${path}.name`, name, isDNS1123Subdomain(name))];
}

/** Ports ValidateCSIDriverName (pkg/apis/core/validation/validation.go). */
function validateCSIDriverName(driver: string, path: string): FieldError[] {
  if (driver === '') return [required(path)];
  const errors = byteLength(driver) > MAX_DRIVER_BYTES ? [tooLong(path, MAX_DRIVER_BYTES)] : [];
  return [...errors, ...complaintErrors(path, driver, isDNS1123Subdomain(driver.toLowerCase()))];
}
