import type { Command } from '@commander-js/extra-typings';

import { omitUndefined } from '../../api/index.js';
import { withKube } from '../../cli/shared/cluster-options.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, jsonOutput, noteSecrets, write } from '../../cli/shared/io.js';
import { choice, withShared } from '../../cli/shared/options.js';
import { simulationProgress } from '../../cli/shared/progress.js';
import { readSources } from '../../cli/shared/read-sources.js';
import { readTraceFile, refuseWatched } from '../../cli/shared/read-trace-file.js';
import { checkReports } from '../../cli/shared/reports/reports.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { UsageError } from '../../usage-error.js';
import { suggestFor } from './suggest-pods.js';
import { patches, type SuggestReport, suggestText } from './suggest-text.js';

export function options(program: Command) {
  const command = program
    .command('suggest')
    .description(
      `Propose startup, readiness and liveness settings from a recorded run: from how long it took to start, how fast it answered and how it failed. Each comes with its reason and its cost: how late a hang would be noticed, and how often it would have been a false alarm. The recording is simulated with the new settings.

The text is a strategic merge patch with the reasons as comments. Exit code 3: the recording has no successful probe to work from.`,
    )
    .argument('<trace>', 'a trace; - is standard input');
  const shown = withShared(command, 'partial', 'report', 'withSecrets').addOption(
    choice('-o, --output <format>', 'text, the patch alone, or all as JSON', [
      'text',
      'yaml',
      'json',
    ]),
  );
  return withKube(
    shown,
    'change the settings of this object of a cluster, not the recorded ones: deploy/web',
  );
}

type SuggestFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command(
  { paths: [path = ''], flags }: CommandInput<SuggestFlags>,
  io: Io,
): Promise<number> {
  await checkReports(flags);
  const trace = await readTraceFile(path, flags, io);
  if (trace === undefined) return EXIT.usage;
  refuseWatched(trace, 'kprobe suggest');
  await noteSecrets(flags, io);
  const loaded = await loadedOf(flags, io);
  const { pods, simulated } = await simulationProgress(io, (show) =>
    suggestFor(trace, loaded, show),
  );
  const { before, after, unobserved, silence } = simulated;
  const report: SuggestReport = { pods, before, after, unobserved, ...omitUndefined({ silence }) };
  const text = {
    text: () => suggestText(report),
    yaml: () => patches(report.pods),
    json: () => jsonOutput(report),
  }[flags.output ?? 'text']();
  await write(io.stdout, text);
  const isFound = pods.some(({ suggestions }) => suggestions.length > 0);
  const exitCode = isFound ? EXIT.success : EXIT.undetermined;
  if (flags.report !== undefined) {
    const { reportTrace, recordedEnding } = await import('../../cli/shared/reports/run-reports.js');
    const result = { title: 'Proposed settings', text: suggestText(report) };
    const ending = { ...recordedEnding(trace), exitCode };
    await reportTrace(trace, ending, { command: 'kprobe suggest', flags, io, result });
  }
  return exitCode;
}

async function loadedOf(flags: SuggestFlags, io: Io): Promise<LoadedPod | undefined> {
  if (flags.kube === undefined) return undefined;
  const manifest = loadManifest(await readSources([], io, flags), { validate: false });
  const [pod] = manifest.pods;
  if (pod === undefined) throw new UsageError(`--kube ${flags.kube}: the object has no pods`);
  return pod;
}
