import type { Decoded } from '../../schema/decoded.js';
import { validateDNS1123Label, validateRequired } from '../common/checks.js';
import { collectErrors, type FieldPath } from '../common/field-error.js';
import { validateVolumeSource } from './volume-source.js';

type Volume = Decoded<'Volume'>;

/** The volumes without errors, by name. */
export type VolumesByName = ReadonlyMap<string, Volume>;

/** Ports ValidateVolumes (pkg/apis/core/validation/validation.go); a template has no pod name. */
export function validateVolumes(
  volumes: readonly Volume[] = [],
  podName: string | undefined,
  at: FieldPath,
): VolumesByName {
  const byName = new Map<string, Volume>();
  const createdClaims = claimsOf(volumes, podName);
  at.each(volumes, (volume, volumeAt) => {
    const errors = collectErrors(volumeAt.path, (own) => {
      validateVolume(volume, byName, podName, own);
    });
    at.errors.push(...errors);
    if (errors.length === 0) byName.set(volume.name ?? '', volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim === undefined || !createdClaims.has(claim)) return;
    const detail = 'must not reference a PVC that gets created for an ephemeral volume';
    volumeAt.child('persistentVolumeClaim.claimName').invalid(claim, detail);
  });
  return byName;
}

/** Names of the claims that will be made for ephemeral volumes of a pod with a name. */
function claimsOf(volumes: readonly Volume[], podName = ''): ReadonlySet<string> {
  const ephemeral = podName === '' ? [] : volumes.filter((volume) => volume.ephemeral);
  return new Set(ephemeral.map(({ name = '' }) => `${podName}-${name}`));
}

function validateVolume(
  volume: Volume,
  known: VolumesByName,
  podName: string | undefined,
  at: FieldPath,
): void {
  const name = volume.name ?? '';
  validateVolumeSource(volume, at, podName);
  validateRequired(name, at.child('name'), validateDNS1123Label);
  if (known.has(name)) at.child('name').duplicate(name);
}
