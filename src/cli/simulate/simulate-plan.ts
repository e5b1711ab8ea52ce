import { present } from '../../api/index.js';
import { UsageError } from '../../app/usage-error.js';
import { type Diagnostic, hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { distinctPods } from '../../manifest/pods/distinct-pods.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import { DEFAULT_UNTIL, holdsScenarios, loadScenarios } from '../../sim/load-scenarios.js';
import { podScenario } from '../../sim/pod-scenario.js';
import type { Scenario } from '../../sim/scenario.js';
import { checkTargets, saidBy } from '../shared/behaviour-options.js';
import type { SimulateFlags } from './simulate-options.js';

interface SimulatePlan {
  readonly scenarios: readonly Scenario[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The simulated pods with the behavior that the flags describe, or scenarios. */
export function simulatePlan(
  sources: readonly ManifestSource[],
  flags: SimulateFlags,
): SimulatePlan {
  const files = sources.filter(holdsScenarios);
  const manifests = sources.filter((source) => !files.includes(source));
  return files.length === 0 ? podPlan(manifests, flags) : scenarioPlan(files, manifests, flags);
}

function podPlan(manifests: readonly ManifestSource[], flags: SimulateFlags): SimulatePlan {
  const { pods: loaded, diagnostics } = distinctPods(
    loadManifest(manifests, { validate: flags.validate }),
  );
  if (hasErrors(diagnostics)) return { scenarios: [], diagnostics };
  const pods = loaded.map(({ pod }) => pod);
  const said = saidBy(flags);
  checkTargets(said, pods);
  const options = present({ until: flags.for ?? DEFAULT_UNTIL, deleteAt: flags.deleteAt });
  const planned = pods.map((pod) => podScenario(pod, said, options));
  const [problem] = planned.flatMap(({ problems }) => problems);
  if (problem !== undefined) throw new UsageError(problem);
  const scenarios = planned.map(({ scenario }, index) => ({
    ...scenario,
    ...present({ source: loaded[index]?.source }),
  }));
  return { scenarios, diagnostics };
}

function scenarioPlan(
  files: readonly ManifestSource[],
  manifests: readonly ManifestSource[],
  flags: SimulateFlags,
): SimulatePlan {
  const said = Object.values<readonly unknown[]>({ ...saidBy(flags) }).some(
    (each) => each.length > 0,
  );
  if (said || flags.deleteAt !== undefined) {
    throw new UsageError('the scenario says what the containers do: leave out the options for it');
  }
  const { pods, diagnostics } =
    manifests.length === 0
      ? { pods: [], diagnostics: [] }
      : loadManifest(manifests, { validate: flags.validate });
  if (hasErrors(diagnostics)) return { scenarios: [], diagnostics };
  if (pods.length > 1) {
    throw new UsageError(`a scenario needs one pod: the manifests have ${pods.length}`);
  }
  const loaded = loadScenarios(files, pods[0]?.pod);
  const length = present({ until: flags.for });
  return {
    scenarios: loaded.scenarios.map((scenario) => ({ ...scenario, ...length })),
    diagnostics: [...diagnostics, ...loaded.diagnostics],
  };
}
