import type { Command } from '@commander-js/extra-typings';

import type { ApiServer } from '../../api/admission/index.js';
import { withKube } from '../../cli/shared/cluster-options.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { shownPath } from '../../cli/shared/file-errors.js';
import { type CommandInput, type Io, jsonOutput, noteSecrets, write } from '../../cli/shared/io.js';
import {
  kubeletBy,
  kubeletFor,
  refuseDowngrade,
  withGates,
} from '../../cli/shared/kubelet/kubelet-flags.js';
import { withShared } from '../../cli/shared/options.js';
import { textStyle } from '../../cli/shared/output-style.js';
import { readSources, refuseOtherFiles } from '../../cli/shared/read-sources.js';
import { behaviorOf, type KubeletConfig } from '../../kubelet/release.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { UsageError } from '../../usage-error.js';
import { diff } from './diff.js';
import type { Difference } from './diff-objects.js';
import type { Releases } from './diff-releases.js';

const EXIT_CODES = `
Exit codes, as in kubectl diff:
  0    no pod or workload differs
  1    some differ
  2    usage or manifest error; nothing was compared`;

export function options(program: Command) {
  const command = program
    .command('diff')
    .description(
      'Show what changing a manifest does to its pods: which containers the kubelet restarts, which fields the API server refuses to change, and which probes act at other times. Nothing is started.',
    )
    .usage(
      '[options] (<before> | --kube kind/name) <after>\n       kprobe diff --kubernetes-version <from..to> <manifest>',
    )
    .argument('<before>', 'a file or a folder; - is standard input')
    .argument('[after]', 'the same, changed');
  const releases = withShared(command, 'textOrJson', 'kubernetesVersions', 'featureGates');
  return withKube(
    withShared(releases, 'quiet', 'color', 'withSecrets'),
    'show what applying the manifest does to this object of a cluster: deploy/web',
  ).addHelpText('after', EXIT_CODES);
}

type DiffFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command({ paths, flags }: CommandInput<DiffFlags>, io: Io) {
  const { featureGates } = flags;
  const [from, to] = flags.kubernetesVersion ?? [];
  if (from !== undefined && to !== undefined) {
    refuseDowngrade('--kubernetes-version', from, to);
    const target = await kubeletBy({ featureGates, kubernetesVersion: to }, io);
    return diffReleases(paths, [withGates(from, featureGates), target], flags, io);
  }
  const [old, now, server] =
    flags.kube === undefined
      ? await bothOf(paths, featureGates && (await kubeletBy({ featureGates }, io)), io)
      : await applied(paths, flags, io);
  const diagnostics = [old, now].filter((each) => hasErrors(each.diagnostics));
  if (diagnostics.length > 0) {
    const all = diagnostics.flatMap((each) => each.diagnostics);
    await write(io.stderr, formatDiagnostics(all));
    return EXIT.usage;
  }
  await noteSecrets(flags, io);
  const differences = diff(old.pods, now.pods, flags.withSecrets, server && behaviorOf(server));
  await write(io.stdout, await rendered(differences, flags, io));
  return differences.length === 0 ? EXIT.success : EXIT.failure;
}

/** Shows what another release of Kubernetes changes for the pods of one manifest. */
async function diffReleases(
  [path = '', more]: readonly string[],
  releases: Releases,
  flags: DiffFlags,
  io: Io,
): Promise<number> {
  if (more !== undefined || flags.kube !== undefined) {
    throw new UsageError('with two releases in --kubernetes-version, name one manifest');
  }
  const { pods, diagnostics } = await load(path, io, releases[1]);
  if (hasErrors(diagnostics)) {
    await write(io.stderr, formatDiagnostics(diagnostics));
    return EXIT.usage;
  }
  const { releaseChanges, releaseText } = await import('./diff-releases.js');
  const objects = releaseChanges(pods, releases);
  const [from, to] = releases;
  const differs = objects.length > 0;
  const text =
    flags.output === 'json'
      ? jsonOutput({ differs, from: from.version, to: to.version, objects })
      : releaseText(objects, releases, await textStyle(flags, io));
  await write(io.stdout, text);
  return differs ? EXIT.failure : EXIT.success;
}

type ManifestPair = readonly [
  before: LoadedManifest,
  after: LoadedManifest,
  server?: KubeletConfig | undefined,
];

async function bothOf(
  [before = '', after]: readonly string[],
  server: KubeletConfig | undefined,
  io: Io,
): Promise<ManifestPair> {
  if (after === undefined) {
    const others = '--kube kind/name, or --kubernetes-version 1.34..1.36';
    throw new UsageError(`missing required argument 'after' (or ${others})`);
  }
  if (before === '-' && after === '-') {
    throw new UsageError('only one of the two can be standard input');
  }
  return [await load(before, io, server), await load(after, io, server), server];
}

async function applied(
  [path = '', more]: readonly string[],
  flags: DiffFlags,
  io: Io,
): Promise<ManifestPair> {
  if (more !== undefined) throw new UsageError('with --kube, name one manifest: the changed one');
  const sources = await readSources([path], io);
  const [{ readObject, sourceOf }, { appliedTo, manifestOf }] = await Promise.all([
    import('../../cli/shared/kube-source.js'),
    import('./apply.js'),
  ]);
  const { object, file, clusterVersion } = await readObject(flags, io);
  const server = await kubeletFor([{ clusterVersion }], { featureGates: flags.featureGates }, io);
  const after = loadManifest(sources, { server });
  if (hasErrors(after.diagnostics)) return [after, { ...after, diagnostics: [] }];
  const manifest = manifestOf(object, sources);
  if (manifest === undefined) {
    throw new UsageError(
      `${shownPath(path)}: no ${object.kind ?? 'object'} "${object.metadata.name}" of namespace "${object.metadata.namespace ?? ''}"`,
    );
  }
  const result = { ...object, ...appliedTo(object, manifest) };
  const [before, then] = [object, result].map((each) =>
    loadManifest([sourceOf({ object: each, file })], { validate: false, server }),
  );
  return [before ?? after, then ?? after, server];
}

async function load(path: string, io: Io, server?: ApiServer): Promise<LoadedManifest> {
  const sources = await readSources([path], io);
  const manifest = loadManifest(sources, { server });
  if (hasErrors(manifest.diagnostics)) await refuseOtherFiles(sources);
  return manifest;
}

async function rendered(differences: readonly Difference[], flags: DiffFlags, io: Io) {
  if (flags.output === 'json') {
    return jsonOutput({ differs: differences.length > 0, objects: differences });
  }
  const { diffText } = await import('./diff-text.js');
  return diffText(differences, await textStyle(flags, io));
}
