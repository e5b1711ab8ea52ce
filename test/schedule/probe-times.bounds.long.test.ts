import { describe, expect, it } from 'vitest';

import { probeTimes, type Span, syncTimes } from '../../src/schedule/probe-times.js';
import { readyTimes, startedTimes } from '../../src/schedule/start-times.js';
import { buildContainer } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import { killedAt, observe, phases, probes, roles, statusAt, within } from './observe.js';

const RUNS = { numRuns: 60 * RUNS_FACTOR };

const ALWAYS_FAILS = { exec: { startup: [{ takes: 5, exit: 1, stdout: '', stderr: '' }] } };
const HANGS = { exec: { startup: [{ takes: 1e9, exit: 0, stdout: '', stderr: '' }] } };

/** Duration of an answer as a share of the probe's timeout. */
const share = fc.double({ min: 0, max: 0.95, noNaN: true });

describe('with any probe in any phase', () => {
  it('a container that answers in time is started within the predicted time', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        probes('startup'),
        phases,
        share,
        async (role, startupProbe, phase, slow) => {
          const takes = Math.max(1, slow * startupProbe.timeoutSeconds * 1000);
          const exec = { startup: [{ takes, exit: 0, stdout: '', stderr: '' }] };
          const seen = await observe({ ...role, startupProbe }, { exec }, phase, 100);
          const started = statusAt(seen, (app) => app.started === true);
          expect(within(started, seen.start, startedTimes(buildContainer({ startupProbe })))).toBe(
            true,
          );
        },
      ),
      RUNS,
    ));

  it.each([
    ['fails at once', ALWAYS_FAILS],
    ['never answers', HANGS],
  ])('a container that %s is killed by its startup probe within the predicted time', (_, script) =>
    fc.assert(
      fc.asyncProperty(roles, probes('startup'), phases, async (role, startupProbe, phase) => {
        const seen = await observe({ ...role, startupProbe }, script, phase, 200);
        const { neverSucceeds } = probeTimes(startupProbe);
        expect(within(killedAt(seen), seen.start, syncTimes(neverSucceeds))).toBe(true);
      }),
      RUNS,
    ),
  );

  it('a container is ready within the predicted time', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        fc.option(probes('startup'), { nil: undefined }),
        fc.option(probes('ready', 4), { nil: undefined }),
        phases,
        share,
        async (role, startupProbe, readinessProbe, phase, slow) => {
          const takes = Math.max(1, slow * (readinessProbe?.timeoutSeconds ?? 0) * 1000);
          const exec = { ready: [{ takes, exit: 0, stdout: '', stderr: '' }] };
          const container = {
            ...role,
            ...(startupProbe && { startupProbe }),
            ...(readinessProbe && { readinessProbe }),
          };
          const seen = await observe(container, { exec }, phase, 250);
          const ready = statusAt(seen, (app) => app.ready);
          expect(within(ready, seen.start, readyTimes(buildContainer(container)))).toBe(true);
        },
      ),
      RUNS,
    ));
});

/** A kill waits for a sync; unreadiness is reported at once. */
function acted(type: string, span: Span): Span {
  return type === 'liveness' ? syncTimes(span) : span;
}

/** Age of the container in milliseconds at which the app changes, after everything has settled. */
const changes = fc.integer({ min: 120_000, max: 150_000 });

describe('an app that is up and then', () => {
  it.each(['liveness', 'readiness'] as const)(
    'fails is noticed by %s within the predicted time',
    (type) =>
      fc.assert(
        fc.asyncProperty(
          roles,
          probes('check'),
          phases,
          changes,
          async (role, probe, phase, at) => {
            const exec = {
              check: [
                { until: at, takes: 5, exit: 0, stdout: '', stderr: '' },
                { takes: 5, exit: 1, stdout: '', stderr: '' },
              ],
            };
            const seen = await observe({ ...role, [`${type}Probe`]: probe }, { exec }, phase, 280);
            const began = seen.start + at / 1000;
            const found =
              type === 'liveness' ? killedAt(seen) : statusAt(seen, (app) => !app.ready, began);
            expect(within(found, began, acted(type, probeTimes(probe).failsFast))).toBe(true);
          },
        ),
        RUNS,
      ),
  );

  it.each(['liveness', 'readiness'] as const)(
    'hangs is noticed by %s within the predicted time',
    (type) =>
      fc.assert(
        fc.asyncProperty(
          roles,
          probes('check'),
          phases,
          changes,
          share,
          async (role, probe, phase, at, slow) => {
            // Until then, answers took less than a period.
            const usual = Math.min(probe.timeoutSeconds, probe.periodSeconds) * 1000 * slow;
            const latency = { from: Math.max(1, usual), to: Math.max(1, usual) };
            const behaviors = {
              'exec check': { latency, hangsAt: [{ from: at, to: Infinity }] },
            };
            const seen = await observe(
              { ...role, [`${type}Probe`]: probe },
              { behaviors },
              phase,
              350,
            );
            const began = seen.start + at / 1000;
            const found =
              type === 'liveness' ? killedAt(seen) : statusAt(seen, (app) => !app.ready, began);
            expect(within(found, began, acted(type, probeTimes(probe).hangs))).toBe(true);
          },
        ),
        RUNS,
      ),
  );

  it('fails and recovers is ready again within the predicted time', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        probes('check', 5),
        phases,
        changes,
        async (role, probe, phase, at) => {
          const again = at + 200_000;
          const exec = {
            check: [
              { until: at, takes: 5, exit: 0, stdout: '', stderr: '' },
              { until: again, takes: 5, exit: 1, stdout: '', stderr: '' },
              { takes: 5, exit: 0, stdout: '', stderr: '' },
            ],
          };
          const seen = await observe({ ...role, readinessProbe: probe }, { exec }, phase, 480);
          const began = seen.start + again / 1000;
          const found = statusAt(seen, (app) => app.ready, began);
          expect(within(found, began, probeTimes(probe).recovers)).toBe(true);
        },
      ),
      RUNS,
    ));
});
