import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import parse from 'parse-prometheus-text-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../helpers/free-port.js';
import { startHttpServer } from '../../helpers/http-server.js';
import { ended, kprobe, startKprobe } from '../../helpers/kprobe.js';

let folder: string;
let manifest: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kprobe-metrics-'));
  manifest = join(folder, 'pod.yaml');
  const probe = '{ httpGet: { port: 8080 }, periodSeconds: 1 }';
  const container = `{ name: app, image: x, livenessProbe: ${probe}, readinessProbe: ${probe} }`;
  writeFileSync(
    manifest,
    `{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [${container}] } }`,
  );
});

afterAll(() => rm(folder, { recursive: true }));

describe('kprobe run --metrics', () => {
  it("serves the kubelet's and kube-state-metrics' names, as a client library reads them", async () => {
    const server = await startHttpServer(200);
    const port = await freePort();
    const run = startKprobe([
      ...['run', manifest, '-p', `${server.port}:8080`, '--for', '150s'],
      ...['--metrics', `127.0.0.1:${port}`],
    ]);
    const address = `http://127.0.0.1:${port}/metrics`;
    let text = '';
    while (
      !/kube_pod_status_ready.*condition="true"} 1/.test(text) ||
      !/prober_probe_total.*Liveness/.test(text)
    ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      text = await fetch(address).then(
        (response) => response.text(),
        () => '',
      );
    }
    const families = new Map(parse(text).map((family) => [family.name, family]));
    expect(families.get('prober_probe_total')).toMatchObject({ type: 'COUNTER' });
    expect(families.get('prober_probe_total')?.metrics[0]?.labels).toEqual({
      ...{ probe_type: 'Readiness', result: 'successful', container: 'app' },
      ...{ pod: 'web', namespace: 'default', pod_uid: expect.any(String) as string },
    });
    const duration = families.get('prober_probe_duration_seconds')?.metrics[0];
    expect(Object.keys(duration?.buckets ?? {})).toHaveLength(12);
    expect(families.get('kube_pod_status_phase')?.metrics).toHaveLength(5);
    expect(families.get('kube_pod_container_status_restarts_total')?.metrics[0]?.value).toBe('0');
    run.kill('SIGTERM');
    expect((await ended(run)).code).toBe(143);
    await expect(fetch(address)).rejects.toThrow();
    await server.close();
  });

  it('refuses a port that is in use, and others than loopback addresses', async () => {
    const server = await startHttpServer(200);
    const used = await kprobe(['run', manifest, '--metrics', `127.0.0.1:${server.port}`]);
    expect(used.code).toBe(2);
    expect(used.stderr).toBe(`kprobe: --metrics 127.0.0.1:${server.port}: the address is in use\n`);
    await server.close();
    const open = await kprobe(['run', manifest, '--metrics', '0.0.0.0:9090']);
    expect(open.code).toBe(2);
    expect(open.stderr).toContain('Write a loopback address and a port');
  });
});
