import { describe, expect, it } from 'vitest';

import type { Container, Pod } from '../../src/api/index.js';
import { explainPod } from '../../src/schedule/explain-pod.js';
import type { Span } from '../../src/schedule/probe-times.js';
import { DEFAULT_RUN, type ScriptedRun } from '../../src/sim/scenario.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import {
  expectReached,
  observe,
  type Observed,
  type Phase,
  phases,
  podOf,
  probes,
  spread,
  within,
} from './observe.js';

const SIDECAR = { restartPolicy: 'Always' } as const;
const answer = (takes: number) => ({ takes, exit: 0, stdout: '', stderr: '' });

/** The predicted time of a container's first start. */
function startOf(pod: Pod, container: string): Span {
  const { containers } = explainPod(pod, new Set());
  const { life = [] } = containers.find(({ name }) => name === container) ?? {};
  return life.find(({ topic }) => topic === 'start')!.span;
}

function first({ lines }: Observed, kind: 'started' | 'exited', container: string): number {
  return lines.find((line) => line.kind === kind && line.container === container)?.t ?? Number.NaN;
}

describe('a container that waits for a sidecar', () => {
  const after = async (sidecar: Partial<Container>, script: Partial<ScriptedRun>, phase: Phase) => {
    const seen = await observe(sidecar, script, phase, 100);
    return first(seen, 'started', 'main') - seen.start;
  };

  it('starts within the predicted time, with any probes of the sidecar', () =>
    fc.assert(
      fc.asyncProperty(
        fc.option(probes('startup'), { nil: undefined }),
        fc.option(probes('fails'), { nil: undefined }),
        phases,
        fc.double({ min: 0, max: 0.95, noNaN: true }),
        async (startupProbe, readinessProbe, phase, share) => {
          const takes = Math.max(1, share * (startupProbe?.timeoutSeconds ?? 0) * 1000);
          const exec = { startup: [answer(takes)], fails: [{ ...answer(5), exit: 1 }] };
          const sidecar = {
            ...SIDECAR,
            ...(startupProbe && { startupProbe }),
            ...(readinessProbe && { readinessProbe }),
          };
          const bounds = startOf(podOf(sidecar), 'main');
          expect(within(await after(sidecar, { exec }, phase), 0, bounds)).toBe(true);
        },
      ),
      { numRuns: 40 * RUNS_FACTOR },
    ));

  const startupProbe = buildProbe({
    initialDelaySeconds: 5,
    periodSeconds: 4,
    timeoutSeconds: 2,
  });

  it.each([
    ['no startup probe', SIDECAR],
    ['a startup probe', { ...SIDECAR, startupProbe }],
  ])('with %s can start at both ends of the predicted time', async (_, sidecar) => {
    const seen = await spread((phase) => {
      const exec = { check: [answer(phase.seed % 2 === 0 ? 1 : 1999)] };
      return after(sidecar, { exec }, phase);
    }, 400);
    expectReached(seen, startOf(podOf(sidecar), 'main'));
  });
});

describe('a container that waits for an init container', () => {
  it('starts within the predicted time, and at both ends of it', async () => {
    const seen = await spread(async (phase) => {
      const observed = await observe({}, { startTakes: 1 }, phase, 40);
      return observed.start - first(observed, 'exited', 'init');
    });
    const bounds = startOf(podOf({}), 'app');
    expect(within(seen.from, 0, bounds)).toBe(true);
    expect(within(seen.to, 0, bounds)).toBe(true);
    expectReached(seen, bounds);
  });
});

describe('a container after one with a postStart hook', () => {
  it('starts when the hook has ended', async () => {
    const hook = { postStart: { exec: { command: ['hook'] } } };
    const pod = buildPod({
      spec: { containers: [buildContainer({ lifecycle: hook }), buildContainer({ name: 'next' })] },
    });
    const containers = { app: [{ ...DEFAULT_RUN, exec: { hook: [answer(7000)] } }] };
    const phase = { initTakes: 1, relist: 0, startTakes: 1, seed: 1 };
    const seen = await observe({}, {}, phase, 40, { pod, containers });
    expect(startOf(pod, 'next')).toEqual({ from: 0, to: 0 });
    expect(within(first(seen, 'started', 'next'), seen.start + 7, { from: 0, to: 0 })).toBe(true);
  });
});
