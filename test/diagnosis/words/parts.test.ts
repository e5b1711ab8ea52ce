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

it('leaves out what gRPC puts before a reason, and keeps the name that a certificate lacks', () => {
  const reason = `x509: certificate is valid for ${'results.'.repeat(8)}local, not localhost`;
  const text = shortened(
    `connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: ${reason}"`,
  );
  expect(text).toMatch(/^x509: certificate is valid for results.*…, not localhost"$/);
});
