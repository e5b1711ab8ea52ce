import { describe, expect, it } from 'vitest';

import { refuseLong } from '../../../src/commands/simulate/time-limit.js';
import { parseDuration } from '../../../src/go/duration.js';
import { EMPTY_BEHAVIOR, podScenario } from '../../../src/sim/pod-scenario.js';
import { buildPod } from '../../helpers/builders.js';

const HOUR = 3_600_000;

function lasting(hours: number) {
  return podScenario(buildPod(), EMPTY_BEHAVIOR, { until: hours * HOUR }).scenario;
}

describe('a simulation that takes longer than its limit', () => {
  it('is refused with a shorter length that is not', async () => {
    const limit = 2000;
    const refused = await refuseLong([lasting(8760)], {} as never, limit).catch(String);
    expect(refused).toMatch(/^UsageError: this would take about .*: --for=\d+[hms] fits$/);
    const [, length = ''] = /--for=(\w+)/.exec(String(refused)) ?? [];
    // A busy machine may be slower the next time.
    await refuseLong([lasting((parseDuration(length) ?? 0) / HOUR)], {} as never, 30 * limit);
  });

  it('is refused with fewer runs', async () => {
    const refusing = refuseLong([lasting(200)], { runs: 1_000_000 } as never, 60_000);
    await expect(refusing).rejects.toThrow(/: --runs=\d+(?: with --for=\d+[hms])? fits$/);
  });

  it('is made when it fits', async () => {
    await refuseLong([lasting(1)], {} as never, 60_000);
  });
});
