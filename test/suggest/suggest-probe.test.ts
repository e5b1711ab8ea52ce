import { expect, it } from 'vitest';

import { suggestLiveness, suggestReadiness } from '../../src/suggest/suggest-probe.js';

const PROBE = {
  initialDelaySeconds: 0,
  periodSeconds: 5,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
  tcpSocket: { port: 80 },
};
const MEASURED = {
  attempts: 40,
  starts: [{ from: 0, to: 1 }],
  neverAnswered: 0,
  longestUnanswered: 0,
  slowest: 10,
  usual: 10,
  timeouts: 0,
  asked: 30,
  failed: 0,
  flaps: 0,
  outages: [],
};

it.each([
  [0, 0, 'failures: none after the first success'],
  [19, 0, 'failures: 19 timeouts that the new timeout would avoid after the first success'],
  [19, 19, 'failures: 19 failures in a row at the end of a run'],
])(
  'with %i failures after its first success and %i at its end, a run has "%s"',
  (failed, unended, reason) => {
    const measured = { ...MEASURED, unended };
    for (const suggest of [suggestReadiness, suggestLiveness]) {
      const all = { ...measured, failed };
      expect(suggest(PROBE, all, () => measured).reasons[0]).toContain(reason);
    }
  },
);
