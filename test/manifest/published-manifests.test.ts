import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { decodeText } from '../../src/manifest/decode-text.js';
import { loadManifest } from '../../src/manifest/load-manifest.js';

/** Other people's manifests, which are not ours to copy. */
const directory = new URL('../../../shared/manifests/', import.meta.url);
const files = existsSync(directory) ? readdirSync(directory).sort() : [];

/** Wrong as published: a placeholder for a name, a workload without a name, ones without image or selector. */
const WRONG = [
  '003-GoogleCloudPlatform-cloud-sql-proxy.yaml',
  '049-stackrox-kube-linter.yaml',
  '051-stackrox-kube-linter.yaml',
];

if (files.length === 0) test.skip('published manifests: ../shared is not there', () => undefined);

describe.each(files)('%s', (file) => {
  const load = (): ReturnType<typeof loadManifest> =>
    loadManifest([{ file, text: decodeText(readFileSync(new URL(file, directory))) }]);

  test.runIf(!WRONG.includes(file))('gives pods and no error', () => {
    const { pods, diagnostics } = load();
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(pods.length).toBeGreaterThan(0);
  });

  test('has a number or a port of its container in every probe', () => {
    for (const { pod } of load().pods) {
      for (const container of [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]) {
        const { livenessProbe, readinessProbe, startupProbe, ports = [] } = container;
        for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
          const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
          if (typeof port !== 'string') continue;
          expect(ports.map(({ name }) => name)).toContain(port);
        }
      }
    }
  });

  test('is read in less than a second', () => {
    const before = performance.now();
    load();
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
