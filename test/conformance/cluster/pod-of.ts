import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import type { Scenario } from '../../../src/sim/scenario.js';
import type { Part } from '../../container/behaviors.js';
import type { Behavior } from './behaviors.js';

/** Returns the manifest of a behavior's pod, on the network of its node. */
export function podOf({ name, spec, containers, initContainers = [] }: Behavior) {
  const container = ({ name, script, fields }: Part) => ({
    name,
    image: 'local/box:1',
    imagePullPolicy: 'Never',
    command: ['sh', '-c', script],
    ...fields,
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      hostNetwork: true,
      automountServiceAccountToken: false,
      ...spec,
      containers: containers.map(container),
      ...(initContainers.length === 0 ? {} : { initContainers: initContainers.map(container) }),
    },
  };
}

/** Returns the scenarios that script what the pods of these behaviors do. */
export function scenariosOf(behaviors: readonly Behavior[]): readonly Scenario[] {
  const written = behaviors.map((behavior) => {
    const { name, until, deleteAt, containers, initContainers = [] } = behavior;
    const { metadata, spec } = podOf(behavior);
    return {
      name,
      until: `${until}s`,
      pod: { metadata, spec },
      containers: Object.fromEntries(
        [...containers, ...initContainers].map(({ name, runs }) => [name, { runs }]),
      ),
      actions: deleteAt === undefined ? [] : [{ at: `${deleteAt}s`, do: 'delete' }],
    };
  });
  const { scenarios, diagnostics } = loadScenarios([
    { file: 'behaviors.json', text: JSON.stringify(written) },
  ]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors, undefined, 2));
  return scenarios;
}
