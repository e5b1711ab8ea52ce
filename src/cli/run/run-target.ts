import { createInterface } from 'node:readline/promises';

import type { Pod } from '../../api/index.js';
import { attachTarget, type ContainerTarget } from '../../app/attach-target.js';
import { containerChoices } from '../../app/container-choices.js';
import { createTarget, type LeftoverChoice } from '../../app/create-target.js';
import { localTarget, type Target } from '../../app/local-target.js';
import { processTarget } from '../../app/process-target.js';
import type { Clock } from '../../clock/clock.js';
import type { LoadedManifest } from '../../manifest/pods/load-manifest.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { escapeControl } from '../../render/text/escape.js';
import type { ContainerChoice } from '../../runtime/container/attach/attached-view.js';
import { EXIT } from '../shared/exit-code.js';
import type { Io } from '../shared/io.js';
import { UsageError } from '../shared/usage-error.js';
import type { RunFlags } from './run-options.js';

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
  const ways = [
    ...(flags.create === true ? ['--create'] : []),
    ...(flags.docker === undefined ? [] : ['--docker']),
    ...(commandLine === undefined ? [] : ['a command after --']),
  ];
  if (ways.length > 1) {
    throw new UsageError(`${ways.join(' and ')} both stand for the containers: give one`);
  }
  if (flags.create === true) return found(await created(input));
  return flags.docker === undefined ? localRunTarget(input) : found(await attached(input));
}

function attached(input: RunTargetInput): Promise<ContainerTarget> {
  const { flags } = input;
  return attachTarget({
    ...targetOptions(input),
    engine: flags.runtime ?? 'docker',
    choices: choicesOf(flags, input.manifest),
    pods: input.manifest.pods,
    restarts: flags.restart === 'real',
    via: flags.via ?? 'host',
    nodePath: process.execPath,
  });
}

function created(input: RunTargetInput): Promise<ContainerTarget> {
  const { flags, io } = input;
  return createTarget({
    ...targetOptions(input),
    engine: flags.runtime ?? 'docker',
    pods: input.manifest.pods,
    within: flags.via === 'exec',
    keep: flags.keep ?? false,
    hostPathAllowed: flags.allowHostPath ?? false,
    privilegedAllowed: flags.allowPrivileged ?? false,
    onLeftover: (pods) => leftoverChoice(pods, flags, io),
    nodePath: process.execPath,
    pid: process.pid,
    ...(flags.network === undefined ? {} : { network: flags.network }),
  });
}

function found(target: ContainerTarget): RunTarget {
  switch (target.kind) {
    case 'target':
      return target;
    case 'usage':
      throw new UsageError(target.message);
    case 'diagnostics':
      return { kind: 'none', exitCode: EXIT.usage, message: formatDiagnostics(target.diagnostics) };
    case 'unreachable':
      return { kind: 'none', exitCode: EXIT.unknown, message: `kprobe: ${target.message}\n` };
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

/** What to do with what a run has left: as the flags say, or as the user says at a terminal. */
export async function leftoverChoice(
  pods: readonly string[],
  { adopt, replace }: RunFlags,
  io: Io,
): Promise<LeftoverChoice | undefined> {
  if (adopt === true) return 'adopt';
  if (replace === true) return 'replace';
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return undefined;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  const names = escapeControl(pods.join(', '));
  try {
    const question = `A run of kprobe that is gone left ${names}. Adopt it, remove it, or quit? [a/r/q] `;
    const answer = await lines.question(question, { signal: io.signal });
    const [letter = ''] = answer.trim().toLowerCase();
    if (letter === 'a') return 'adopt';
    return letter === 'r' ? 'replace' : undefined;
  } catch {
    // Interrupted: no answer.
    return undefined;
  } finally {
    lines.close();
  }
}

/** Flags that say how an engine's containers are taken, and the flags that say that there are any. */
const OF: Readonly<Partial<Record<keyof RunFlags, readonly ('create' | 'docker')[]>>> = {
  runtime: ['docker', 'create'],
  via: ['docker', 'create'],
  restart: ['docker'],
  network: ['create'],
  keep: ['create'],
  adopt: ['create'],
  replace: ['create'],
  allowHostPath: ['create'],
  allowPrivileged: ['create'],
};

/** Throws a UsageError for a flag that would do nothing: who gave it expects something of it. */
export function refuseIdleFlags(flags: RunFlags): void {
  for (const [name, of] of Object.entries(OF)) {
    const isGiven = flags[name as keyof RunFlags] !== undefined;
    if (!isGiven || of.some((flag) => flags[flag] !== undefined)) continue;
    throw new UsageError(`${optionOf(name)} is for ${of.map(optionOf).join(' and ')}`);
  }
}

/** `allowHostPath` as it is typed. */
function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The containers whose restarts are real, by name. */
export function realRestarts(target: string, flags: RunFlags, pods: readonly Pod[]): string[] {
  return pods
    .flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers])
    .map(({ name }) => name)
    .filter((name) => !isSimulated(target, flags, pods, name));
}

/** Whether a container's restarts only happen on paper, as the target and the flags have it. */
function isSimulated(
  target: string,
  flags: RunFlags,
  pods: readonly Pod[],
  container: string,
): boolean {
  switch (target) {
    case 'created':
      return false;
    case 'containers':
      return flags.restart !== 'real';
    case 'process': {
      // The command stands for the container that was named, or for the only one.
      const names = pods.flatMap(({ spec }) => spec.containers.map(({ name }) => name));
      return container !== (flags.container ?? names[0]);
    }
    default:
      return true;
  }
}
