import type { Container } from '../schema/stored.js';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Returns all containers of a pod spec at `path`, with their paths, such as `spec.initContainers[0]`. Ports
 * VisitContainersWithPath (pkg/apis/core/pods/helpers.go).
 */
export function containersWithPath<Container>(
  spec: { readonly [List in (typeof LISTS)[number]]?: readonly Container[] | undefined },
  path: string,
) {
  return LISTS.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, at: `${path}.${list}[${index}]` })),
  );
}

/** Returns the init containers and the containers of a pod, in the order in which they start. */
export function allContainers<C>({
  initContainers = [],
  containers,
}: PodContainers<C>): readonly C[] {
  return [...initContainers, ...containers];
}

/** Returns a pod spec with its init containers and its containers changed. */
export function mapContainers<C, Spec extends PodContainers<C>>(
  spec: Spec,
  change: (container: C) => C,
): Spec {
  const inits = spec.initContainers && { initContainers: spec.initContainers.map(change) };
  return { ...spec, ...inits, containers: spec.containers.map(change) };
}

export function containerNamed<C extends { readonly name: string }>(
  spec: PodContainers<C>,
  name: string,
): C | undefined {
  return allContainers(spec).find((container) => container.name === name);
}

/** Reports whether a container is an init container that ends before the next one starts, not a sidecar. */
export function runsToCompletion(
  spec: PodContainers<Pick<Container, 'name' | 'restartPolicy'>>,
  name: string,
): boolean {
  const init = spec.initContainers?.find((each) => each.name === name);
  return init !== undefined && init.restartPolicy !== 'Always';
}

interface PodContainers<C> {
  readonly initContainers?: readonly C[] | undefined;
  readonly containers: readonly C[];
}

/** Returns the probes and the hooks of a container with the names of their fields, such as `lifecycle.preStop`. */
export function handlersOf(container: Container) {
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
