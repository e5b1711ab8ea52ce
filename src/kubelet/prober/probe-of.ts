import type { Container, Probe } from '../../api/index.js';
import type { ProbeType } from '../event.js';

/** The container's probe of that kind. */
export function probeOf(container: Container, probeType: ProbeType): Probe | undefined {
  switch (probeType) {
    case 'startup':
      return container.startupProbe;
    case 'readiness':
      return container.readinessProbe;
    case 'liveness':
      return container.livenessProbe;
  }
}

/** In the order in which they come to work. */
export const PROBE_TYPES = ['startup', 'readiness', 'liveness'] as const;
