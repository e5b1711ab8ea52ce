export interface ContainerAt<Container> {
  readonly container: Container;
  /** Its path, such as `spec.initContainers[0]`. */
  readonly at: string;
}

/** What of a pod spec has containers: one that was just read, or that of a pod with its defaults. */
interface ContainerLists<Container> {
  readonly initContainers?: readonly Container[] | undefined;
  readonly containers?: readonly Container[] | undefined;
  readonly ephemeralContainers?: readonly Container[] | undefined;
}

/** All containers of a pod spec at `path`. Ports VisitContainersWithPath (pkg/apis/core/pods/helpers.go). */
export function containersWithPath<Container>(
  spec: ContainerLists<Container>,
  path: string,
): readonly ContainerAt<Container>[] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, at: `${path}.${list}[${index}]` })),
  );
}
