import { describe, expect, it } from 'vitest';

import {
  replicasSvg,
  replicasTimelineLines,
} from '../../../src/commands/rollout/replicas-timeline.js';
import type { RolloutPoint } from '../../../src/rollout/recorder.js';
import { lineText } from '../../../src/text/line.js';

const NONE = { pending: 0, starting: 0, ready: 0, notReady: 0, terminating: 0, ended: 0 };

/** Two old pods give way to two new ones, one at a time. */
const POINTS: readonly RolloutPoint[] = [
  { t: 0, old: { ...NONE, ready: 2 }, new: NONE, endpoints: 2 },
  {
    t: 0.1,
    old: { ...NONE, ready: 1, terminating: 1 },
    new: { ...NONE, starting: 1 },
    endpoints: 1,
  },
  { t: 10, old: { ...NONE, ready: 1 }, new: { ...NONE, starting: 1 }, endpoints: 1 },
  { t: 15, old: { ...NONE, ready: 1 }, new: { ...NONE, ready: 1 }, endpoints: 2 },
  {
    t: 15.1,
    old: { ...NONE, terminating: 1 },
    new: { ...NONE, ready: 1, starting: 1 },
    endpoints: 1,
  },
  { t: 30, old: NONE, new: { ...NONE, ready: 2 }, endpoints: 2 },
];
const TIMELINE = {
  points: POINTS,
  seconds: 31,
  failedBySecond: new Map([
    [1, 30],
    [16, 12],
  ]),
};

describe('replicasTimelineLines', () => {
  it('shows replicas by state, ready endpoints and failed requests over time', () => {
    const text = replicasTimelineLines(TIMELINE, 60).map(lineText).join('\n');
    expect(text).toMatchInlineSnapshot(`
      "                ╷0:00       ╷0:12       ╷0:24  
      old, ready      ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄                 2 → 0
      new, ready                      ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ 0 → 2
      starting        ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ max 1
      terminating     ▄▄▄▄▄▄▄▄▄▄▄    ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ max 1
      ready endpoints ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ min 1
      failed requests  █              ▃               42"
    `);
  });

  it('leaves out rows without pods', () => {
    const still = { points: POINTS.slice(0, 1), seconds: 10 };
    expect(replicasTimelineLines(still, 60).map((line) => lineText(line).trim())).toHaveLength(3);
  });
});

describe('replicasSvg', () => {
  it('draws a lane for each row, with the title escaped', () => {
    const svg = replicasSvg('web <2>', TIMELINE);
    expect(svg).toContain('<title>web &lt;2&gt;</title>');
    expect(svg.match(/<path /g)).toHaveLength(6);
    expect(svg).not.toContain('NaN');
    expect(svg.endsWith('</svg>\n')).toBe(true);
  });
});
