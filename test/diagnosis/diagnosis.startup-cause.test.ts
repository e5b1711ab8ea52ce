import { expect, it } from 'vitest';

import { startupCause } from '../../src/diagnosis/diagnosis.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';

const startupProbe = buildProbe({ periodSeconds: 2, failureThreshold: 5 });
const object = buildPod({
  spec: { containers: [buildContainer({ name: 'app', startupProbe })] },
});
const container = fold(EMPTY_SUMMARY, podLine(object)).pods[0]!.containers[0]!;

it.each([
  ['a cause with a reason', { why: 'x', change: 'y' }, 'x; the startup budget is 10 s', 'y'],
  ['a cause without one', { why: '', change: 'y' }, 'the startup budget is 10 s', 'y'],
  [
    'no cause',
    undefined,
    'the startup budget is 10 s',
    'Raise startupProbe.failureThreshold if it needs longer to start',
  ],
])('adds the startup budget to %s', (_, cause, why, change) => {
  expect(startupCause(container, false, cause)).toEqual({ why, change });
});
