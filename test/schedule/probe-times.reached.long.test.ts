import { describe, it } from 'vitest';

import { probeTimes } from '../../src/schedule/probe-times.js';
import { backOffSteps } from '../../src/schedule/restarts.js';
import { startedTimes } from '../../src/schedule/start-times.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';
import { expectReached, killedAt, observe, type Phase, spread, statusAt } from './observe.js';

const probe = buildProbe({
  exec: { command: ['check'] },
  initialDelaySeconds: 5,
  periodSeconds: 4,
  timeoutSeconds: 2,
  failureThreshold: 2,
});
/** Age of the container at which the app changes, in milliseconds. */
const changeAt = ({ seed }: Phase): number => 60_000 + (seed % 8000);
const answer = (exit: number, takes = 1) => ({ takes, exit, stdout: '', stderr: '' });

describe('both ends of the predicted time occur', () => {
  it('for a start', async () => {
    const seen = await spread(async (phase) => {
      const slow = phase.seed % 2 === 0 ? 1 : 1999;
      const exec = { check: [answer(0, slow)] };
      const observed = await observe({ startupProbe: probe }, { exec }, phase, 30);
      const started = statusAt(observed, (app) => app.started === true);
      return started === undefined ? undefined : started - observed.start;
    });
    expectReached(seen, startedTimes(buildContainer({ startupProbe: probe })));
  });

  it.each(['liveness', 'readiness'] as const)('for failures noticed by %s', async (type) => {
    const seen = await spread(async (phase) => {
      const at = changeAt(phase);
      const exec = { check: [{ ...answer(0), until: at }, answer(1)] };
      const observed = await observe({ [`${type}Probe`]: probe }, { exec }, phase, 100);
      const began = observed.start + at / 1000;
      const found =
        type === 'liveness' ? killedAt(observed) : statusAt(observed, (app) => !app.ready, began);
      return found === undefined ? undefined : found - began;
    });
    expectReached(seen, probeTimes(probe).failsFast);
  });

  it('for a hang', async () => {
    const seen = await spread(async (phase) => {
      const usual = phase.seed % 2 === 0 ? 1 : 1999;
      const at = changeAt(phase);
      const behaviors = {
        'exec check': {
          latency: { from: usual, to: usual },
          hangsAt: [{ from: at, to: Infinity }],
        },
      };
      const observed = await observe({ livenessProbe: probe }, { behaviors }, phase, 100);
      const killed = killedAt(observed);
      return killed === undefined ? undefined : killed - observed.start - at / 1000;
    }, 300);
    expectReached(seen, probeTimes(probe).hangs);
  });

  it('for a container that never starts', async () => {
    const seen = await spread(async (phase) => {
      const exec = { check: [answer(1, phase.seed % 2 === 0 ? 1 : 1e9)] };
      const observed = await observe({ startupProbe: probe }, { exec }, phase, 60);
      const killed = killedAt(observed);
      return killed === undefined ? undefined : killed - observed.start;
    });
    expectReached(seen, probeTimes(probe).neverSucceeds);
  });

  it.each([0, 1, 2, 3])('for back-off %i', async (index) => {
    const seen = await spread(async (phase) => {
      const { lines } = await observe({}, { exitAfter: 200 + (phase.seed % 1000) }, phase, 150);
      const times = (kind: string): number[] =>
        lines.flatMap((line) =>
          line.kind === kind && 'container' in line && line.container === 'app' ? line.t : [],
        );
      const start = times('started')[index + 1];
      const exit = times('exited')[index];
      return start === undefined || exit === undefined ? undefined : start - exit;
    }, 200);
    expectReached(seen, backOffSteps()[index]!.exited.span);
  });
});
