import type { Container, LifecycleHandler, Probe } from '../types/spec.js';

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

/** The action of a probe or a hook. */
interface NamedHandler {
  /** Its field, from the container: `livenessProbe`, `lifecycle.preStop`. */
  readonly name: string;
  readonly handler: Probe | LifecycleHandler;
}

/** The probes and hooks of a container. */
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
