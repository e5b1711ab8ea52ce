import { expect, it } from 'vitest';

import { shortened } from '../../../src/diagnosis/words/parts.js';

it('keeps the exception that another one wraps', () => {
  const outer = 'CannotGetJdbcConnectionException: Failed to obtain JDBC Connection';
  const inner = 'java.net.ConnectException: Connection refused';
  expect(shortened(`${outer}; nested exception is ${inner}`)).toBe(inner);
});
