import { existsSync } from 'node:fs';

import { hasErrors } from '../../../manifest/diagnostic.js';
import type { ManifestSource } from '../../../manifest/documents/source-file.js';
import { distinctPods } from '../../../manifest/pods/distinct-pods.js';
import { type LoadedManifest, loadManifest } from '../../../manifest/pods/load-manifest.js';
import { formatDiagnostics } from '../../../report/format-diagnostic.js';
import type { ContainerChoice } from '../../../runtime/container/attach/attached-containers.js';
import { type Replacements, withReplacements } from '../../../session/create/replacements.js';
import { containerChoices } from '../../../session/targets/choose-containers.js';
import { missingPermissions } from '../../../session/targets/permissions.js';
import { UsageError } from '../../../usage-error.js';
import { shownPath } from '../file-errors.js';
import { type CommandInput, type Io, type RunLimits, withinLimits, write } from '../io.js';
import { serverBy } from '../kubelet/kubelet-flags.js';
import { isPipe, readSources, refuseOtherFiles } from '../read-sources.js';
import { reportRefused } from '../reports/reports.js';
import type { PodFlags } from './pod-flags.js';

export interface ReadPods {
  readonly sources: readonly ManifestSource[];
  readonly manifest: LoadedManifest;
}

/**
 * Reads and checks the manifests of a command line; undefined when they have errors, which are then printed and
 * reported. Throws a UsageError.
 */
export async function readPods(
  command: 'run' | 'ci',
  input: CommandInput<PodFlags & RunLimits>,
  io: Io,
): Promise<ReadPods | undefined> {
  const { paths, flags } = input;
  if (paths.length === 0) {
    throw new UsageError('no manifest given: name a file or a folder, or - for standard input');
  }
  refuseBareCommand(command, input);
  // The limits are for standard input and pipes, which may never end; files are read at once.
  const limits = paths.some((path) => path === '-' || isPipe(path)) ? flags : {};
  const sources = await withinLimits(limits, io, 'the manifest could not be read', (limited) =>
    readSources(paths, limited, flags),
  );
  const manifest = loadPods(sources, input);
  if (!hasErrors(manifest.diagnostics)) return { sources, manifest };
  await refuseOtherFiles(sources);
  await write(io.stderr, formatDiagnostics(manifest.diagnostics));
  await reportRefused({ command: `kprobe ${command}`, flags, io }, manifest.diagnostics);
  if (flags.validate && !hasErrors(loadPods(sources, input, false).diagnostics)) {
    const hint = 'the API server would reject this; --no-validate runs it anyway';
    await write(io.stderr, `kprobe: ${hint}\n`);
  }
  return undefined;
}

/** Names the missing `--` of `kprobe run pod.yaml node server.js`. */
function refuseBareCommand(
  name: 'run' | 'ci',
  { paths, commandLine }: CommandInput<PodFlags>,
): void {
  const at = paths.findIndex((path) => path !== '-' && !existsSync(path));
  if (commandLine !== undefined || at < 1) return;
  const [files, command] = [paths.slice(0, at).join(' '), paths.slice(at).join(' ')];
  throw new UsageError(
    `${shownPath(paths[at] ?? '')}: no such file or folder (a command comes after --: kprobe ${name} ${files} -- ${command})`,
  );
}

/** Loads pods from manifests; diagnostics also name what the target cannot do. */
export function loadPods(
  sources: readonly ManifestSource[],
  { flags, commandLine }: CommandInput<PodFlags>,
  validate = flags.validate,
): LoadedManifest {
  const read = distinctPods(loadManifest(sources, { validate, server: serverBy(flags) }));
  const pods =
    flags.create === true
      ? read.pods.map((pod) => withReplacements(pod, replacementsOf(flags)))
      : read.pods;
  const manifest = { ...read, pods };
  const choices = hasErrors(manifest.diagnostics) ? [] : choicesOf(flags, manifest);
  // An engine restarts its containers for real.
  const isReal = flags.create === true || flags.restart === 'real';
  const mayRunHooks = commandLine !== undefined || flags.runHooks === true || isReal;
  const missing = missingPermissions(manifest.pods, {
    execAllowed: flags.allowLocalExec === true,
    inEngine: ({ metadata: { uid } }, container) =>
      flags.create === true ||
      choices.some((choice) => choice.podUID === uid && choice.container === container),
    host: flags.host,
    hostsAllowed: flags.allowHost === true,
    runs: (_, handler) => mayRunHooks || !handler.startsWith('lifecycle.'),
  });
  return { ...manifest, diagnostics: [...manifest.diagnostics, ...missing] };
}

export function replacementsOf({ image, volume }: PodFlags): Replacements {
  return { images: image ?? new Map(), volumes: volume ?? new Map() };
}

/** Returns the container of the manifest for each container of `--docker`. */
export function choicesOf(flags: PodFlags, { pods }: LoadedManifest): readonly ContainerChoice[] {
  const all = pods.map(({ pod }) => pod);
  return containerChoices(all, flags.docker ?? []);
}
