import { expect, it } from 'vitest';

import { KnownSecrets } from '../../src/secrets/known-secrets.js';

function known(name: string, value: string, ...shown: readonly string[]): KnownSecrets {
  const secrets = new KnownSecrets();
  secrets.addShown(shown);
  secrets.addVariable(name, value);
  return secrets;
}

/** Longer than a regular expression may be. */
const LONG = 'a1b2c3d4'.repeat(25_000);

const wrapped = (text: string): string => text.replaceAll(/.{76}/g, '$&\n');

it.each([
  ['whole', 'a1-b2-c3', 'got a1-b2-c3.', 'got ***.'],
  ['in JSON', 'a1"b2c3', '{"x":"a1\\"b2c3"}', '{"x":"***"}'],
  ['in a URL', 'a1 b2 c3', '/?q=a1%20b2%20c3', '/?q=***'],
  ['as base64', 'a1-b2-c3', 'YTEtYjItYzM=', '***'],
  ['as base64 with a line feed', 'a1-b2-c3', 'is YTEtYjItYzMK.', 'is ***.'],
  ['as base64 after a user', 'a1-b2-c3', `x=${btoa('me:a1-b2-c3')}`, 'x=***'],
  ['as base64 between others', 'a1-b2-c3', btoa('{"p":"a1-b2-c3","q":[1]}'), '***'],
  ['as base64 of URLs', 'a?>b?>c', 'YT8-Yj8-Yw', '***'],
  [
    'as base64 in wrapped lines',
    'a1-'.repeat(40),
    wrapped(btoa('a1-'.repeat(40))),
    '***\n***\n***',
  ],
  ['in JSON of Go', 'a1&b2<c3', String.raw`{"x":"a1\u0026b2\u003cc3"}`, '{"x":"***"}'],
  ['in JSON of Python', 'a1äb2c3', String.raw`{"x": "a1\u00e4b2c3"}`, '{"x": "***"}'],
  ['in JSON of PHP', 'a1/b2/é', String.raw`{"x":"a1\/b2\/\u00e9"}`, '{"x":"***"}'],
  ['in hexadecimal', 'a1-b2-c3', '61312d62322d6333', '***'],
  ['in capital hexadecimal', 'a1-b2/j3', '61312D62322F6A33', '***'],
  ['as a Buffer of Node', 'a1-b2-c3', '<Buffer 61 31 2d 62 32 2d 63 33>', '<Buffer ***>'],
  ['as bytes of Go', 'a1-b2-c3', '[97 49 45 98 50 45 99 51]', '[***]'],
  ['as bytes in JSON', 'a1-b2-c3', '[97,49,45,98,50,45,99,51]', '[***]'],
  ['in a URL in a URL', 'a1/b2&c3', 'a1%252Fb2%2526c3', '***'],
  ['in SQL and YAML', "a1'b2c3", "'a1''b2c3'", "'***'"],
  ['in CSV', 'a1"b2c3', '"a1""b2c3"', '"***"'],
  ['in HTML with plain quotes', `a1&b"2'c3`, `a1&amp;b"2'c3`, '***'],
  ['in XML of Go', `a1&b"2'c3`, 'a1&amp;b&#34;2&#39;c3', '***'],
  ['in JSON in JSON', 'a1"b2c3', JSON.stringify(JSON.stringify('a1"b2c3')), String.raw`"\"***\""`],
  ['in a form', "a1 b2'c3!", 'q=a1+b2%27c3%21', 'q=***'],
  ['in a URL of Go', 'a1(b2)c3', '/?q=a1%28b2%29c3', '/?q=***'],
  ['in a URL with small digits', 'a1/b2?c3', '/?q=a1%2fb2%3fc3', '/?q=***'],
  ['in a path', 'a1/b2 c3', '/a1/b2%20c3', '/***'],
  ['in the password of a URL', 'a1$b2/c3', 'of me:a1$b2%2Fc3', 'of me:***'],
  ['in HTML', `a1<b2"c3'`, '<p>a1&lt;b2&quot;c3&#39;</p>', '<p>***</p>'],
  ['in JSON of Gson', `a1=b2'c3`, String.raw`{"x":"a1\u003db2\u0027c3"}`, '{"x":"***"}'],
  ['in JSON of .NET', 'a1+b"2éc3', String.raw`{"x":"a1\u002Bb\u00222\u00E9c3"}`, '{"x":"***"}'],
  ['as bytes of Rust', 'a1-b2-c3', '[97, 49, 45, 98, 50, 45, 99, 51]', '[***]'],
  ['quoted by Python for a shell', `a1'b2c3`, `'a1'"'"'b2c3'`, `'***'`],
  ['in HTML of Python', `a1<b2"c3'`, 'a1&lt;b2&quot;c3&#x27;', '***'],
  ['in HTML of PHP', `a1<b2"c3'`, 'a1&lt;b2&quot;c3&#039;', '***'],
  ['in HTML of .NET', `a1<b2+c3'`, 'a1&lt;b2&#x2B;c3&#x27;', '***'],
  ['in HTML of Handlebars', `a1<b2=c3'`, 'a1&lt;b2&#x3D;c3&#x27;', '***'],
  ['in HTML of Mustache', `a1<b2/c3'`, 'a1&lt;b2&#x2F;c3&#39;', '***'],
  ['in XML', `a1<b2"c3'`, 'a1&lt;b2&quot;c3&apos;', '***'],
  ['in XML in numbers', `a1<b2"c3'`, 'a1&#60;b2&#34;c3&#39;', '***'],
  ['in XML in hexadecimal numbers', `a1<b2"c3'`, 'a1&#x3C;b2&#x22;c3&#x27;', '***'],
  ['in properties of Java', 'a1=b2:c3#d', String.raw`x=a1\=b2\:c3\#d`, 'x=***'],
  ['in a trace of a shell', 'a1&b2"c3$d', String.raw`x=a1\&b2\"c3\$d`, 'x=***'],
  ['in a shell', `a1'b2c3`, String.raw`x='a1'\''b2c3'`, `x='***'`],
  ['of 200,000 characters', LONG, `got ${LONG}.`, 'got ***.'],
  ['of 200,000 characters as base64', LONG, `got ${btoa(LONG)}.`, 'got ***.'],
  ['in which a pattern ends', 'a1&b2=c3', 'Password=a1&b2=c3;x=1', 'Password=***;x=1'],
  ['a password in a URL', 'http://me:hunter22@host', 'not hunter22', 'not ***'],
])('masks a value %s', (_, value, text, masked) => {
  expect(known('PASSWORD', value).text(text)).toBe(masked);
});

it.each([
  ['LOG', 'orders-service v1.2.3-rc4 in eu-west-1'],
  ['MESSAGE', 'connection refused'],
  ['SECRET_PORT', '3000'],
  ['JWT_PUBLIC_KEY', 'MIIBIjANBgkq'],
  ['TOKEN_FILE', '/run/secrets/token'],
  ['DB_PASSWORD', '/run/secrets/db-password'],
  ['SECURE_COOKIE', 'true'],
])('leaves what %s says', (name, value) => {
  expect(known(name, value).text(`${name}=${value}`)).toBe(`${name}=${value}`);
});

it.each(['password', 'postgres', 'connection'])(
  'leaves the word "%s" in texts, but not beside the variable whose value it is',
  (value) => {
    const secrets = known('DB_PASSWORD', value);
    const message = 'superuser password is not specified for postgres: connection refused';
    expect(secrets.text(message)).toBe(message);
    expect(secrets.text(`DB_PASSWORD=${value}`)).toBe('DB_PASSWORD=***');
  },
);

it('leaves a value that the pod shows as another field, but not beside its variable', () => {
  const secrets = known('DB_PASSWORD', 'orders-db', 'orders-db');
  expect(secrets.text('opens orders-db')).toBe('opens orders-db');
  expect(secrets.text('DB_PASSWORD=orders-db')).toBe('DB_PASSWORD=***');
});

it('leaves such a value also after a process has printed it beside a name', () => {
  const secrets = known('DB_NAME', 'orders-db', 'orders-db');
  expect(secrets.text('DB_PASSWORD=orders-db')).toBe('DB_PASSWORD=***');
  expect(secrets.text('opens orders-db')).toBe('opens orders-db');
});

it('masks a password that is the name of its user in the URL alone', () => {
  const secrets = new KnownSecrets();
  const url = 'postgres://shop:shop12@db/shop';
  expect(secrets.text(`${url} shop12`)).toBe('postgres://***@db/shop ***');
  const known = new KnownSecrets();
  expect(known.text('postgres://orders:orders@db/orders http://orders.example')).toBe(
    'postgres://***@db/orders http://orders.example',
  );
});

it('masks the lines of a value with several', () => {
  const key = `-----BEGIN X-----\nMIIabcdefghijk\nxyz\n-----END X-----`;
  expect(known('SIGNING_KEY', key).text('line MIIabcdefghijk of xyz')).toBe('line *** of xyz');
});

it('masks bytes', () => {
  const bytes = new TextEncoder().encode('is a1-b2-c3');
  expect(new TextDecoder().decode(known('TOKEN', 'a1-b2-c3').bytes(bytes))).toBe('is ***');
});
