import { goQuote } from '../../go/quote.js';
import type { Decoded } from '../schema/schema.js';
import { type ApiWarning, type ApiWarnings, claimWarnings } from './warning.js';

type Volume = Decoded<'Volume'>;

/** The deprecated sources in the server's order, with the server's names for them. */
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
export function volumeWarnings(volumes: readonly Volume[] = [], path: string): ApiWarnings {
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

function deprecated(volume: Volume, table: typeof BEFORE_CLAIMS, path: string): ApiWarnings {
  return table
    .filter(([source]) => volume[source] !== undefined)
    .map(([, shown, since]) => ({ field: `${path}.${shown}`, message: `deprecated in ${since}` }));
}

/** A path in a volume, and the source that has it in a projected volume. */
interface PathAndSource {
  readonly path: string;
  readonly source: string;
}

interface Item {
  readonly path?: string | undefined;
}

/** Ports warningsForOverlappingVirtualPaths (pkg/api/pod/warnings.go). */
export function overlappingPathWarnings(volumes: readonly Volume[] = []): ApiWarnings {
  return volumes.flatMap((volume) => {
    const { configMap, secret, downwardAPI } = volume;
    return [
      ...(configMap ? ofItems(volume, configMap.items, named('ConfigMap', configMap.name)) : []),
      ...(secret ? ofItems(volume, secret.items, named('Secret', secret.secretName)) : []),
      ...(downwardAPI ? ofItems(volume, downwardAPI.items, 'DownwardAPI') : []),
      ...projectedWarnings(volume),
    ];
  });
}

function named(kind: string, name = ''): string {
  return `${kind} ${goQuote(name)}`;
}

function ofItems(volume: Volume, items: readonly Item[] = [], shown: string): ApiWarnings {
  return overlaps(pathsOf(items, ''), []).map((text) => overlapping(volume, shown, text));
}

function pathsOf(items: readonly Item[], source: string): PathAndSource[] {
  return items.map(({ path = '' }) => ({ path: path.replace(/\/+$/, ''), source }));
}

/** The server names no field here, but the volume. */
function overlapping({ name = '' }: Volume, shown: string, text: string): ApiWarning {
  return {
    field: `volume ${goQuote(name)} (${shown})`,
    message: `overlapping paths: ${text}`,
  };
}

function projectedWarnings(volume: Volume): ApiWarnings {
  const before: PathAndSource[] = [];
  return (volume.projected?.sources ?? []).flatMap((source) => {
    if (Object.values(source).every((each) => each === undefined)) {
      const message = `volume ${goQuote(volume.name ?? '')} (Projected) has no sources provided`;
      return [{ field: '', message }];
    }
    const texts = overlaps(pathsOfProjection(source), before);
    return texts.map((text) => overlapping(volume, 'Projected', text));
  });
}

/** The first source counts, if a projection has several, which is an error. */
function pathsOfProjection(projection: Decoded<'VolumeProjection'>): PathAndSource[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = projection;
  if (configMap?.items) return pathsOf(configMap.items, named('ConfigMap', configMap.name));
  if (secret?.items) return pathsOf(secret.items, named('Secret', secret.name));
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  return serviceAccountToken ? pathsOf([serviceAccountToken], 'ServiceAccountToken') : [];
}

/** Returns the overlaps with the paths before, and adds the paths to these. */
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
