import type { RolloutRequest } from '../../src/rollout/plan-rollout.js';
import { EMPTY_BEHAVIOR } from '../../src/sim/pod-scenario.js';

/** Returns the request of `kprobe rollout` for a text, without options. */
export function rolloutRequest(text: string, more: Partial<RolloutRequest> = {}): RolloutRequest {
  return {
    sources: [{ file: 'web.yaml', text }],
    load: {},
    behavior: EMPTY_BEHAVIOR,
    nodes: 3,
    isUnchanged: false,
    drains: [],
    until: 600_000,
    endsEarly: true,
    ...more,
  };
}
