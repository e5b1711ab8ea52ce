import { expect, it } from 'vitest';

import { HEALTHCHECK_DEFAULTS } from '../../../src/manifest/import/healthcheck.js';
import { importedManifest } from '../../../src/manifest/import/imported-manifest.js';

it('a startup probe whose timeout is longer than its period tells the linter so', () => {
  const healthcheck = { ...HEALTHCHECK_DEFAULTS, test: ['CMD', 'ok'], startPeriod: 3000 };
  const text = importedManifest([{ name: 'web', image: 'web', ports: [], healthcheck }]);
  expect(text).toMatch(/^ +# kprobe-ignore: timeout-exceeds-period\n +startupProbe:$/m);
});

it('containers whose names are one name in Kubernetes become pods of different names', () => {
  const named = (name: string) => ({ name, image: 'web', ports: [] });
  const long = 'x'.repeat(70);
  const text = importedManifest(
    ['my_app', 'my-app', 'My.App', 'my-app-2', long, `${long}y`].map(named),
  );
  expect(text.match(/(?<=metadata:\n +name: ).*/g)).toEqual([
    'my-app',
    'my-app-2',
    'my-app-3',
    'my-app-2-2',
    'x'.repeat(63),
    `${'x'.repeat(61)}-2`,
  ]);
  expect(text).toContain('# named my-app-2, since my_app is named my-app\n');
});
