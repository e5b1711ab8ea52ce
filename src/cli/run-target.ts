import { attachTarget } from '../app/attach-target.js';
import { containerChoices } from '../app/container-choices.js';
import { localTarget, type Target } from '../app/local-target.js';
import { processTarget } from '../app/process-target.js';
import type { Clock } from '../clock/clock.js';
import type { LoadedManifest } from '../manifest/load-manifest.js';
import { formatDiagnostics } from '../render/format-diagnostic.js';
import type { ContainerChoice } from '../runtime/container/attach/attached-view.js';
import { EXIT } from './exit-code.js';
import type { Io } from './io.js';
import type { RunFlags } from './run-flags.js';
import { UsageError } from './usage-error.js';

export interface RunTargetInput {
  readonly flags: RunFlags;
  /** What stands after `--`. */
  readonly commandLine: readonly string[] | undefined;
  readonly manifest: LoadedManifest;
  readonly clock: Clock;
  readonly io: Io;
}

/** What stands for the containers, and what of that could surprise; or why there is nothing. */
export type RunTarget =
  | { readonly kind: 'target'; readonly target: Target; readonly notes: readonly string[] }
  | { readonly kind: 'none'; readonly exitCode: number; readonly message: string };

/** Makes the target that the flags ask for. Starts nothing of the manifest's. */
export async function runTarget(input: RunTargetInput): Promise<RunTarget> {
  const { flags, commandLine } = input;
  if (flags.docker === undefined) return localRunTarget(input);
  if (commandLine !== undefined) {
    throw new UsageError('a command after -- and --docker both stand for containers: give one');
  }
  const found = await attachTarget({
    ...targetOptions(input),
    engine: flags.runtime ?? 'docker',
    choices: choicesOf(flags, input.manifest),
    pods: input.manifest.pods,
    restarts: flags.restart === 'real',
    via: flags.via ?? 'host',
    nodePath: process.execPath,
  });
  switch (found.kind) {
    case 'target':
      return found;
    case 'usage':
      throw new UsageError(found.message);
    case 'diagnostics':
      return { kind: 'none', exitCode: EXIT.usage, message: formatDiagnostics(found.diagnostics) };
    case 'unreachable':
      return { kind: 'none', exitCode: EXIT.unknown, message: `kprobe: ${found.message}\n` };
  }
}

/** Which containers of the manifest an engine's containers stand for. */
export function choicesOf(flags: RunFlags, { pods }: LoadedManifest): readonly ContainerChoice[] {
  const choices = containerChoices(
    pods.map(({ pod }) => pod),
    flags.docker ?? [],
  );
  if (choices.kind === 'error') throw new UsageError(choices.message);
  return choices.choices;
}

function localRunTarget(input: RunTargetInput): RunTarget {
  const { flags, commandLine, manifest } = input;
  const pods = manifest.pods.map(({ pod }) => pod);
  const process = processTarget(pods, commandLine, flags.container);
  if (process.kind === 'error') throw new UsageError(process.message);
  const target = localTarget({
    ...targetOptions(input),
    ...(process.kind === 'process' ? { process } : {}),
  });
  const attached = `attached to ${flags.host}: restarts are simulated, what answers there is left alone`;
  return { kind: 'target', target, notes: target.name === 'attached' ? [attached] : [] };
}

function targetOptions({ flags, manifest, clock, io }: RunTargetInput) {
  return {
    clock,
    host: io.host,
    address: flags.host,
    ports: flags.port ?? new Map<number, number>(),
    execAllowed: flags.allowLocalExec ?? false,
    configMaps: manifest.configMaps,
    secrets: manifest.secrets,
    kubeletVersion: flags.kubeletVersion,
  };
}
