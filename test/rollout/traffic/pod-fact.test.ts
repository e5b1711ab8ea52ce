import { expect, it } from 'vitest';

import type { ApiPod, Service } from '../../../src/rollout/controllers/objects.js';
import { FactRecorder } from '../../../src/rollout/traffic/pod-fact.js';
import type { ScriptedContainer } from '../../../src/sim/scripted-container.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

const containers = [
  buildContainer({ name: 'proxy' }),
  buildContainer({ name: 'app', ports: [{ containerPort: 8080, protocol: 'TCP' }] }),
];
const template = buildPod();
const pod = {
  ...template,
  kind: 'Pod',
  metadata: { ...template.metadata, uid: 'uid-1', labels: { 'pod-template-hash': '5d' } },
  spec: { ...template.spec, containers },
} as unknown as ApiPod;
const terminating = {
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: 9000, deletionGracePeriodSeconds: 7 },
} as unknown as ApiPod;

it('records each fact of a pod once, with its time since the begin', () => {
  const recorder = new FactRecorder();
  recorder.onBegin(1000);
  recorder.onChange({ kind: 'object', object: pod }, 0);
  const requests = { closedUntil: { from: 5, to: 5 }, latency: { from: 9, to: 9 } };
  for (const container of containers) {
    recorder.onStart(
      { config: { pod, container }, requests } as unknown as ScriptedContainer,
      1000,
    );
  }
  recorder.onChange({ kind: 'object', object: terminating }, 9000);
  recorder.onChange({ kind: 'object', object: terminating }, 9500);
  const of = { pod: 'default/web', run: 0 };
  recorder.onEvent(pod, { ...of, kind: 'stop', container: 'proxy', gracePeriod: 7 }, 9000);
  recorder.onEvent(pod, { ...of, kind: 'stop', container: 'app', gracePeriod: 7 }, 9000);
  recorder.onEvent(pod, { ...of, kind: 'exited', container: 'app', exitCode: 137 }, 16_000);
  recorder.onChange({ kind: 'gone', object: terminating }, 16_000);
  expect(recorder.facts()).toEqual([
    { at: 0, pod: 'uid-1', kind: 'started', behavior: { closedUntil: { from: 5, to: 5 } } },
    { at: 8000, pod: 'uid-1', kind: 'deleted', gracePeriodSeconds: 7 },
    { at: 8000, pod: 'uid-1', kind: 'term' },
    { at: 15_000, pod: 'uid-1', kind: 'ended', killed: true },
  ]);
});

it('takes the endpoints of the first Service', () => {
  const recorder = new FactRecorder();
  const service = (uid: string) => ({ metadata: { uid } }) as unknown as Service;
  const endpoint = { ready: true, serving: true, terminating: false };
  for (const uid of ['a', 'b']) {
    recorder.onChange({ kind: 'endpoint', service: service(uid), pod, endpoint }, 1000);
  }
  recorder.onChange({ kind: 'endpoint', service: service('a'), pod }, 2000);
  expect(recorder.facts()).toEqual([
    {
      at: 1000,
      pod: 'uid-1',
      kind: 'endpoint',
      conditions: { ready: true, serving: true, terminating: false },
    },
    { at: 2000, pod: 'uid-1', kind: 'endpoint' },
  ]);
});
