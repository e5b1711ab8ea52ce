import type { Container, LifecycleHandler, Probe } from '../schema/stored.js';

interface ContainerAt<Container> {
  readonly container: Container;
  /** Its path, such as `spec.initContainers[0]`. */
  readonly at: string;
}

/** The containers of a pod spec, with or without defaults. */
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

/** Returns the init containers and the containers of a pod, in the order of their start. */
export function allContainers<C>({
  initContainers = [],
  containers,
}: PodContainers<C>): readonly C[] {
  return [...initContainers, ...containers];
}

export function containerNamed<C extends { readonly name: string }>(
  spec: PodContainers<C>,
  name: string,
): C | undefined {
  return allContainers(spec).find((container) => container.name === name);
}

interface PodContainers<C> {
  readonly initContainers?: readonly C[] | undefined;
  readonly containers: readonly C[];
}

interface NamedHandler {
  /** Its field, from the container: `livenessProbe`, `lifecycle.preStop`. */
  readonly name: string;
  readonly handler: Probe | LifecycleHandler;
}

export function handlersOf(container: Container): readonly NamedHandler[] {
  const { startupProbe, readinessProbe, livenessProbe, lifecycle } = container;
  const handlers = {
    startupProbe,
    readinessProbe,
    livenessProbe,
    'lifecycle.postStart': lifecycle?.postStart,
    'lifecycle.preStop': lifecycle?.preStop,
  };
  return Object.entries(handlers).flatMap(([name, handler]) =>
    handler === undefined ? [] : [{ name, handler }],
  );
}
