import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { describe, expect, test } from 'vitest';

import { decodeText } from '../../../src/manifest/documents/source-file.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';

const examples = new URL('../../../examples/', import.meta.url);
const corpus = new URL('../../fixtures/lint/corpus/', import.meta.url);
const files = [
  ...readdirSync(examples).map((name) => new URL(`${name}/pod.yaml`, examples)),
  ...readdirSync(corpus).map((name) => new URL(name, corpus)),
].filter((file) => file.pathname.endsWith('.yaml') && existsSync(file));

/** Invalid as published: a placeholder as name, or a missing name, image or selector. */
const WRONG = [
  '003-GoogleCloudPlatform-cloud-sql-proxy.yaml',
  '049-stackrox-kube-linter.yaml',
  '051-stackrox-kube-linter.yaml',
];

describe.each(files.map((url) => [basename(dirname(url.pathname)), basename(url.pathname), url]))(
  '%s/%s',
  (_, name, url) => {
    const load = (): ReturnType<typeof loadManifest> =>
      loadManifest([{ file: name, text: decodeText(readFileSync(url)) }]);

    test('gives pods, and errors only if it is listed as invalid', () => {
      const { pods, diagnostics } = load();
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(errors.length > 0).toBe(WRONG.includes(name));
      expect(pods.length > 0 || WRONG.includes(name)).toBe(true);
    });

    test('uses in its probes only port numbers or port names of the container', () => {
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
  },
);
