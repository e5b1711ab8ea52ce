import { expect, it } from 'vitest';

import { shortened } from '../../../src/diagnosis/words/parts.js';

it('keeps the exception that another one wraps', () => {
  const outer = 'CannotGetJdbcConnectionException: Failed to obtain JDBC Connection';
  const inner = 'java.net.ConnectException: Connection refused';
  expect(shortened(`${outer}; nested exception is ${inner}`)).toBe(inner);
});

it.each([
  ['dial tcp 10.96.0.1:443: i/o timeout', ': '],
  ['dial unix /run/spire/agent.sock: connect: no such file or directory', '"'],
])('keeps the end of a long text that names what was dialed: %s', (end, before) => {
  const text = shortened(
    `Failed to fetch the identity ${'of this workload '.repeat(5)}${before}${end}`,
  );
  expect(text.endsWith(`…${before}${end}`)).toBe(true);
  expect(text.length).toBeLessThanOrEqual(81);
});
