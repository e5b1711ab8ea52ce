import { expect, it } from 'vitest';

import type { Io } from '../../../src/cli/shared/io.js';
import { onceInCluster } from '../../../src/commands/once/once-kube.js';
import type { OnceFlags } from '../../../src/commands/once/once-options.js';

it.each([
  [{ allowLocalExec: true }, '--allow-local-exec'],
  [{ allowHost: true }, '--allow-host'],
  [{ http: [':80'] }, '--http'],
])('with %o, names the option that --kube excludes as it is typed', (other, option) => {
  const flags = { kube: 'pod/web', ...other } as unknown as OnceFlags;
  const attempt = (): Promise<number> =>
    onceInCluster({ paths: [], flags, commandLine: undefined }, {} as Io, () => Promise.resolve(0));
  expect(attempt).toThrow(`--kube and ${option} cannot be combined: choose one`);
});
