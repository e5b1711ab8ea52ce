import {
  aggregateContainerResources,
  allContainers,
  nanoOf,
  type Pod,
  type ResourceList,
  type Volume,
} from '../../../api/index.js';

/** Returns true for a volume that is a tmpfs. */
export function isInMemory({ emptyDir }: Volume): boolean {
  return emptyDir?.medium === 'Memory';
}

/** Returns the bytes of a volume in memory. Ports calculateEmptyDirMemorySize (pkg/volume/emptydir/empty_dir.go). */
export function emptyDirMemorySize(
  { spec }: Pod,
  { emptyDir }: Volume,
  { memory = '0' }: ResourceList,
): number {
  const areLimited = allContainers(spec).every(
    ({ resources }) => resources?.limits?.['memory'] !== undefined,
  );
  const sum = aggregateContainerResources(spec, 'limits').get('memory');
  const ofPod = spec.resources?.limits?.['memory'];
  const limit = areLimited ? Number(sum?.nano ?? 0n) / 1e9 : 0;
  const sizes = [
    bytes(memory),
    ofPod === undefined ? limit : bytes(ofPod),
    bytes(emptyDir?.sizeLimit),
  ];
  return Math.floor(Math.min(...sizes.filter((size) => size > 0)));
}

function bytes(text?: string): number {
  return Number(nanoOf(text)) / 1e9;
}
