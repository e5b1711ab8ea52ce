import { expect, it } from 'vitest';
import { stringify } from 'yaml';

import { applyEdits } from '../../../../src/commands/lint/fix/text-edits.js';
import type { Diagnostic } from '../../../../src/manifest/diagnostic.js';
import { lint } from '../../../helpers/lint.js';
import { fc, RUNS_FACTOR } from '../../../helpers/property.js';

const MANIFESTS = 60;

const seconds = fc.constantFrom(1, 1, 2, 3, 5, 10, 15, 30, 60);
const handler = fc.oneof(
  fc.record({
    httpGet: fc.record(
      {
        port: fc.constantFrom<string | number>(8080, 8443, 443, 80, 'http', 'htpt', 9000),
        path: fc.constantFrom('/', '/healthz', '/ready', '/actuator/health', '/health/deep'),
        scheme: fc.constantFrom('HTTP', 'HTTPS'),
        host: fc.constantFrom('127.0.0.1', 'localhost'),
      },
      { requiredKeys: ['port'] },
    ),
  }),
  fc.record({
    tcpSocket: fc.record(
      { port: fc.constantFrom(8080, 5432, 9000), host: fc.constant('localhost') },
      { requiredKeys: ['port'] },
    ),
  }),
  fc.record({ grpc: fc.record({ port: fc.constantFrom(9000, 8080) }) }),
  fc.record({
    exec: fc.record({
      command: fc.constantFrom(
        ['cat', '/tmp/healthy'],
        ['curl', 'http://localhost:8080/healthz'],
        ['curl', '-f', 'localhost:8080/ready'],
        ['sh', '-c', 'wget -qO- http://127.0.0.1:8080/ || exit 1'],
        ['nc -z localhost 8080'],
        ['nc', '-z', 'localhost', '5432'],
        ['cat', '/tmp/a', '&&', 'cat', '/tmp/b'],
        ['python', '-c', 'import app; app.check()'],
        ['mysqladmin', 'ping'],
        ['grpc_health_probe', '-addr=:9000'],
        ['sh', '-c', 'pg_isready -U $USER'],
        ['node', 'health.js'],
      ),
    }),
  }),
);

const settings = fc.record(
  {
    periodSeconds: seconds,
    timeoutSeconds: seconds,
    failureThreshold: fc.constantFrom(1, 2, 3, 10, 60),
    initialDelaySeconds: fc.constantFrom(0, 5, 30, 120, 300),
  },
  { requiredKeys: [] },
);

const probe = fc.tuple(handler, settings).map(([how, when]) => ({ ...how, ...when }));
const deadly = fc
  .tuple(probe, fc.option(fc.constantFrom(1, 10, 60, 300), { nil: undefined, freq: 3 }))
  .map(([each, grace]) =>
    grace === undefined ? each : { ...each, terminationGracePeriodSeconds: grace },
  );

const container = fc.record(
  {
    name: fc.constant('app'),
    image: fc.constantFrom('registry.example/app:1.0', 'nginx', 'nginx:latest', 'postgres:16'),
    ports: fc.constantFrom(
      [{ name: 'http', containerPort: 8080 }],
      [
        { name: 'http', containerPort: 8080 },
        { name: 'https', containerPort: 8443 },
      ],
      [{ name: 'grpc', containerPort: 9000 }],
    ),
    livenessProbe: deadly,
    readinessProbe: probe,
    startupProbe: deadly,
    lifecycle: fc.constantFrom(
      { preStop: { exec: { command: ['sleep', '30'] } } },
      { preStop: { sleep: { seconds: 45 } } },
    ),
  },
  { requiredKeys: ['name', 'image'] },
);

const spec = fc.record(
  {
    containers: fc.tuple(container),
    terminationGracePeriodSeconds: fc.constantFrom(0, 5, 30, 60),
  },
  { requiredKeys: ['containers'] },
);

const metadata = { name: 'web', labels: { app: 'web' } };
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};
const manifest = fc
  .tuple(fc.constantFrom('Pod', 'Deployment'), spec, fc.boolean())
  .map(([kind, pod, isServed]) => {
    const template = { metadata: { labels: metadata.labels }, spec: pod };
    const object =
      kind === 'Pod'
        ? { apiVersion: 'v1', kind, metadata, spec: pod }
        : {
            apiVersion: 'apps/v1',
            kind,
            metadata,
            spec: { replicas: 2, selector: { matchLabels: metadata.labels }, template },
          };
    return [object, ...(isServed ? [service] : [])].map((each) => stringify(each)).join('---\n');
  });

/** Returns the findings of all rules, or of one. */
async function findings(text: string, rule?: string): Promise<readonly Diagnostic[]> {
  const [file] = await lint([{ file: 'web.yaml', text }], {
    level: ({ id, severity }) => (rule === undefined || rule === id ? severity : 'off'),
  });
  return file?.advice ?? [];
}

/** Returns the rules whose fixes leave their finding, with what they say before and after. */
async function remaining(text: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { rule, field, message, fix } of await findings(text)) {
    if (!fix) continue;
    const after = await findings(applyEdits(text, fix.edits), rule);
    const same = after.find((each) => each.field === field);
    if (same) left.push(`${rule} ${field}: ${message} → ${same.message}\n${fix.diff}`);
  }
  return left;
}

it('a fix ends its finding', async () => {
  const texts = fc.sample(manifest, MANIFESTS * RUNS_FACTOR);
  const left: string[] = [];
  for (const text of texts) left.push(...(await remaining(text)));
  expect(left).toEqual([]);
});
