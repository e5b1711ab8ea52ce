import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.js';
import { parseQuantity } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors } from './common.js';
import {
  validateConfigMapVolumeSource,
  validateDownwardAPIVolumeSource,
  validateSecretVolumeSource,
} from './file-volumes.js';
import { isDNS1123Subdomain } from './formats.js';
import { validatePathNoBacksteps } from './paths.js';
import { validateProjectedVolumeSource } from './projected-volume.js';

type Volume = Decoded<'Volume'>;
type SourceName = Exclude<keyof Volume, 'name'>;

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

/**
 * The sources in the order of the server's checks, with the texts that it says must be there. What else it
 * says of sources that only a cluster has is left to a cluster.
 */
const SOURCES: readonly (readonly [source: SourceName, ...required: string[]])[] = [
  ['emptyDir'],
  ['hostPath'],
  ['gitRepo', 'repository'],
  ['gcePersistentDisk', 'pdName'],
  ['awsElasticBlockStore', 'volumeID'],
  ['secret'],
  ['nfs'],
  ['iscsi', 'targetPortal', 'iqn'],
  ['glusterfs', 'endpoints', 'path'],
  ['flocker'],
  ['persistentVolumeClaim', 'claimName'],
  ['rbd', 'image'],
  ['cinder', 'volumeID'],
  ['cephfs'],
  ['quobyte', 'volume'],
  ['downwardAPI'],
  ['fc'],
  ['flexVolume', 'driver'],
  ['configMap'],
  ['azureFile', 'secretName', 'shareName'],
  ['vsphereVolume', 'volumePath'],
  ['photonPersistentDisk', 'pdID'],
  ['portworxVolume', 'volumeID'],
  ['azureDisk', 'diskName', 'diskURI'],
  ['storageos', 'volumeName'],
  ['projected'],
  ['scaleIO', 'gateway', 'system', 'volumeName'],
  ['csi'],
  ['ephemeral'],
  ['image'],
];

/** What the server calls a source when it is one too many, where that is not its name. */
const MISNAMED: Partial<Record<SourceName, string>> = {
  cephfs: 'cephFS',
  downwardAPI: 'downwarAPI',
};
/** And where its own errors are said to be. */
const MISPLACED: Partial<Record<SourceName, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Ports validateVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateVolumeSource(volume: Volume, path: string): FieldError[] {
  const present = SOURCES.filter(([source]) => volume[source] !== undefined);
  if (present.length === 0) return [required(path, 'must specify a volume type')];
  return present.flatMap(([source, ...texts], index) => {
    if (index > 0) {
      const at = `${path}.${MISNAMED[source] ?? source}`;
      return [forbidden(at, 'may not specify more than 1 volume type')];
    }
    const at = `${path}.${MISPLACED[source] ?? source}`;
    return [...requireTexts(volume[source], texts, at), ...validateSource(volume, source, at)];
  });
}

function requireTexts(source: unknown, names: readonly string[], path: string): FieldError[] {
  const fields = new Map(Object.entries(source ?? {}));
  return names.filter((name) => !fields.has(name)).map((name) => required(`${path}.${name}`));
}

function validateSource(volume: Volume, source: SourceName, path: string): FieldError[] {
  const { emptyDir, hostPath, secret, nfs, downwardAPI, configMap, projected, csi } = volume;
  if (source === 'emptyDir' && emptyDir) return validateEmptyDir(emptyDir, path);
  if (source === 'hostPath' && hostPath) return validateHostPathVolumeSource(hostPath, path);
  if (source === 'secret' && secret) return validateSecretVolumeSource(secret, path);
  if (source === 'nfs' && nfs) return validateNFSVolumeSource(nfs, path);
  if (source === 'downwardAPI' && downwardAPI)
    return validateDownwardAPIVolumeSource(downwardAPI, path);
  if (source === 'configMap' && configMap) return validateConfigMapVolumeSource(configMap, path);
  if (source === 'projected' && projected) return validateProjectedVolumeSource(projected, path);
  if (source === 'csi' && csi) return validateCSIVolumeSource(csi, path);
  return [];
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
  const errors =
    driver === ''
      ? [required(`${path}.driver`)]
      : complaintErrors(`${path}.driver`, driver, isDNS1123Subdomain(driver.toLowerCase()));
  if (nodePublishSecretRef === undefined) return errors;
  const { name = '' } = nodePublishSecretRef;
  if (name === '') return [...errors, required(`${path}.nodePublishSecretRef.name`)];
  return [...errors, ...complaintErrors(`${path}.name`, name, isDNS1123Subdomain(name))];
}
