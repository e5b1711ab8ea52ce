import fc from 'fast-check';

import { loadScenarios } from '../../src/sim/load-scenarios.js';
import type { Scenario } from '../../src/sim/scenario.js';

/*
 * Scenarios as they are written, so that a counterexample can be given to `kprobe simulate`. Times are odd
 * milliseconds: what a script does falls on no tick and on no relist.
 */

const between = (min: number, max: number) => fc.integer({ min, max });
const milliseconds = (max: number) =>
  between(0, Math.floor(max / 10)).map((tens) => `${tens * 10 + 7}ms`);

const answer = fc.record(
  { takes: milliseconds(3000), exit: fc.constantFrom(0, 0, 0, 1), stdout: fc.constant('not yet') },
  { requiredKeys: [] },
);
const error = fc.constant({ error: 'runtime failed' });
const step = fc.oneof({ weight: 9, arbitrary: answer }, { weight: 1, arbitrary: error });

/** Stretches of answers; the last one stands for good. */
const answers = fc
  .array(fc.tuple(between(50, 3000), step), { minLength: 1, maxLength: 4 })
  .map((stretches) => {
    let at = 0;
    return stretches.map(([tens, each], index) => {
      at += tens * 10 + 3;
      return index === stretches.length - 1 ? each : { ...each, until: `${at}ms` };
    });
  });

const PROBES = ['startup', 'readiness', 'liveness'] as const;

const probe = fc.record(
  {
    periodSeconds: between(1, 10),
    timeoutSeconds: between(1, 3),
    failureThreshold: between(1, 4),
    initialDelaySeconds: between(1, 10),
  },
  { requiredKeys: ['periodSeconds'] },
);

const run = fc.record(
  {
    exitAfter: milliseconds(40_000),
    exitCode: between(0, 2),
    stopTakes: milliseconds(8000),
    startError: fc.constant('cannot start'),
    startup: answers,
    readiness: answers,
    liveness: answers,
  },
  { requiredKeys: ['startup', 'readiness', 'liveness'] },
);

interface Written {
  readonly spec: { readonly name: string };
  readonly runs: readonly object[];
}

/** A container and its script; commands are named after the container and the probe: `app-liveness`. */
const container = (name: string): fc.Arbitrary<Written> =>
  fc
    .tuple(
      fc.record({ startup: probe, readiness: probe, liveness: probe }, { requiredKeys: [] }),
      fc.array(run, { minLength: 1, maxLength: 3 }),
    )
    .map(([probes, runs]) => ({
      spec: {
        name,
        image: 'app:1',
        ...Object.fromEntries(
          Object.entries(probes).map(([type, spec]) => [
            `${type}Probe`,
            { ...spec, exec: { command: [`${name}-${type}`] } },
          ]),
        ),
      },
      runs: runs.map(({ startup, readiness, liveness, ...rest }) => {
        const all = { startup, readiness, liveness };
        const exec = Object.fromEntries(PROBES.map((type) => [`${name}-${type}`, all[type]]));
        return { ...rest, exec };
      }),
    }));

const sidecar = container('sidecar').map(({ spec, runs }) => ({
  spec: { ...spec, restartPolicy: 'Always' },
  runs,
}));
const init = milliseconds(5000).map((exitAfter) => ({
  spec: { name: 'init', image: 'app:1' },
  runs: [{ exitAfter, exitCode: 0 }],
}));

const written = fc
  .record({
    seconds: between(20, 150),
    restartPolicy: fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
    grace: between(1, 10),
    containers: fc.tuple(container('app'), fc.option(container('web'), { nil: undefined })),
    inits: fc.tuple(fc.option(init, { nil: undefined }), fc.option(sidecar, { nil: undefined })),
    deleteAt: fc.option(milliseconds(100_000), { nil: undefined }),
  })
  .map(({ seconds, restartPolicy, grace, containers, inits, deleteAt }) => {
    const [regular, initial] = [containers, inits].map((list) =>
      list.filter((each) => each !== undefined),
    ) as [Written[], Written[]];
    return {
      name: 'random',
      until: `${seconds}s`,
      kubeletUp: '60.37s',
      pod: {
        metadata: { name: 'web' },
        spec: {
          restartPolicy,
          terminationGracePeriodSeconds: grace,
          containers: regular.map(({ spec }) => spec),
          initContainers: initial.map(({ spec }) => spec),
        },
      },
      containers: Object.fromEntries(
        [...regular, ...initial].map(({ spec, runs }) => [spec.name, { runs }]),
      ),
      actions: deleteAt === undefined ? [] : [{ at: deleteAt, do: 'delete' }],
    };
  });

/** A random scenario, as it is written. */
export const arbitraryScenario: fc.Arbitrary<object> = written;

export function readScenario(scenario: object): Scenario {
  const text = JSON.stringify(scenario);
  const { scenarios, diagnostics } = loadScenarios([{ file: 'random.json', text }]);
  const [first] = scenarios;
  if (first === undefined || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return first;
}
