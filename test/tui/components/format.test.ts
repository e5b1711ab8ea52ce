import { expect, it } from 'vitest';

import { newPodSummary } from '../../../src/trace/summary/fold.js';
import { runLine } from '../../../src/tui/components/format.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const pod = buildPod({ spec: { containers: [buildContainer({ startupProbe: buildProbe({}) })] } });
const probe = newPodSummary('default/web', pod, 0).containers[0]!.probes[0]!;
const turn = { to: 'failure', needed: 1, threshold: 3, earliest: undefined } as const;
const forecast = { nextAttempt: undefined, current: 'unknown', pending: [turn] } as const;

it.each([
  [true, '██▁ 2/3 → restart'],
  [false, 'not running'],
])('shows progress toward a threshold while the container runs: %s', (isRunning, text) => {
  expect(
    runLine(probe, forecast, isRunning)
      .map(({ text: each }) => each)
      .join(''),
  ).toBe(text);
});
