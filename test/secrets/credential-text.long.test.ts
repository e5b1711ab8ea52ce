import { describe, expect, it } from 'vitest';

import { maskCommandLine } from '../../src/secrets/credential-text.js';

describe('maskCommandLine', () => {
  it.each([
    ...[
      '$2a$',
      'a:1:',
      'SCRAM-SHA-1$1:',
      'password\t',
      'a',
      '-',
      'a.',
      'token',
      '"',
      'x://',
      'Bearer ',
      'eyJaaaaa-',
      'mysql ',
      '-a',
    ],
    ...['users=a:', 'a_token=$(', 'aB', 'DB_PASSWORD is ', '{a: ', '-u ab:cde '],
    ...[
      'mongo -p',
      'sqlcmd ',
      '-H a:',
      'token: a',
      'vault login ',
      "'token':'",
      "'",
      '-H ',
      '-a-header ',
    ],
    ...['PASS a', 'AUTH ', '(password', '{"d":"', 'eyJaaaaa.a\n', 'echo a ', 'curl -b a=', 'a:b@'],
    ...['htpasswd -b ', 'mc alias set ', 'ENV token ', '["token",', 'openssl -', 'SET PASSWORD '],
    ...['Private-Lines: 1 ', 'IDENTIFIED BY ', 'eyJaaaaa..', '"kty"{"d":"', 'VALUES ('],
  ])('takes time in proportion to the length of %s repeated to 1 MiB', (part) => {
    // In quadratic time this would take longer than a test may.
    const text = part.repeat(Math.floor((1 << 20) / part.length));
    expect(maskCommandLine(text).length).toBeLessThanOrEqual(text.length + 3);
  });
});
