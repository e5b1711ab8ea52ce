import { expect, test } from 'vitest';

import { cronScheduleError } from '../../../../src/api/validation/workloads/cron-job.js';

test.each([
  '* * * * *',
  '*/5 0-6 1,15 JAN-mar ?',
  '@daily',
  '@every 5m',
  '0 3 * * sun',
  '5/10 * * * *',
])('%s is a valid schedule', (schedule) => {
  expect(cronScheduleError(schedule)).toBeUndefined();
});

test.each([
  ['every hour', 'expected exactly 5 fields, found 2: [every hour]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['* * * FOO *', 'failed to parse int from FOO: strconv.Atoi: parsing "FOO": invalid syntax'],
  ['@often', 'unrecognized descriptor: @often'],
])('%s is an invalid schedule', (schedule, error) => {
  expect(cronScheduleError(schedule)).toBe(error);
});
