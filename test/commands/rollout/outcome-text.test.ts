import { describe, expect, it } from 'vitest';

import { outageLines, trafficLines } from '../../../src/commands/rollout/outcome-text.js';
import type { OutageResult } from '../../../src/rollout/measure.js';
import type { Loss, LossCause } from '../../../src/rollout/traffic/losses.js';
import type { TrafficResult } from '../../../src/rollout/traffic/traffic.js';
import { type Line, lineText } from '../../../src/text/line.js';

const text = (lines: readonly Line[]): string => lines.map(lineText).join('\n');

const TRAFFIC: TrafficResult = {
  requests: 12_000,
  failed: 0,
  waited: 0,
  longestWait: 0,
  losses: [],
  failedBySecond: new Map(),
  afterRemoval: 0,
};

function loss(cause: LossCause, count: number, remedy?: Loss['remedy']): Loss {
  return { cause, count, from: 0, to: 1, pods: 1, ...(remedy && { remedy }) };
}

describe('trafficLines', () => {
  it('says that no request fails', () => {
    expect(text(trafficLines(TRAFFIC))).toBe('none of 12,000 requests fails');
  });

  it('lists the causes, with what would save the requests', () => {
    const losses = [
      loss('refusedAfterTerm', 1041, { kind: 'preStopSleep', seconds: 3 }),
      loss('cutAtKill', 16, { kind: 'gracePeriod', seconds: 35 }),
      loss('noEndpoint', 2),
    ];
    const result = { ...TRAFFIC, failed: 1059, losses, waited: 7, longestWait: 2500 };
    expect(text(trafficLines({ ...result, afterRemoval: 40 }))).toMatchInlineSnapshot(`
      "1,059 of 12,000 requests fail
        1,041 refused between TERM and endpoint removal (preStop sleep of 3 s would save them)
           16 cut at KILL (a terminationGracePeriodSeconds of 35 would save them)
            2 refused: no ready endpoint
        7 answered late, the slowest after 2.5 s
        40 sent over kept connections to pods that were no longer endpoints"
    `);
  });

  it.each<[LossCause, Loss['remedy']]>([
    ['refusedAfterTerm', { kind: 'preStopSleep', seconds: 3, gracePeriodSeconds: 33 }],
    ['cutAtExit', { kind: 'finishRequests', seconds: 0.25 }],
    ['cutAtExit', { kind: 'stopServingAtTerm' }],
    ['refusedBeforeListening', { kind: 'readinessProbe' }],
  ])('names what saves requests that are lost by %s', (cause, remedy) => {
    const result = { ...TRAFFIC, failed: 1, losses: [loss(cause, 1, remedy)] };
    expect(text(trafficLines(result))).toMatch(/would save them/);
  });
});

const OUTAGE: OutageResult = {
  name: 'db',
  from: 60_000,
  to: 150_000,
  readyBefore: 20,
  leastReady: 4,
  hit: 16,
  firstBack: 153_000,
  lastBack: 190_000,
  stillOut: 0,
  restarts: 32,
  restartedPods: 16,
  backOffs: 16,
  longestBackOff: 40_000,
  herd: 9,
};

describe('outageLines', () => {
  it('says who was out, who is back when, and the restarts', () => {
    expect(text(outageLines(OUTAGE))).toMatchInlineSnapshot(`
      "db is down from 60.0 s to 2m30s
        16 of 20 ready replicas lose their readiness; at least 4 ready
        the first is back 3.0 s after the outage, the last after 40.0 s
        32 restarts of 16 replicas
        16 back-offs, the longest 40.0 s
        9 replicas come back within one second"
    `);
  });

  it('says that some are not back', () => {
    const lines = text(outageLines({ ...OUTAGE, stillOut: 3 }));
    expect(lines).toContain('3 of 16 are not back at the end');
    const { firstBack: _, lastBack: __, ...none } = OUTAGE;
    expect(text(outageLines({ ...none, stillOut: 16 }))).toContain('none is back at the end');
  });

  it('says that nothing happened', () => {
    expect(text(outageLines({ ...OUTAGE, hit: 0, to: Infinity }))).toBe(
      'db is down from 60.0 s on\n  no replica loses its readiness',
    );
  });
});
