import { expect, it } from 'vitest';

import { longerPeriod } from '../../../src/lint/fix/change.js';
import { buildProbe } from '../../helpers/builders.js';

const probe = buildProbe({ periodSeconds: 1, timeoutSeconds: 3, failureThreshold: 600 });

it('is twice the timeout', () => {
  expect(longerPeriod({ type: 'liveness', probe, path: 'a' })).toEqual([
    { path: 'a.periodSeconds', value: 6 },
  ]);
});

it('leaves a start the time that it had', () => {
  expect(longerPeriod({ type: 'startup', probe, path: 'a' })).toEqual([
    { path: 'a.periodSeconds', value: 6 },
    { path: 'a.failureThreshold', value: 100 },
  ]);
});
