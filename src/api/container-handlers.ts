import type { Container } from './types/container.js';
import type { LifecycleHandler } from './types/lifecycle.js';
import type { Probe } from './types/probe.js';

/** What a container has the kubelet do for a probe or a hook. */
export interface NamedHandler {
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
