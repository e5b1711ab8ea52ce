import { expect, it } from 'vitest';

import type { PodSpec } from '../../src/api/index.js';
import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { diagnosisText } from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';

const inPod = { pod: 'default/web' };
const server = buildContainer({ name: 'app', readinessProbe: buildProbe() });
const job = buildContainer({ name: 'job' });

function diagnosesAt(seconds: number, spec: Partial<PodSpec>) {
  const lines: readonly TraceLine[] = [
    podLine(buildPod({ spec: { restartPolicy: 'Never', ...spec } })),
    { t: 1, kind: 'started', ...inPod, container: 'app', run: 0 },
    { t: 1, kind: 'started', ...inPod, container: 'job', run: 0 },
    { t: 2, kind: 'exited', ...inPod, container: 'job', run: 0, exitCode: 0 },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  return diagnosePod(pods[0]!, seconds).map(diagnosisText);
}

it('a container that has finished beside a server is why its pod is not ready', () => {
  expect(diagnosesAt(8, { containers: [server, job] })).toEqual([
    'job exited 1 × (exit 0): its command ended with success, and nothing restarts it: a pod is not ready while one of its containers has ended. Make it an init container, or run a command that does not end',
  ]);
});

it('a sidecar that ends with success is told what a sidecar does', () => {
  const sidecar = { ...job, restartPolicy: 'Always' } as const;
  expect(diagnosesAt(3, { initContainers: [sidecar], containers: [server] })).toEqual([
    expect.stringMatching(
      /^job exited 1 × .*Run a command that does not end, or remove its restartPolicy: Always if it has to end before the others$/,
    ),
  ]);
});

it.each([
  ['an init container', { initContainers: [job], containers: [server] }],
  ['one beside a container without readinessProbe', { containers: [buildContainer(), job] }],
])('%s that has finished has no diagnosis', (_, spec) => {
  expect(diagnosesAt(8, spec)).toEqual([]);
});
