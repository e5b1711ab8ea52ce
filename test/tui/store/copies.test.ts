import { expect, it } from 'vitest';

import type { Proof } from '../../../src/diagnosis/change.js';
import type { Diagnosis } from '../../../src/diagnosis/fault.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import { copiesOf } from '../../../src/tui/store/copies.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

function foundProbe() {
  const { exec: _, ...spec } = buildProbe({ tcpSocket: { port: 'db' } });
  const containers = [buildContainer({ name: 'app', livenessProbe: spec })];
  const pod = newPodSummary('default/web', buildPod({ spec: { containers } }), 0);
  const [container] = pod.containers;
  const [probe] = container?.probes ?? [];
  if (container === undefined || probe === undefined) throw new Error('no probe');
  return { pod, container, probe };
}

const trouble = (
  container: string,
  field: string,
  proof: Proof = { kind: 'tried', result: '200' },
): Diagnosis => ({
  subject: { pod: 'default/web', container },
  symptom: { kind: 'failing', probe: 'liveness', kills: 0 },
  ...{ fault: { kind: 'unknown' }, certainty: 'proven', evidence: [], urgency: 'killing' },
  changes: [{ kind: 'field', field, to: 3, proof }],
});

it('the change that helps a probe is copied as a patch of the pod', () => {
  const copies = copiesOf(foundProbe(), [trouble('app', 'livenessProbe.tcpSocket.port')]);
  expect(copies.at(-1)).toEqual({
    name: 'the patch',
    text: 'spec:\n  containers:\n  - name: app\n    livenessProbe:\n      tcpSocket:\n        port: 3\n',
  });
});

it('the change that helps a sidecar is copied as a patch of the init containers', () => {
  const found = foundProbe();
  const container = { ...found.container, role: 'sidecar' } as const;
  const copies = copiesOf({ ...found, container }, [trouble('app', 'livenessProbe.periodSeconds')]);
  expect(copies.at(-1)?.text).toMatch(/^spec:\n {2}initContainers:\n/);
});

it('an HTTPS probe is copied as kprobe once --https', () => {
  const found = foundProbe();
  const { exec: _, ...spec } = buildProbe({
    httpGet: { scheme: 'HTTPS', port: 8443, path: '/ok' },
  });
  const container = { ...found.container, spec: { ...found.container.spec, livenessProbe: spec } };
  const [, once] = copiesOf({ ...found, container }, []);
  expect(once?.text).toBe('kprobe once -m 1s --https https://127.0.0.1:8443/ok');
});

it.each([
  ['another probe', trouble('app', 'readinessProbe.timeoutSeconds')],
  ['a guess', trouble('app', 'livenessProbe.timeoutSeconds', { kind: 'none' })],
  ['another container', trouble('side', 'livenessProbe.timeoutSeconds')],
])('the change that helps %s is not', (_, one) => {
  expect(copiesOf(foundProbe(), [one]).map(({ name }) => name)).toEqual(['kprobe once']);
});
