import { expect, it } from 'vitest';

import { KnownSecrets } from '../../src/secrets/known-secrets.js';

function known(name: string, value: string, shown = ''): KnownSecrets {
  const secrets = new KnownSecrets();
  secrets.addVariable(name, value, shown);
  return secrets;
}

it.each([
  ['whole', 'a1-b2-c3', 'got a1-b2-c3.', 'got ***.'],
  ['in JSON', 'a1"b2c3', '{"x":"a1\\"b2c3"}', '{"x":"***"}'],
  ['in a URL', 'a1 b2 c3', '/?q=a1%20b2%20c3', '/?q=***'],
  ['as base64', 'a1-b2-c3', 'YTEtYjItYzM=', '***'],
  ['a password in a URL', 'http://me:hunter22@host', 'not hunter22', 'not ***'],
])('masks a value %s', (_, value, text, masked) => {
  expect(known('VALUE', value).text(text)).toBe(masked);
});

it.each([['production'], ['8080'], ['127.0.0.1'], ['127.0.0.1:8080'], ['true']])(
  'leaves %s in texts, but not beside its variable',
  (value) => {
    const secrets = known('VALUE', value);
    expect(secrets.text(`it is ${value}`)).toBe(`it is ${value}`);
    expect(secrets.text(`VALUE=${value}`)).toBe('VALUE=***');
  },
);

it('leaves what the pod shows elsewhere, unless its name says that it is secret', () => {
  expect(known('NAME', 'web-0', '{"name":"web-0-a"}').text('web-0')).toBe('web-0');
  expect(known('PASSWORD', 'web-01', '{"name":"web-01"}').text('web-01')).toBe('***');
});

it('masks the lines of a value with several', () => {
  const key = `-----BEGIN X-----\nMIIabcdefghijk\nxyz\n-----END X-----`;
  expect(known('CERTIFICATE', key).text('line MIIabcdefghijk of xyz')).toBe('line *** of xyz');
});

it('masks bytes', () => {
  const bytes = new TextEncoder().encode('is a1-b2-c3');
  expect(new TextDecoder().decode(known('A', 'a1-b2-c3').bytes(bytes))).toBe('is ***');
});
