import { setImmediate } from 'node:timers/promises';

import { type Command, Option } from '@commander-js/extra-typings';

import { withClusterOptions } from '../../cli/shared/cluster-options.js';
import { finishFindings } from '../../cli/shared/findings-end.js';
import {
  type CommandInput,
  type Io,
  noteSecrets,
  outputStream,
  write,
} from '../../cli/shared/io.js';
import { kubeletFor } from '../../cli/shared/kubelet/kubelet-flags.js';
import { collect } from '../../cli/shared/option-values.js';
import { choice, MANIFESTS, withShared } from '../../cli/shared/options.js';
import { textStyle } from '../../cli/shared/output-style.js';
import { createProgress } from '../../cli/shared/progress.js';
import { readManifests } from '../../cli/shared/read-sources.js';
import { DEFAULT_RELEASE, isDefault } from '../../kubelet/release.js';
import type { CustomKinds } from '../../manifest/crds/custom-kinds.js';
import { groupOf, isServed } from '../../manifest/documents/known-kinds.js';
import { readObjects } from '../../manifest/documents/manifest-object.js';
import { type ManifestSource, SourceFile } from '../../manifest/documents/source-file.js';
import { validateSource, validationEnd } from '../../manifest/verdict/validate.js';
import { type ValidatedFile, verdictLine } from '../../manifest/verdict/verdict.js';
import { renderReport } from '../../report/findings-formats.js';
import { validateReport } from '../../report/findings-report.js';
import { KnownSecrets, maskObject } from '../../secrets/known-secrets.js';
import { counted } from '../../text/count.js';
import { UsageError } from '../../usage-error.js';

export function options(program: Command) {
  const command = program
    .command('validate')
    .description(
      'Show how a Kubernetes API server would answer if the objects of manifests were created with strict field validation: Pods and the workloads that create them, and custom resources with --crds or --kube. Objects of other kinds are counted.',
    )
    .argument('[paths...]', MANIFESTS);
  const sent = withShared(command, 'filename', 'findings').addOption(
    choice(
      '--as <form>',
      'what is sent: the document itself, or the JSON that kubectl makes of it, where the last of two equal keys wins',
      ['direct', 'kubectl'],
    ).default('direct'),
  );
  const server = withShared(sent, 'exclude', 'kubernetesVersion', 'featureGates', 'withSecrets');
  const checked = withShared(server, 'quiet', 'color')
    .option('--strict-kinds', 'reject objects of kinds that kprobe does not check')
    .addOption(
      new Option(
        '--crds <path>',
        'check custom resources against the CustomResourceDefinitions in this file or folder; can be repeated',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--kube',
        'ask the cluster which custom kinds it has, and check custom resources against their schemas',
      ).helpGroup('Cluster:'),
    );
  return withClusterOptions(checked).addHelpText(
    'after',
    '\nExit codes: 0 all accepted, 1 some rejected, 2 a file cannot be read,\n3 no answer from the cluster',
  );
}

type ValidateFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command({ paths, flags }: CommandInput<ValidateFlags>, io: Io) {
  if (paths.length === 0) throw new UsageError('nothing to validate: name files, folders, or -');
  await noteSecrets(flags, io);
  const { files, problems } = await validateAll(paths, flags, io);
  const end = await finishFindings(files, problems, validationEnd(files) === 'rejected', io);
  if (flags.output !== 'ndjson') {
    const style = await textStyle(flags, io);
    const text = renderReport(validateReport(files, end), flags.output, style);
    await write(outputStream(io, flags.output), text);
  }
  return end.exitCode;
}

/** Returns the validated files, and the errors of files that could not be read. */
async function validateAll(paths: readonly string[], flags: ValidateFlags, io: Io) {
  const { output, as, strictKinds, exclude, withSecrets } = flags;
  const { sources, problems, skipped } = await readManifests(paths, io, { exclude });
  const { customKinds, clusterVersion } = await readCustomKinds(sources, flags, io);
  const server = await kubeletFor([{ clusterVersion }], flags, io);
  await write(io.notes, skipped);
  const files: ValidatedFile[] = [];
  const total = sources.length;
  const progress = createProgress(io.notes, `of ${counted(total, 'file')}`, { total });
  const options = { as, strictKinds: strictKinds === true, customKinds, server };
  for (const [index, source] of sources.entries()) {
    // Lets a signal through between two files.
    await setImmediate(undefined, { signal: io.signal });
    progress.show(index, source.file);
    const validated = validateSource(source, options);
    if (output === 'ndjson') await write(io.stdout, ndjson(validated, withSecrets === true));
    files.push(validated);
  }
  progress.clear();
  if (!isDefault(server)) {
    const text = `the fields and rules in docs/versions.md are those of Kubernetes ${server.version}, all others those of ${DEFAULT_RELEASE}`;
    await write(io.notes, `kprobe: ${text}\n`);
  }
  const kindsWithCEL = customKinds?.kindsWithCEL ?? [];
  if (kindsWithCEL.length > 0) {
    await write(io.notes, `kprobe: rules in CEL are not evaluated: ${kindsWithCEL.join(', ')}\n`);
  }
  return { files, problems };
}

/** Reads the kinds that `--crds` and `--kube` name, and the version of the cluster. */
async function readCustomKinds(
  sources: readonly ManifestSource[],
  { crds = [], kube, ...flags }: ValidateFlags,
  io: Io,
): Promise<Pick<ManifestSource, 'clusterVersion'> & { readonly customKinds?: CustomKinds }> {
  if (crds.length === 0 && kube !== true) return {};
  const { CustomKinds, definedKinds } = await import('../../manifest/crds/custom-kinds.js');
  const read = await readManifests(crds, io);
  const files = read.sources.map((source) => new SourceFile(source));
  const kinds = files.flatMap(definedKinds);
  const errors = files.flatMap((file) => file.diagnostics());
  const [problem] = [
    ...read.problems,
    ...errors.map((each) => `${each.file}:${each.line}: ${each.message}`),
  ];
  if (problem !== undefined) throw new UsageError(problem);
  if (crds.length > 0 && kinds.length === 0) {
    const names = crds.join(' ');
    throw new UsageError(`--crds ${names}: no CustomResourceDefinition with a served version`);
  }
  if (kube !== true) return { customKinds: new CustomKinds(kinds, false) };
  const [{ servedKinds }, { inCluster }, { serverVersion }] = await Promise.all([
    import('../../cluster/served-kinds.js'),
    import('../../cli/shared/kube-source.js'),
    import('../../session/cluster/cluster-version.js'),
  ]);
  const objects = sources.flatMap((source) => readObjects(new SourceFile(source)));
  const unserved = objects.filter(({ apiVersion, kind }) => !isServed(apiVersion, kind));
  const groups = new Set(unserved.map(({ apiVersion }) => groupOf(apiVersion)));
  // Here `--as` is the form that is sent.
  return inCluster({ ...flags, as: undefined }, io, async (cluster) => {
    const [served, clusterVersion] = await Promise.all([
      servedKinds(cluster, groups, io.signal),
      serverVersion(cluster, io.signal),
    ]);
    return { customKinds: new CustomKinds([...kinds, ...served], true), clusterVersion };
  });
}

function ndjson({ file, answers }: ValidatedFile, withSecrets: boolean): string {
  const secrets = new KnownSecrets();
  const shown = withSecrets ? answers : answers.map((each) => maskObject(each, secrets));
  return shown.map((verdict) => `${verdictLine(file, verdict)}\n`).join('');
}
