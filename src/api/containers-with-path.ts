import type { Decoded } from './schema/decoded.js';

export interface ContainerAt {
  readonly container: Decoded<'Container'>;
  /** Its path, such as `spec.initContainers[0]`. */
  readonly at: string;
}

/** All containers of a pod spec at `path`. Ports VisitContainersWithPath (pkg/apis/core/pods/helpers.go). */
export function containersWithPath(spec: Decoded<'PodSpec'>, path: string): readonly ContainerAt[] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, at: `${path}.${list}[${index}]` })),
  );
}
