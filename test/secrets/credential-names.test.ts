import { describe, expect, it } from 'vitest';

import { isCredential, isCredentialName, isVagueName } from '../../src/secrets/credential-names.js';

describe('isCredentialName', () => {
  it.each([
    ['Authorization', true],
    ['Proxy-Authorization', true],
    ['Cookie', true],
    ['X-Api-Key', true],
    ['DB_PASSWORD', true],
    ['GITHUB_TOKEN', true],
    ['client-secret', true],
    ['LOG_LEVEL', false],
    ['Host', false],
    ['PORT', false],
  ])('tells of %s: %s', (name, isCredential) => {
    expect(isCredentialName(name)).toBe(isCredential);
  });
});

describe('isCredential', () => {
  it.each([
    ['DB_PASSWORD', '$DB_PASS', false],
    ['DB_PASSWORD', '${DB_PASS:-}', false],
    ['DB_PASSWORD', '$ecret', true],
    ['AUTH_TOKEN_HEADER', 'X-Auth-Token', false],
    ['CONNECTION_STRING', 'postgresql://${USER}:${PASSWORD}@db:5432/app', false],
    ['CONNECTION_STRING', 'postgresql://me:hunter2@db:5432/app', true],
    ['LICENSE_KEY_SECRET', 'newrelic-license', false],
    ['ACCESS_KEY_SECRET', 'k7Lq2VnRt', true],
    ['EXISTING_SECRET', 'postgres-credentials', false],
    ['nginx.ingress.kubernetes.io/auth-tls-secret', 'default/client-ca', false],
    ['checksum/secret', '1f8ac10f23c5b5bc1167bda84b833e5c', false],
    ['HASH_KEY', 'tenant_id', false],
    ['NEXT_PUBLIC_HELP_KEY', 'f1c9b2d4-77aa-4b0e', false],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ', false],
    ['CLIENT_PASSWORDS', 'hunter2,hunter3', true],
    ['INFLUXDB_ADMIN_TOKEN', 'hunter2', true],
    ['ORANGE_KEY', 'hunter2', true],
    ['ETCD_AUTH_TOKEN', 'simple', false],
    ['PUSHER_APP_KEY', 'hunter2', false],
    ['token', 'NUMBER', false],
    ['token', 'letters', true],
    ['SFTP_USERS', 'me:hunter2:1001', true],
    ['RUN_AS_USER', '1000:1000', false],
    ['RUN_AS_USER', 'node:node', false],
    ['SUPER_USERS', 'User:ANONYMOUS', false],
    ['PASSCODE', 'hunter2', true],
    ['APP_KEYS', 'k7Lq2VnRt,p9Xw3Tz', true],
    ['SAVED_ENCRYPTIONKEY', 'k7Lq2VnRt', true],
    ['ROOT_PASSWORD_SHA2', '8c6976e5b541', true],
    ['WALLET_MNEMONIC', 'legal winner thank', true],
    ['RECAPTCHA_SITE_KEY', '6LdQ3xMUAAAAAHb8Zk1n8Xw3', false],
    ['REDIS_KEY', 'sessions', false],
    ['REDIS_KEY', 'Zk8Qw3nT9aLx2Vb7', true],
    ['S3_KEY', 'uploads/avatars', false],
    ['USERS', 'alice|password', true],
    ['redis.passWord', '123456', true],
    ['imagePullSecrets', 'regcred', false],
    ['GPG_KEY', 'A035C8C19219BA821ECEA86B64E628F8D684696D', false],
    ['UPLOAD_KEY', 'backups/2026/db.tar.gz', false],
  ])('of %s=%s is %s', (name, value, expected) => {
    expect(isCredential(name, value)).toBe(expected);
  });
});

it.each([
  ['topologyKey', true],
  ['imagePullSecrets', true],
  ['basic-auth', true],
  ['API_KEY', false],
  ['DB_PASSWORD', false],
])('isVagueName of %s is %s', (name, isVague) => {
  expect(isVagueName(name)).toBe(isVague);
});

it('a name of many digits is read in time', () => {
  // In exponential time this would take longer than a test may.
  expect(isCredentialName(`${'1'.repeat(80)}e`)).toBe(false);
});
