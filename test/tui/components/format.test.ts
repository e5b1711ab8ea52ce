import { expect, it } from 'vitest';

import { newPodSummary } from '../../../src/trace/summary/fold.js';
import { runLine } from '../../../src/tui/components/format.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const pod = buildPod({ spec: { containers: [buildContainer({ startupProbe: buildProbe({}) })] } });
const probe = newPodSummary('default/web', pod, 0).containers[0]!.probes[0]!;
const turn = { to: 'failure', needed: 1, threshold: 3, earliest: undefined } as const;
const forecast = { nextAttempt: undefined, current: 'unknown', pending: [turn] } as const;

it('shows no success of a container that has ended', () => {
  const ended = { nextAttempt: undefined, current: 'success', pending: [] } as const;
  const set = { ...probe, state: 'probing', set: 'success' } as typeof probe;
  const text = (isRunning: boolean): string | undefined => runLine(set, ended, isRunning)[0]?.text;
  expect([text(true), text(false)]).toEqual(['started', 'not running']);
});

it.each([
  { isRunning: true, width: 17, text: '██▁ 2/3 → restart' },
  { isRunning: true, width: 16, text: '2/3 → restart' },
  { isRunning: false, width: 17, text: 'not running' },
])(
  'shows progress toward a threshold while the container runs ($isRunning), with bars where there is room ($width)',
  ({ isRunning, width, text }) => {
    const line = runLine(probe, forecast, isRunning, width);
    expect(line.map((each) => each.text).join('')).toBe(text);
  },
);
