import { fc } from './property.js';

/*
 * Containers as they are written in a scenario. Times are odd milliseconds: what a script does falls on no tick and on
 * no relist.
 */

export const between = (min: number, max: number) => fc.integer({ min, max });
export const milliseconds = (max: number) =>
  between(0, Math.floor(max / 10)).map((tens) => `${tens * 10 + 7}ms`);
/** Nothing more often than not, so that most scenarios are about few things. */
export const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined, freq: 3 });

/** A container and its script; commands are named after the container and what they are: `app-liveness`. */
export interface WrittenContainer {
  readonly spec: { readonly name: string };
  readonly runs: readonly object[];
}

const end = { takes: milliseconds(3000), exit: fc.constantFrom(0, 0, 0, 1) };
const answer = fc.record({ ...end, stdout: fc.constant('not yet') }, { requiredKeys: [] });
const error = fc.constant({ error: 'runtime failed' });
const hang = fc.constant({ takes: '60007ms' });

/** Stretches of answers; the last one stands for good. */
const stretches = (step: fc.Arbitrary<object>) =>
  fc.array(fc.tuple(between(50, 3000), step), { minLength: 1, maxLength: 4 }).map((list) => {
    let at = 0;
    return list.map(([tens, each], index) => {
      at += tens * 10 + 3;
      return index === list.length - 1 ? each : { ...each, until: `${at}ms` };
    });
  });
const mostly = (good: fc.Arbitrary<object>) =>
  stretches(
    fc.oneof(
      { weight: 17, arbitrary: good },
      { weight: 2, arbitrary: error },
      { weight: 1, arbitrary: hang },
    ),
  );
const answers = mostly(answer);
/** A trace does not show what a hook wrote. */
const hookAnswers = mostly(fc.record(end, { requiredKeys: [] }));

const PROBES = ['startup', 'readiness', 'liveness'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

const probe = fc.record(
  {
    periodSeconds: between(1, 10),
    timeoutSeconds: between(1, 3),
    failureThreshold: between(1, 4),
    initialDelaySeconds: between(1, 10),
  },
  { requiredKeys: ['periodSeconds'] },
);
const deadlyProbe = fc
  .tuple(probe, seldom(between(1, 10)))
  .map(([spec, terminationGracePeriodSeconds]) => ({ ...spec, terminationGracePeriodSeconds }));
const probes = fc.record(
  { startup: deadlyProbe, readiness: probe, liveness: deadlyProbe },
  { requiredKeys: [] },
);

const EXEC = 'exec';
const hooks = fc.record(
  {
    postStart: fc.constant(EXEC),
    preStop: fc.oneof(fc.constant(EXEC), between(1, 9)),
  },
  { requiredKeys: [] },
);

const run = fc.record(
  {
    exitAfter: milliseconds(40_000),
    exitCode: between(0, 3),
    stopTakes: milliseconds(8000),
    stopExitCode: fc.constantFrom(0, 143),
    startError: seldom(fc.constant('cannot start')),
    startup: answers,
    readiness: answers,
    liveness: answers,
    postStart: hookAnswers,
    preStop: hookAnswers,
  },
  { requiredKeys: [...PROBES, ...HOOKS] },
);

const commandOf = (name: string, what: string) => ({ exec: { command: [`${name}-${what}`] } });

function lifecycleOf(name: string, written: Readonly<Record<string, string | number>>): object {
  return Object.fromEntries(
    Object.entries(written).map(([hook, how]) => [
      hook,
      how === EXEC ? commandOf(name, hook) : { sleep: { seconds: how } },
    ]),
  );
}

/** A container with probes and hooks, and up to three runs of it. */
export const container = (name: string): fc.Arbitrary<WrittenContainer> =>
  fc
    .tuple(probes, seldom(hooks), fc.array(run, { minLength: 1, maxLength: 3 }))
    .map(([probed, hooked, runs]) => ({
      spec: {
        name,
        image: 'app:1',
        ...Object.fromEntries(
          Object.entries(probed).map(([type, spec]) => [
            `${type}Probe`,
            { ...spec, ...commandOf(name, type) },
          ]),
        ),
        ...(hooked && { lifecycle: lifecycleOf(name, hooked) }),
      },
      runs: runs.map(({ startup, readiness, liveness, postStart, preStop, ...rest }) => {
        const all = { startup, readiness, liveness, postStart, preStop };
        const commands = [...PROBES, ...HOOKS].map((what) => [`${name}-${what}`, all[what]]);
        return { ...rest, exec: Object.fromEntries(commands) as object };
      }),
    }));

const rule = fc.record({
  action: fc.constantFrom('Restart', 'RestartAllContainers'),
  exitCodes: fc.record({
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(between(0, 3), { minLength: 1, maxLength: 2 }),
  }),
});

/** A restart policy of the container's own, and rules about its exit codes. */
const ownPolicy = fc.record(
  {
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
    restartPolicyRules: fc.array(rule, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['restartPolicy'] },
);

/** A container of which the pod's restart policy may not be all that is to be said. */
export const regular = (name: string): fc.Arbitrary<WrittenContainer> =>
  fc
    .tuple(container(name), seldom(ownPolicy))
    .map(([{ spec, runs }, policy]) => ({ spec: { ...spec, ...policy }, runs }));

export const sidecar = container('sidecar').map(({ spec, runs }) => ({
  spec: { ...spec, restartPolicy: 'Always' },
  runs,
}));

const initRun = fc.record({
  exitAfter: milliseconds(5000),
  exitCode: fc.constantFrom(0, 0, 1),
});

/** An init container that may fail first, or for good. */
export const init = fc
  .array(initRun, { minLength: 1, maxLength: 3 })
  .map((runs) => ({ spec: { name: 'init', image: 'app:1' }, runs }));
