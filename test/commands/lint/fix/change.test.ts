import { expect, it } from 'vitest';

import { longerPeriod } from '../../../../src/commands/lint/fix/change.js';
import { buildProbe } from '../../../helpers/builders.js';

const probe = buildProbe({ periodSeconds: 1, timeoutSeconds: 3, failureThreshold: 600 });

it('longerPeriod is twice the timeout', () => {
  expect(longerPeriod({ type: 'liveness', probe, path: 'a' })).toEqual([
    { path: 'a.periodSeconds', value: 6 },
  ]);
});

it('longerPeriod keeps the time that a startup probe allows', () => {
  expect(longerPeriod({ type: 'startup', probe, path: 'a' })).toEqual([
    { path: 'a.periodSeconds', value: 6 },
    { path: 'a.failureThreshold', value: 100 },
  ]);
});
