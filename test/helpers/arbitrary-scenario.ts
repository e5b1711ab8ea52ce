import { loadScenarios } from '../../src/sim/load-scenarios.js';
import type { Scenario } from '../../src/sim/scenario.js';
import {
  between,
  container,
  init,
  regular,
  seldom,
  sidecar,
  type WrittenContainer,
} from './arbitrary-container.js';
import { fc } from './property.js';

/*
 * Scenarios as they are written, so that a counterexample can be given to `kprobe simulate`: one or two containers,
 * sidecars, init containers, hooks, runtime errors, image changes, deletion, deadlines, restart policies and rules.
 */

/** Relists fall on milliseconds that end in nine. */
const kubeletUp = between(0, 99).map((tens) => `${60_001 + tens * 10}ms`);

const pod = fc.record({
  restartPolicy: fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
  terminationGracePeriodSeconds: between(0, 10),
  activeDeadlineSeconds: seldom(between(10, 100)),
  containers: fc.tuple(regular('app'), fc.option(container('web'), { nil: undefined })),
  inits: fc.tuple(fc.option(init, { nil: undefined }), fc.option(sidecar, { nil: undefined })),
});

const there = (list: readonly (WrittenContainer | undefined)[]): readonly WrittenContainer[] =>
  list.filter((each) => each !== undefined);

/** The pod, with other images for some of its containers. */
const podOf = (
  { containers, inits, ...spec }: Readonly<typeof pod extends fc.Arbitrary<infer T> ? T : never>,
  images: Readonly<Record<string, string>> = {},
): object => {
  const specs = (list: readonly (WrittenContainer | undefined)[]): readonly object[] =>
    there(list).map((each) => ({
      ...each.spec,
      image: images[each.spec.name] ?? 'app:1',
    }));
  return {
    metadata: { name: 'web' },
    spec: { ...spec, containers: specs(containers), initContainers: specs(inits) },
  };
};

const change = fc.record({
  at: between(0, 10_000).map((tens) => tens * 10 + 7),
  images: fc.dictionary(fc.constantFrom('app', 'sidecar', 'init'), fc.constant('app:2'), {
    minKeys: 1,
    noNullPrototype: true,
  }),
});

/** A random scenario, as it is written; a pod is deleted after it has changed, never the other way round. */
export const arbitraryScenario: fc.Arbitrary<object> = fc
  .record({
    seconds: between(20, 150),
    kubeletUp,
    pod,
    change: seldom(change),
    deletion: seldom(between(1, 10_000)),
  })
  .map(({ seconds, kubeletUp: up, pod: spec, change: changed, deletion }) => ({
    name: 'random',
    until: `${seconds}s`,
    kubeletUp: up,
    pod: podOf(spec),
    containers: Object.fromEntries(
      there([...spec.containers, ...spec.inits]).map((each) => [
        each.spec.name,
        { runs: each.runs },
      ]),
    ),
    actions: [
      ...(changed === undefined
        ? []
        : [{ at: `${changed.at}ms`, do: 'update', pod: podOf(spec, changed.images) }]),
      ...(deletion === undefined
        ? []
        : [{ at: `${(changed?.at ?? 0) + deletion * 10 + 7}ms`, do: 'delete' }]),
    ],
  }));

export function readScenario(scenario: object): Scenario {
  const text = JSON.stringify(scenario);
  const { scenarios, diagnostics } = loadScenarios([{ file: 'random.json', text }]);
  const [first] = scenarios;
  if (first === undefined || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return first;
}
