import { omitUndefined } from '../../api/index.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, reportIncomplete } from '../../cli/shared/io.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { orReported } from '../../cli/shared/reports/reports.js';
import { loadPods, type ReadPods, readPods } from '../../cli/shared/run/read-pods.js';
import { openFiles } from '../../cli/shared/run/run-outputs.js';
import type { ReadyRun } from '../../cli/shared/run/run-pods.js';
import { RealClock } from '../../clock/real-clock.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { manifestSecrets } from '../../manifest/pods/manifest-secrets.js';
import { formatDiagnostic, withField } from '../../report/format-diagnostic.js';
import { goalOf, type RunEnd, waitForGoal } from '../../session/wait-for-goal.js';
import { UsageError } from '../../usage-error.js';
import type { KubeRun } from './run-kube.js';
import type { RunFlags } from './run-options.js';
import { watchManifests } from './watch-manifests.js';

export { options, relations } from './run-options.js';

interface RunInput extends CommandInput<RunFlags>, ReadPods {
  readonly kube?: KubeRun;
}

export function command(input: CommandInput<RunFlags>, io: Io): Promise<number> {
  const { flags } = input;
  return orReported({ command: 'kprobe run', flags, io }, () => validateAndRun(input, io));
}

async function validateAndRun(input: CommandInput<RunFlags>, io: Io): Promise<number> {
  const { paths, flags } = input;
  if (flags.kube !== undefined) {
    if (paths.length > 0) throw new UsageError('--kube and a manifest cannot be combined');
    const { runInCluster } = await import('./run-kube.js');
    return runInCluster(flags, io, (kube) => {
      const { manifest, podIP: host } = kube;
      const inPod = { ...flags, host };
      return run({ ...input, flags: inPod, sources: [], manifest, kube }, io);
    });
  }
  if (flags.via === 'port-forward' || flags.via === 'proxy') {
    throw new UsageError(`--via ${flags.via} needs --kube`);
  }
  const read = await readPods('run', input, io);
  return read === undefined ? EXIT.usage : run({ ...input, ...read }, io);
}

async function run(input: RunInput, io: Io): Promise<number> {
  const { flags, kube } = input;
  const kubelet = kube?.kubelet ?? (await kubeletBy(flags, io));
  const files = await openFiles(flags);
  const statusFile =
    flags.statusFile === undefined
      ? undefined
      : await (await import('./status-file.js')).StatusFile.open(flags.statusFile);
  const { runPods } = await import('../../cli/shared/run/run-pods.js');
  return runPods({
    ...input,
    command: 'kprobe run',
    kubelet,
    io,
    files,
    found: kube,
    clock: kube?.clock ?? new RealClock(),
    run: async (ready) => {
      await statusFile?.begin((text) => ready.session.note('warning', text));
      ready.session.onLine(({ kind }, summary) => {
        if (kind === 'status') statusFile?.update(summary);
      });
      const end = await startAndWait(input, ready, io);
      const problem = await statusFile?.end();
      if (problem !== undefined) await reportIncomplete(io, problem);
      return end;
    },
  });
}

async function startAndWait(input: RunInput, ready: ReadyRun, io: Io): Promise<RunEnd> {
  const { flags, kube } = input;
  const { clock, session, quit } = ready;
  // Diagnoses are loaded only where the verdict needs them.
  const { warningIn } = flags.strict === true ? await import('../../diagnosis/warning.js') : {};
  ready.start();
  const stopWatching = flags.watch === true ? watch(input, ready, io) : undefined;
  const end = await waitForGoal({
    clock,
    session: kube?.withoutClusterSide(session) ?? session,
    goal: goalOf(flags, quit === undefined ? 'settled' : 'open'),
    signal: io.signal,
    ...omitUndefined({ timeout: flags.timeout, maxRestarts: flags.maxRestarts }),
    ...omitUndefined({ quit, warningIn, gone: kube?.follow(session) }),
  });
  stopWatching?.();
  return end;
}

/** Applies changed manifests; one with errors is reported and changes nothing. */
function watch(input: RunInput, { session, secrets, found }: ReadyRun, io: Io): () => void {
  const { paths, sources, flags } = input;
  const { warnings = [], check } = found;
  const shown = new Set(warnings.map(withField));
  const noteUnreadable = (problem: string): void =>
    session.note('warning', `${problem}; the pods stay as they are until it is back`);
  const apply = (changed: readonly ManifestSource[]): void => {
    const manifest = loadPods(changed, input);
    const checked = hasErrors(manifest.diagnostics) ? [] : (check?.(manifest.pods) ?? []);
    const diagnostics = [...manifest.diagnostics, ...checked];
    if (hasErrors(diagnostics)) {
      const [first] = diagnostics.filter(({ severity }) => severity === 'error');
      const what = first === undefined ? '' : formatDiagnostic({ ...first, source: '' });
      session.note('warning', `the changed manifest has errors and is not applied: ${what}`);
      return;
    }
    for (const diagnostic of checked.filter((each) => !shown.has(withField(each)))) {
      shown.add(withField(diagnostic));
      session.note('info', formatDiagnostic({ ...diagnostic, source: '' }));
    }
    manifestSecrets(manifest, secrets);
    session.update(manifest.pods.map(({ pod }) => pod));
  };
  return watchManifests(paths, flags, io, sources, apply, noteUnreadable);
}
