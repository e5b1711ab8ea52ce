import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { KnownSecrets, maskObject } from '../../src/secrets/known-secrets.js';

interface Block {
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  /** The variables that carry a credential, as a person has judged. */
  readonly secret: readonly string[];
}

/** Environments of public manifests and compose files. */
const BLOCKS = readFileSync(new URL('../fixtures/env-blocks.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Block);

it('masks the credentials of 200 real environments, and little else', () => {
  expect(BLOCKS.length).toBeGreaterThanOrEqual(200);
  const missed: string[] = [];
  const needless: string[] = [];
  let found = 0;
  for (const { image, env, secret } of BLOCKS) {
    const list = Object.entries(env).map(([name, value]) => ({ name, value }));
    const masked = maskObject({ containers: [{ image, env: list }] }, new KnownSecrets());
    for (const [index, { name, value }] of list.entries()) {
      const isMasked = masked.containers[0]?.env[index]?.value !== value;
      if (isMasked && secret.includes(name)) found++;
      else if (isMasked) needless.push(`${name}=${value}`);
      else if (secret.includes(name)) missed.push(`${name}=${value}`);
    }
  }
  const [recall, precision] = [missed, needless].map((wrong) => found / (found + wrong.length));
  expect({ missed, needless, recall, precision }).toMatchObject({
    recall: expect.toSatisfy((share: number) => share >= 0.98) as unknown,
    precision: expect.toSatisfy((share: number) => share >= 0.98) as unknown,
  });
});
