import { constants } from 'node:os';

import { expect, it } from 'vitest';

import { exitCodeOf, signalNumber } from '../../src/process/processes.js';

it.each([
  [0, null, 0],
  [3, null, 3],
  [null, 'SIGKILL', 137],
  [null, 'SIGTERM', 143],
] as const)(
  'a process that ends with code %s and signal %s has the exit code %i',
  (code, signal, exitCode) => {
    expect(exitCodeOf(code, signal)).toBe(exitCode);
  },
);

it.each([
  ['SIGTERM', 15],
  ['SIGCLD', constants.signals.SIGCHLD],
  ['SIGRTMIN', 34],
  ['SIGRTMIN+15', 49],
  ['SIGRTMAX-14', 50],
])('the signal %s has the number %i', (name, number) => {
  expect(signalNumber(name)).toBe(number);
});
