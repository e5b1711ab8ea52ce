import { goQuote } from '../../go/quote.js';
import type { Decoded, v1 } from '../schema/schema.js';
import type { FieldPath } from '../validation/common/field-error.js';
import { warnAboutClaim } from './warning.js';

type Volume = Decoded<v1.Volume>;

/** Deprecated volume sources in the server's order, with the names that its warnings use. */
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
export function warnAboutVolumes(volumes: readonly Volume[] | undefined, at: FieldPath): void {
  at.each(volumes, (volume, volumeAt) => {
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    warnAboutDeprecated(volume, BEFORE_CLAIMS, volumeAt);
    warnAboutClaim(claim?.resources, volumeAt.child('ephemeral.volumeClaimTemplate.spec'));
    warnAboutDeprecated(volume, AFTER_CLAIMS, volumeAt);
  });
}

function warnAboutDeprecated(volume: Volume, table: typeof BEFORE_CLAIMS, at: FieldPath): void {
  for (const [source, shown, since] of table) {
    if (volume[source] !== undefined) at.child(shown).warn(`deprecated in ${since}`);
  }
}

/** A path in a volume, and the source of a projected volume that it comes from. */
interface PathAndSource {
  readonly path: string;
  readonly source: string;
}

/** Ports warningsForOverlappingVirtualPaths (pkg/api/pod/warnings.go): its warnings name the volume instead of a field. */
export function warnAboutOverlappingPaths(volumes: readonly Volume[] = [], at: FieldPath): void {
  for (const { name = '', configMap, secret, downwardAPI, projected } of volumes) {
    const warn = (
      shown: string,
      paths: readonly PathAndSource[],
      before: PathAndSource[],
    ): void => {
      for (const text of overlaps(paths, before)) {
        at.with(`volume ${goQuote(name)} (${shown})`).warn(`overlapping paths: ${text}`);
      }
    };
    if (configMap) warn(named('ConfigMap', configMap.name), pathsOf(configMap.items, ''), []);
    if (secret) warn(named('Secret', secret.secretName), pathsOf(secret.items, ''), []);
    if (downwardAPI) warn('DownwardAPI', pathsOf(downwardAPI.items, ''), []);
    const before: PathAndSource[] = [];
    for (const source of projected?.sources ?? []) {
      if (Object.values(source).some((each) => each !== undefined)) {
        warn('Projected', pathsOfProjection(source), before);
      } else {
        at.with('').warn(`volume ${goQuote(name)} (Projected) has no sources provided`);
      }
    }
  }
}

function named(kind: string, name = ''): string {
  return `${kind} ${goQuote(name)}`;
}

function pathsOf(
  items: readonly { readonly path?: string | undefined }[] = [],
  source: string,
): PathAndSource[] {
  return items.map(({ path = '' }) => ({ path: path.replace(/\/+$/, ''), source }));
}

/** Returns the paths of the first source; a projection with several sources is an error anyway. */
function pathsOfProjection(projection: Decoded<v1.VolumeProjection>): PathAndSource[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  if (configMap?.items) return pathsOf(configMap.items, named('ConfigMap', configMap.name));
  if (secret?.items) return pathsOf(secret.items, named('Secret', secret.name));
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return pathsOf([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle) {
    const { name = clusterTrustBundle.signerName } = clusterTrustBundle;
    return pathsOf([clusterTrustBundle], named('ClusterTrustBundle', name));
  }
  const { certificateChainPath, keyPath, credentialBundlePath } = projection.podCertificate ?? {};
  return [
    ...pathsOf([{ path: certificateChainPath }], 'PodCertificate chain'),
    ...pathsOf([{ path: keyPath }], 'PodCertificate key'),
    ...pathsOf([{ path: credentialBundlePath }], 'PodCertificate credential bundle'),
  ];
}

/** Returns the overlaps with earlier paths, and adds the paths to the earlier ones. */
function overlaps(paths: readonly PathAndSource[], before: PathAndSource[]): string[] {
  return paths.flatMap((each) => {
    const texts = before
      .filter((other) => overlap(each.path, other.path))
      .map((other) => `${show(each)} with ${show(other)}`);
    before.push(each);
    return texts;
  });
}

function overlap(a: string, b: string): boolean {
  if (a === '' || b === '') return false;
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function show({ path, source }: PathAndSource): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
