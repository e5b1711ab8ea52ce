import { expect, it } from 'vitest';

import type { Result } from '../../../src/kubelet/event.js';
import { ProberMetrics } from '../../../src/kubelet/prober/prober-metrics.js';
import { newWorker, type Worker } from '../../../src/kubelet/prober/worker.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

function workerOf(name: string): Worker {
  return newWorker('liveness', buildPod(), buildContainer({ name }), buildProbe());
}

it.each<[Result, object]>([
  ['success', { successful: 2, failed: 0, unknown: 0, durationCount: 2, durationSum: 0.75 }],
  ['unknown', { successful: 0, failed: 0, unknown: 2, durationCount: 2, durationSum: 0.75 }],
  ['failure', { successful: 0, failed: 2, unknown: 0, durationCount: 0, durationSum: 0 }],
])('%s is counted; failures without their duration', (result, counters) => {
  const metrics = new ProberMetrics();
  metrics.observe(workerOf('app'), result, 250);
  metrics.observe(workerOf('app'), result, 500);
  const about = { pod: 'default/web', container: 'app', probeType: 'liveness' };
  expect(metrics.all()).toEqual([{ ...about, ...counters }]);
});

it('a worker that ends takes its counters, and no others, with it', () => {
  const metrics = new ProberMetrics();
  metrics.observe(workerOf('app'), 'success', 1);
  metrics.observe(workerOf('other'), 'success', 1);
  metrics.forget(workerOf('app'));
  expect(metrics.all().map(({ container }) => container)).toEqual(['other']);
});
