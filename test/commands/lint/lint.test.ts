import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';

import { describe, expect, it } from 'vitest';

import { fixSources, lintSources } from '../../../src/commands/lint/lint-sources.js';
import type { KubernetesRelease } from '../../../src/kubelet/release.js';
import { importCompose } from '../../../src/manifest/import/compose.js';
import { importedManifest } from '../../../src/manifest/import/imported-manifest.js';
import { lint } from '../../helpers/lint.js';

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

it("Spring's health of the process alone may take one second, and that of all dependencies more", async () => {
  const pod = (path: string): string => `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: app:1
    readinessProbe: {httpGet: {path: ${path}, port: 8080}, periodSeconds: 5}
`;
  const rules = async (path: string) =>
    (await lint([{ file: 'pod.yaml', text: pod(path) }]))[0]?.advice.map(({ rule }) => rule);
  expect(await rules('/actuator/health/readiness')).not.toContain('one-second-timeout');
  expect(await rules('/actuator/health')).toContain('one-second-timeout');
});

it('sixteen fixes of a long file take hardly longer than none', async () => {
  const data = Array.from({ length: 20_000 }, (_, line) => `  key-${line}: ${'x'.repeat(40)}\n`);
  const config = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: data}\ndata:\n${data.join('')}`;
  const pods = (port: string): string =>
    Array.from(
      { length: 16 },
      (_, index) => `---
apiVersion: v1
kind: Pod
metadata: {name: pod-${index}}
spec:
  containers:
  - name: app
    image: example.com/web:1.4
    ports: [{name: http, containerPort: 8080}]
    readinessProbe: {httpGet: {path: /readyz, port: ${port}}}
`,
    ).join('');
  const measure = async (port: string): Promise<{ fixes: number; seconds: number }> => {
    const before = cpuUsage();
    const [file] = await lint([{ file: 'all.yaml', text: config + pods(port) }]);
    const fixes = file?.advice.filter(({ fix }) => fix?.safe).length ?? 0;
    return { fixes, seconds: cpuUsage(before).user / 1e6 };
  };
  await measure('http');
  const [none, all] = [await measure('http'), await measure('htttp')];
  expect([none.fixes, all.fixes]).toEqual([0, 16]);
  expect(all.seconds).toBeLessThan(4 * none.seconds + 1);
});

it('each object of a stream of JSON has its fixes', async () => {
  const pod = (port: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        containers: [
          {
            name: 'app',
            image: 'web:1',
            ports: [{ name: 'http', containerPort: 80 }],
            readinessProbe: { httpGet: { port } },
          },
        ],
      },
    });
  const source = { file: 'pods.json', text: `${pod('htttp')}\n${pod('htpt')}\n` };
  const [fixed] = await fixSources([source], {});
  expect(fixed?.text).toBe(`${pod('http')}\n${pod('http')}\n`);
});

describe('an upgrade', () => {
  const pod = (comment = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - name: app
        image: example.com/web:1
        readinessProbe:${comment}
          httpGet: {port: 80, host: 10.0.0.1}
`;
  const upgraded = async (text: string, from: KubernetesRelease, to: KubernetesRelease) => {
    const [file] = await lint([{ file: 'a.yaml', text }], {
      kubelet: { version: from },
      upgrade: { from: { version: from }, to: { version: to } },
    });
    const found = (file?.advice ?? []).filter(({ rule }) => rule === 'upgrade');
    return found.map(({ severity, line, field, message }) => [
      severity,
      line,
      field,
      message.slice(0, 12),
    ]);
  };
  const template = 'spec.template.spec.containers[0]';

  it('is reported at each field that it concerns, with its release', async () => {
    expect(await upgraded(pod(), '1.33', '1.36')).toEqual([
      ['info', 8, 'spec.template.spec.restartPolicy', 'from 1.35 on'],
      ['info', 12, `${template}.readinessProbe`, 'from 1.35 on'],
      ['info', 13, `${template}.readinessProbe.httpGet.host`, 'from 1.34 on'],
    ]);
    expect(await upgraded(pod(), '1.35', '1.36')).toEqual([]);
  });

  it('is reported at a field that the API server drops until then', async () => {
    const text = pod().replace('        image:', '        restartPolicy: Never\n        image:');
    expect(await upgraded(text, '1.34', '1.35')).toContainEqual([
      'info',
      11,
      `${template}.restartPolicy`,
      'from 1.35 on',
    ]);
  });

  it('is reported at a field that the API server refuses until then', async () => {
    const text = pod().replace('        image:', '        restartPolicy: Never\n        image:');
    const found = await upgraded(text, '1.33', '1.35');
    expect(found.map(([, line]) => line)).toEqual([8, 11, 13, 14]);
  });

  it('is reported at the fields of a StatefulSet that change its rolling update', async () => {
    const strategy = 'updateStrategy: {rollingUpdate: {maxUnavailable: 2}}';
    const text = pod()
      .replace('Deployment', 'StatefulSet')
      .replace('spec:\n', `spec:\n  podManagementPolicy: Parallel\n  ${strategy}\n`);
    const found = await upgraded(text, '1.36', '1.37');
    expect(found).toEqual([
      ['info', 5, 'spec.podManagementPolicy', 'from 1.37 on'],
      ['info', 6, 'spec.updateStrategy.rollingUpdate.maxUnavailable', 'from 1.37 on'],
    ]);
  });

  it('is not reported where a comment ignores it', async () => {
    const found = await upgraded(pod(' # kprobe-ignore: upgrade'), '1.33', '1.36');
    expect(found.map(([, line]) => line)).toEqual([8]);
  });
});
