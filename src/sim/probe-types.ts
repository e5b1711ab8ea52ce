/** In the order in which they come to work. */
export const PROBE_TYPES = ['startup', 'readiness', 'liveness'] as const;
