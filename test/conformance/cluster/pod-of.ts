import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import type { Scenario } from '../../../src/sim/scenario.js';
import type { Part } from '../../container/behaviours.js';
import type { Behaviour } from './behaviours.js';

/** Returns the manifest of a behavior's pod, on the network of its node. */
export function podOf({ name, spec, containers, initContainers = [] }: Behaviour) {
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
export function scenariosOf(behaviours: readonly Behaviour[]): readonly Scenario[] {
  const written = behaviours.map((behaviour) => {
    const { name, until, deleteAt, containers, initContainers = [] } = behaviour;
    const { metadata, spec } = podOf(behaviour);
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
    { file: 'behaviours.json', text: JSON.stringify(written) },
  ]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors, undefined, 2));
  return scenarios;
}
