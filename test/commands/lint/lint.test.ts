import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { lint } from '../../../src/commands/lint/lint.js';
import { lintSources } from '../../../src/commands/lint/lint-sources.js';
import { importCompose } from '../../../src/manifest/import/compose.js';
import { importedManifest } from '../../../src/manifest/import/healthcheck.js';

const FIXTURES = new URL('../../fixtures/lint/', import.meta.url);

async function findings(file: string): Promise<readonly string[]> {
  const [linted] = await lintSources(
    [{ file, text: readFileSync(new URL(file, FIXTURES), 'utf8') }],
    {},
  );
  return (linted?.diagnostics ?? []).map(({ rule, message }) => `${rule}: ${message}`);
}

describe('pods as in public charts', () => {
  it('are reported with the program that a script runs, not with an assignment', async () => {
    expect(await findings('mysql.yaml')).toEqual([
      'one-second-timeout: allows one second for a command started in the container (mysqladmin)',
    ]);
  });

  it('need no readiness probe as a Helm test or behind Services without readiness routing', async () => {
    const found = await findings('services.yaml');
    expect(found.filter((each) => each.startsWith('no-readiness-probe'))).toEqual([]);
  });

  it('may use the default service account', async () => {
    expect(await findings('token.yaml')).toEqual([]);
  });
});

it.each([
  'interval: 30s',
  'interval: 10s, timeout: 5s, retries: 5',
  'interval: 10s, timeout: 10s, retries: 5, start_period: 30s',
  'interval: 5s, start_period: 60s',
  'interval: 30s, timeout: 30s, retries: 3, start_period: 10s',
])('the probes that import makes from %s have no findings', async (health) => {
  const text = `services:\n  app:\n    image: app:1\n    healthcheck: {test: [CMD, pg_isready], ${health}}\n`;
  const { containers } = importCompose({ file: 'compose.yaml', text });
  const [file] = await lint([{ file: 'app.yaml', text: importedManifest(containers) }]);
  expect(file?.advice).toEqual([]);
});
