import { expect, it } from 'vitest';

import { toByteString } from '../../src/go/byte-string.js';
import { punycodeHostPort } from '../../src/go/punycode.js';

it.each([
  ['example.com:80', 'example.com:80'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--BCHER-2pa.example'],
  ['bücher.example:8080', 'xn--bcher-kva.example:8080'],
  ['日本語.jp', 'xn--wgv71a119e.jp'],
  ['é', 'xn--9ca'],
  ['.é', '.xn--9ca'],
])('writes the host %j in ASCII', (host, ascii) => {
  expect(punycodeHostPort(toByteString(host))).toBe(ascii);
});
