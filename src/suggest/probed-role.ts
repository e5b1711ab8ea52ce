/** What a container with probes is to its pod; an init container that ends has none. */
export type ProbedRole = 'container' | 'sidecar';
