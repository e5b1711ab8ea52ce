import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { decodePod } from '../../src/cluster/observe/decode-objects.js';
import { podCells } from '../../src/report/pod-cells.js';
import { ROOT } from '../helpers/kprobe.js';

interface PrintedPod {
  /** What printPod of Kubernetes v1.36.3 prints: READY, STATUS, RESTARTS. */
  readonly cells: readonly string[];
  readonly pod: object;
}

const PODS = readFileSync(join(ROOT, 'test/fixtures/printed-pods.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((row) => JSON.parse(row) as PrintedPod);

it.each(PODS)('has the cells of kubectl get pods: $cells, $pod', ({ cells, pod }) => {
  const { pod: object, status } = decodePod(pod);
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  const { ready, containers, ...shown } = podCells({
    object,
    status,
    ...(isDeleted && { deletedAt: 0 }),
  });
  expect([`${ready}/${containers}`, shown.status, `${shown.restarts}`]).toEqual(cells);
});

it('calls a pod without a status Pending', () => {
  const { pod: object } = decodePod({ spec: { containers: [{ name: 'app' }] } });
  expect(podCells({ object, status: undefined })).toMatchObject({ status: 'Pending', ready: 0 });
});
