import { describe, expect, it } from 'vitest';

import { parseProbeCounts } from '../../../src/cluster/client/cluster.js';

const METRICS = `# HELP prober_probe_duration_seconds [ALPHA] Duration in seconds for a probe response.
prober_probe_duration_seconds_count{container="app",namespace="shop",pod="web",probe_type="Readiness"} 12
# TYPE prober_probe_total counter
prober_probe_total{container="app",namespace="shop",pod="web",pod_uid="u-1",probe_type="Readiness",result="successful"} 12
prober_probe_total{container="app",namespace="shop",pod="web",pod_uid="u-1",probe_type="Readiness",result="failed"} 1e+06
prober_probe_total{container="app",namespace="shop",pod="web",pod_uid="u-1",probe_type="Liveness",result="unknown"} 3
prober_probe_total{container="app",namespace="shop",pod="web",pod_uid="u-2",probe_type="Startup",result="successful"} 1
prober_probe_total{container="app",namespace="shop",pod="web",pod_uid="u-2",probe_type="Other",result="successful"} 1
prober_probe_total{container="app",namespace="shop",pod="web",pod_uid="u-2",probe_type="Startup",result="other"} 1
`;

describe('parseProbeCounts', () => {
  it('adds up the results of each probe', () => {
    const web = { namespace: 'shop', pod: 'web', container: 'app' };
    expect(parseProbeCounts(METRICS)).toEqual([
      { ...web, uid: 'u-1', probe: 'readiness', successful: 12, failed: 1_000_000, unknown: 0 },
      { ...web, uid: 'u-1', probe: 'liveness', successful: 0, failed: 0, unknown: 3 },
      { ...web, uid: 'u-2', probe: 'startup', successful: 1, failed: 0, unknown: 0 },
    ]);
  });
});
