import { containersWithPath } from '../../api/index.js';
import type { ContainerTarget } from '../../app/attach-target.js';
import type { Target } from '../../app/local-target.js';
import type { LoadedManifest } from '../../manifest/pods/load-manifest.js';
import { formatDiagnostic } from '../../render/format-diagnostic.js';
import { passedOverText } from '../../render/text/count.js';
import type { RunFlags } from './run-options.js';

export type FoundTarget = Extract<ContainerTarget, { kind: 'target' }>;

/** Returns true for a container whose restarts leave what is probed alone; `--watch` may add others. */
export function isSimulated({ name, realRestarts }: Target, container: string): boolean {
  return name !== 'created' && !realRestarts.includes(container);
}

export function runNotes(
  flags: RunFlags,
  manifest: LoadedManifest,
  { target, notes, warnings = [] }: FoundTarget,
): readonly string[] {
  const passedOver = passedOverText(manifest.passedOver);
  return [
    ...[...manifest.diagnostics, ...warnings].map((diagnostic) =>
      formatDiagnostic({ ...diagnostic, source: '' }),
    ),
    ...(passedOver === undefined ? [] : [passedOver]),
    ...notes,
    ...(target.name === 'pod' ? [] : hookNotes(flags, target, manifest)),
    ...initNotes(target, manifest),
  ];
}

/** Hooks that would act on a target whose restarts are simulated. */
function hookNotes({ runHooks }: RunFlags, target: Target, { pods }: LoadedManifest): string[] {
  const hooks = pods.flatMap(({ pod: { spec } }) =>
    containersWithPath(spec, 'spec')
      .filter(({ container: { name } }) => isSimulated(target, name))
      .flatMap(({ container: { name, lifecycle = {} } }) =>
        (['postStart', 'preStop'] as const)
          .filter((hook) => (lifecycle[hook]?.exec ?? lifecycle[hook]?.httpGet) !== undefined)
          .map((hook) => `${hook} of ${name}`),
      ),
  );
  if (hooks.length === 0) return [];
  return runHooks === true
    ? [`hooks run although restarts are simulated: ${hooks.join(', ')}`]
    : [
        `hooks do not run, since restarts are simulated: ${hooks.join(', ')} (--run-hooks runs them)`,
      ];
}

/** Init containers that never run. */
function initNotes(target: Target, { pods }: LoadedManifest): string[] {
  if (target.name === 'created') return [];
  const inits = pods.flatMap(({ pod }) =>
    (pod.spec.initContainers ?? []).filter((c) => c.restartPolicy !== 'Always').map((c) => c.name),
  );
  if (inits.length === 0) return [];
  return [`init containers do not run, they count as completed: ${inits.join(', ')}`];
}
