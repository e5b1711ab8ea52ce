import { duplicate, type FieldError, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDNS1123Label } from './common.js';
import { validateVolumeSource } from './volume-source.js';

type Volume = Decoded<'Volume'>;

/** The volumes that are right, by name. */
export type VolumesByName = ReadonlyMap<string, Volume>;

/** Ports ValidateVolumes (pkg/apis/core/validation/validation.go); the pod's name is known for a pod only. */
export function validateVolumes(
  volumes: readonly Volume[] = [],
  podName: string | undefined,
  path: string,
): { readonly volumes: VolumesByName; readonly errors: readonly FieldError[] } {
  const byName = new Map<string, Volume>();
  const createdClaims = claimsOf(volumes, podName);
  const errors = volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const own = validateVolume(volume, byName, podName, at);
    if (own.length === 0) byName.set(volume.name ?? '', volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim === undefined || !createdClaims.has(claim)) return own;
    const detail = 'must not reference a PVC that gets created for an ephemeral volume';
    return [...own, invalid(`${at}.persistentVolumeClaim.claimName`, claim, detail)];
  });
  return { volumes: byName, errors };
}

/** The claims that will be made for ephemeral volumes, where the pod has a name. */
function claimsOf(volumes: readonly Volume[], podName = ''): ReadonlySet<string> {
  const ephemeral = podName === '' ? [] : volumes.filter((volume) => volume.ephemeral);
  return new Set(ephemeral.map(({ name = '' }) => `${podName}-${name}`));
}

function validateVolume(
  volume: Volume,
  known: VolumesByName,
  podName: string | undefined,
  path: string,
): FieldError[] {
  const name = volume.name ?? '';
  const errors = validateVolumeSource(volume, path, podName);
  errors.push(
    ...(name === '' ? [required(`${path}.name`)] : validateDNS1123Label(name, `${path}.name`)),
  );
  if (known.has(name)) errors.push(duplicate(`${path}.name`, name));
  return errors;
}
