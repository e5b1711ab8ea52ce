import { expect, it } from 'vitest';

import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { NO_PATH } from '../../../src/diagnosis/trials.js';
import { findingText } from '../../../src/diagnosis/words.js';
import type { RunView } from '../../../src/trace/summary/container-view.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import type { TrialView } from '../../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const KILLED = { run: 0, killed: 'Container app failed liveness probe', endedAt: 4 } as const;
const REAL = { ...KILLED, killReason: 'LivenessProbe' } as const satisfies RunView;
const SIMULATED = { ...REAL, simulated: true } as const satisfies RunView;
const DIALED = { address: '', timings: { total: 1, connect: 1 } };
const LONGER = { run: 0, field: 'livenessProbe.timeoutSeconds', to: 10 } as const;
const PASSED = { ...LONGER, result: 'success', word: '200 after 2.5 s', latency: 2500 } as const;

/** The cause and the change where an attempt of liveness runs into its timeout in the second run. */
function textOf(before: RunView, trials: readonly TrialView[] = []) {
  const { exec: _, ...spec } = buildProbe({ timeoutSeconds: 1 });
  const livenessProbe = { ...spec, httpGet: { path: '/', port: 80 } };
  const pod = buildPod({ spec: { containers: [buildContainer({ livenessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const attempt = buildAttempt({ result: 'failure', reason: 'timeout', detail: DIALED, run: 1 });
  const probe = { ...container!.probes[0]!, attempts: [attempt], trials };
  const view = { ...container!, runs: [before, { run: 1 }], probes: [probe] };
  return findingText(attemptFault({ container: view, probe }, attempt));
}

it('names both cures where liveness killed a run before a longer attempt could end', () => {
  expect(textOf(REAL)).toContain(
    'Raise livenessProbe.timeoutSeconds if all answers take that long, or add a startupProbe if the first do: --restart simulated shows which',
  );
});

it('does not point to a simulated restart where restarts are simulated', () => {
  expect(textOf(SIMULATED)).toContain('Add a startupProbe if it needs longer to start');
});

it('remembers what it has tried with a process that a simulated restart leaves', () => {
  expect(textOf(SIMULATED, [PASSED])).toContain('(tried: 200 after 2.5 s)');
});

it('forgets what it has tried with a process that has ended', () => {
  expect(textOf(REAL, [PASSED])).not.toContain('tried');
});

it('names the longer timeout that was tried, not the path', () => {
  const failed = { run: 1, result: 'failure', word: 'timeout', latency: 10_000 } as const;
  const path = { ...failed, field: 'livenessProbe.httpGet.path', to: NO_PATH.to } as const;
  expect(textOf(REAL, [path])).not.toContain('nor within');
  expect(textOf(REAL, [{ ...LONGER, ...failed }, path])).toContain('nor within 10 s');
});
