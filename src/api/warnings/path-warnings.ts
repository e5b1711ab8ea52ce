import { goQuote } from '../../go/quote.js';
import type { Decoded } from '../schema/decoded.js';
import type { ApiWarning } from './warning.js';

type Volume = Decoded<'Volume'>;

/** A path in a volume, and which source of a projected one has it. */
interface PathAndSource {
  readonly path: string;
  readonly source: string;
}

interface Item {
  readonly path?: string | undefined;
}

/** Ports warningsForOverlappingVirtualPaths (pkg/api/pod/warnings.go). */
export function overlappingPathWarnings(volumes: readonly Volume[] = []): readonly ApiWarning[] {
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

function ofItems(volume: Volume, items: readonly Item[] = [], shown: string): ApiWarning[] {
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

function projectedWarnings(volume: Volume): ApiWarning[] {
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

/** Of a projection with more than one source, which is wrong, the first counts. */
function pathsOfProjection(projection: Decoded<'VolumeProjection'>): PathAndSource[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = projection;
  if (configMap?.items) return pathsOf(configMap.items, named('ConfigMap', configMap.name));
  if (secret?.items) return pathsOf(secret.items, named('Secret', secret.name));
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  return serviceAccountToken ? pathsOf([serviceAccountToken], 'ServiceAccountToken') : [];
}

/** What overlaps with what came before it; `before` grows by the paths. */
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
