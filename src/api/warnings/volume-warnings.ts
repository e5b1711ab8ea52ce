import type { Decoded } from '../schema/decoded.js';
import { claimWarnings } from './fraction-warnings.js';
import type { ApiWarning } from './warning.js';

type Volume = Decoded<'Volume'>;

/** The sources that are no more, in the server's order, with the name that it has for them. */
const BEFORE_CLAIMS: readonly (readonly [source: keyof Volume, shown: string, since: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'v1.25, non-functional in v1.26+'],
];
const AFTER_CLAIMS: typeof BEFORE_CLAIMS = [
  ['cephfs', 'cephfs', 'v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'v1.28, non-functional in v1.31+'],
];

/** The part of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go) about the sources of volumes. */
export function volumeWarnings(
  volumes: readonly Volume[] = [],
  path: string,
): readonly ApiWarning[] {
  return volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    return [
      ...deprecated(volume, BEFORE_CLAIMS, at),
      ...claimWarnings(
        volume.ephemeral?.volumeClaimTemplate?.spec?.resources,
        `${at}.ephemeral.volumeClaimTemplate.spec`,
      ),
      ...deprecated(volume, AFTER_CLAIMS, at),
    ];
  });
}

function deprecated(volume: Volume, table: typeof BEFORE_CLAIMS, path: string): ApiWarning[] {
  return table
    .filter(([source]) => volume[source] !== undefined)
    .map(([, shown, since]) => ({ field: `${path}.${shown}`, message: `deprecated in ${since}` }));
}
