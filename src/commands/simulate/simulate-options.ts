import type { Command } from '@commander-js/extra-typings';

import { omitUndefined } from '../../api/index.js';
import {
  behaviorSpecOf,
  checkBehaviorTargets,
  withBehavior,
} from '../../cli/shared/behavior-options.js';
import { withKube } from '../../cli/shared/cluster-options.js';
import { duration } from '../../cli/shared/option-values.js';
import { choice, KUBELET, withShared } from '../../cli/shared/options.js';
import type { Relations } from '../../cli/shared/relations.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { distinctPods } from '../../manifest/pods/distinct-pods.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import {
  DEFAULT_UNTIL,
  holdsScenarios,
  type LoadedScenarios,
  loadScenarios,
} from '../../sim/load-scenarios.js';
import { podScenario } from '../../sim/pod-scenario.js';
import { UsageError } from '../../usage-error.js';

const EXIT_CODES = `
Exit codes:
  0    every pod is ready at the end or has succeeded, without a restart
  1    a container was restarted, or a pod failed or is not ready at the end
  3    a probe could not run`;

/** Times are in milliseconds. */
export type SimulateFlags = ReturnType<ReturnType<typeof options>['opts']>;

export const relations: Relations<SimulateFlags> = { outputs: { runs: ['json'] } };

export function options(program: Command) {
  const deleted = withBehavior(command(program)).option(
    '--delete-at <time>',
    'delete the pod at this time',
    duration,
  );
  const server = withShared(deleted, 'exclude', 'noValidate', ...KUBELET);
  const shown = withShared(server, 'simulatedTime', 'runs', 'seed').addOption(
    choice(
      '-o, --output <format>',
      'a timeline, lines, the trace as NDJSON, or the final status as YAML (timeline)',
      ['timeline', 'lines', 'json', 'yaml'],
    ),
  );
  const written = withShared(shown, 'report', 'withSecrets').option(
    '--trace <folder>',
    'write a trace per pod or scenario to a folder',
  );
  return withKube(
    withShared(written, 'quiet', 'color', 'verbose'),
    'simulate the pods of this object of a cluster: deploy/web',
  ).addHelpText('after', EXIT_CODES);
}

function command(program: Command) {
  const named = program
    .command('simulate')
    .description(
      `See in virtual time what the kubelet does with pods whose containers behave as the options or a scenario file say. Nothing is started or probed.

Times count from each start of a container. They apply to all containers, to one (app=25s), or to one probe (app.readiness=25s). Values may vary: 200ms±50ms (or +-), 100ms..300ms.`,
    )
    .usage('[options] <files...>')
    .argument(
      '[files...]',
      'manifests, folders of them, or scenario files (JSON or YAML, one or a list), which may refer to the pod of a manifest; - for standard input',
    );
  return withShared(named, 'filename');
}

export function simulatePlan(
  sources: readonly ManifestSource[],
  flags: SimulateFlags,
  kubelet: KubeletConfig,
): LoadedScenarios {
  const files = sources.filter(holdsScenarios);
  const manifests = sources.filter((source) => !files.includes(source));
  return files.length === 0
    ? podPlan(manifests, flags, kubelet)
    : scenarioPlan(files, manifests, flags, kubelet);
}

function podPlan(
  manifests: readonly ManifestSource[],
  flags: SimulateFlags,
  kubelet: KubeletConfig,
): LoadedScenarios {
  const { pods: loaded, diagnostics } = distinctPods(
    loadManifest(manifests, { validate: flags.validate, server: kubelet }),
  );
  if (hasErrors(diagnostics)) return { scenarios: [], diagnostics };
  const pods = loaded.map(({ pod }) => pod);
  const behavior = behaviorSpecOf(flags);
  checkBehaviorTargets(behavior, pods);
  const options = omitUndefined({ until: flags.for ?? DEFAULT_UNTIL, deleteAt: flags.deleteAt });
  const planned = pods.map((pod) => podScenario(pod, behavior, options));
  const [problem] = planned.flatMap(({ problems }) => problems);
  if (problem !== undefined) throw new UsageError(problem);
  const scenarios = planned.map(({ scenario }, index) => {
    return { ...scenario, ...omitUndefined({ source: loaded[index]?.source }), kubelet };
  });
  return { scenarios, diagnostics };
}

function scenarioPlan(
  files: readonly ManifestSource[],
  manifests: readonly ManifestSource[],
  flags: SimulateFlags,
  kubelet: KubeletConfig,
): LoadedScenarios {
  const all: readonly (readonly unknown[])[] = Object.values(behaviorSpecOf(flags));
  if (all.flat().length > 0 || flags.deleteAt !== undefined) {
    throw new UsageError('the scenario says what the containers do: leave out the options for it');
  }
  const { pods, diagnostics } =
    manifests.length === 0
      ? { pods: [], diagnostics: [] }
      : loadManifest(manifests, { validate: flags.validate, server: kubelet });
  if (hasErrors(diagnostics)) return { scenarios: [], diagnostics };
  if (pods.length > 1) {
    throw new UsageError(`a scenario needs one pod: the manifests have ${pods.length}`);
  }
  const loaded = loadScenarios(files, pods[0]?.pod);
  const settings = { ...omitUndefined({ until: flags.for }), kubelet };
  return {
    scenarios: loaded.scenarios.map((scenario) => ({ ...scenario, ...settings })),
    diagnostics: [...diagnostics, ...loaded.diagnostics],
  };
}
