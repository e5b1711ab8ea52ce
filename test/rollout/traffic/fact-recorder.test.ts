import { expect, it } from 'vitest';

import type { ApiPod } from '../../../src/rollout/controllers/objects.js';
import { FactRecorder } from '../../../src/rollout/traffic/fact-recorder.js';
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

it('records each fact of a pod once, with its time', () => {
  let now = 0;
  const recorder = new FactRecorder(() => now);
  recorder.onChange({ kind: 'object', object: pod });
  recorder.onChange({ kind: 'object', object: pod });
  now = 1000;
  const requests = { closedUntil: { from: 5, to: 5 } };
  for (const container of containers) {
    recorder.onStart({ config: { pod, container }, requests } as unknown as ScriptedContainer);
  }
  now = 9000;
  recorder.onChange({ kind: 'object', object: terminating });
  recorder.onChange({ kind: 'object', object: terminating });
  const of = { pod: 'default/web', run: 0 };
  recorder.onEvent(pod, { ...of, kind: 'stop', container: 'proxy', gracePeriod: 7 });
  recorder.onEvent(pod, { ...of, kind: 'stop', container: 'app', gracePeriod: 7 });
  now = 16_000;
  recorder.onEvent(pod, { ...of, kind: 'exited', container: 'app', exitCode: 137 });
  recorder.onChange({ kind: 'gone', object: terminating });
  const name = pod.metadata.name;
  expect(recorder.facts).toEqual([
    { at: 0, pod: 'uid-1', kind: 'created', name, revision: '5d' },
    { at: 1000, pod: 'uid-1', kind: 'started', behaviour: requests },
    { at: 9000, pod: 'uid-1', kind: 'deleted', gracePeriodSeconds: 7 },
    { at: 9000, pod: 'uid-1', kind: 'term' },
    { at: 16_000, pod: 'uid-1', kind: 'ended', killed: true },
    { at: 16_000, pod: 'uid-1', kind: 'gone' },
  ]);
});
