import type { Container, Probe } from '../../api/index.js';
import type { ProbeType } from '../event.js';

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

/** In the order in which they run. */
export const PROBE_TYPES = ['startup', 'readiness', 'liveness'] as const;
