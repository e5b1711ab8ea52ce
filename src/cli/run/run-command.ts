import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { omitUndefined } from '../../api/index.js';
import type { ContainerTarget } from '../../app/attach-target.js';
import type { CiEnd, CiOptions } from '../../app/ci/ci.js';
import { withStandIns } from '../../app/create/stand-ins.js';
import type { Target } from '../../app/local-target.js';
import { manifestSecrets } from '../../app/manifest-secrets.js';
import { preflight } from '../../app/preflight.js';
import { goalOf, waitForGoal } from '../../app/run.js';
import { Session } from '../../app/session.js';
import { UsageError } from '../../app/usage-error.js';
import type { Clock } from '../../clock/clock.js';
import { RealClock } from '../../clock/real-clock.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { distinctPods } from '../../manifest/pods/distinct-pods.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import { loadTransports } from '../../probe/transports.js';
import { formatDiagnostic, formatDiagnostics, withField } from '../../render/format-diagnostic.js';
import type { KnownSecrets } from '../../secrets/known-secrets.js';
import { EXIT, exitCodeOfEnd } from '../shared/exit-code.js';
import { shownPath } from '../shared/file-errors.js';
import { type CommandInput, type Io, orAborted, tellOfSecrets, write } from '../shared/io.js';
import { readSources, refuseOtherFiles } from '../shared/read-sources.js';
import { checkReports, openMetrics, recordReports, reportRefused } from '../shared/reports.js';
import { createRunRenderer } from '../shared/run-renderer.js';
import type { RunActions } from '../shared/screen.js';
import { recordSession, TraceFile, traceHeader } from '../shared/trace-file.js';
import type { KubeRun } from './run-kube.js';
import type { RunFlags } from './run-options.js';
import {
  choicesOf,
  type FoundTarget,
  isSimulated,
  refuseIdleFlags,
  runNotes,
  runTarget,
  type RunTargetInput,
  standInsOf,
} from './run-target.js';
import { StatusFile } from './status-file.js';
import { watchManifests } from './watch-manifests.js';

export { runOptions } from './run-options.js';

interface RunInput extends CommandInput<RunFlags> {
  /** Another command that runs pods: it decides how a run goes on, and when it ends. */
  readonly ci?: {
    /** Gets the reports. */
    readonly io: Io;
    readonly judge: (run: JudgedRun) => Promise<CiEnd>;
  };
}

/** A started run, for `kprobe ci` to judge. */
export type JudgedRun = Pick<CiOptions, 'clock' | 'session' | 'target' | 'signal'>;

/** Milliseconds that the kubelet has been running: so long that no worker waits a random time before its first probe. */
const LONG = 10 * 365 * 24 * 3600 * 1000;

/** Reads and checks manifests, and only then starts; resolves with the exit code. */
export async function runCommand(input: RunInput, io: Io): Promise<number> {
  const { paths, flags } = input;
  if (flags.kube !== undefined) {
    if (paths.length > 0) throw new UsageError('--kube and a manifest cannot be combined');
    const { runInCluster } = await import('./run-kube.js');
    return runInCluster(flags, io, (kube) => {
      const { manifest, podIP: host } = kube;
      return start({ ...input, flags: { ...flags, host }, sources: [], manifest, kube }, io);
    });
  }
  if (paths.length === 0) {
    throw new UsageError('no manifest given: name a file or a folder, or - for standard input');
  }
  refuseIdleFlags(flags, input.commandLine);
  refuseBareCommand(input);
  const sources = await readSources(paths, io, flags);
  const manifest = load(sources, input);
  if (!hasErrors(manifest.diagnostics)) return start({ ...input, sources, manifest }, io);
  await refuseOtherFiles(sources);
  await write(io.stderr, formatDiagnostics(manifest.diagnostics));
  const command = input.ci === undefined ? 'run' : 'ci';
  await reportRefused(command, manifest.diagnostics, flags, input.ci?.io ?? io);
  if (flags.validate && !hasErrors(load(sources, input, false).diagnostics)) {
    await write(
      io.stderr,
      'kprobe: the API server would reject this; --no-validate runs it anyway\n',
    );
  }
  return EXIT.usage;
}

/** Names the missing `--` of `kprobe run pod.yaml node server.js`. */
function refuseBareCommand({ paths, commandLine }: RunInput): void {
  const at = paths.findIndex((path) => path !== '-' && !existsSync(path));
  if (commandLine !== undefined || at < 1) return;
  const [files, command] = [paths.slice(0, at).join(' '), paths.slice(at).join(' ')];
  throw new UsageError(
    `${shownPath(paths[at] ?? '')}: no such file or folder (a command comes after --: kprobe run ${files} -- ${command})`,
  );
}

/** Reads manifests, and adds to the diagnostics what the target cannot do. */
function load(
  sources: readonly ManifestSource[],
  { flags, commandLine }: RunInput,
  validate = flags.validate,
): LoadedManifest {
  const read = distinctPods(loadManifest(sources, { validate }));
  const pods =
    flags.create === true
      ? read.pods.map((pod) => withStandIns(pod, standInsOf(flags)))
      : read.pods;
  const manifest = { ...read, pods };
  const choices = hasErrors(manifest.diagnostics) ? [] : choicesOf(flags, manifest);
  // The engine's containers themselves are restarted.
  const isReal = flags.create === true || flags.restart === 'real';
  const mayRunHooks = commandLine !== undefined || flags.runHooks === true || isReal;
  const objections = preflight(manifest.pods, {
    execAllowed: flags.allowLocalExec === true,
    inEngine: ({ metadata: { uid } }, container) =>
      flags.create === true ||
      choices.some((choice) => choice.podUID === uid && choice.container === container),
    host: flags.host,
    hostsAllowed: flags.allowHost === true,
    runs: (_, handler) => mayRunHooks || !handler.startsWith('lifecycle.'),
  });
  return { ...manifest, diagnostics: [...manifest.diagnostics, ...objections] };
}

interface StartInput extends RunInput {
  readonly sources: readonly ManifestSource[];
  readonly manifest: LoadedManifest;
  readonly kube?: KubeRun;
}

async function start(input: StartInput, io: Io): Promise<number> {
  const { flags, paths } = input;
  const metrics = await openMetrics(await checkedFiles(flags));
  const statusFile =
    flags.statusFile === undefined ? undefined : await StatusFile.open(flags.statusFile);
  const traceFile = flags.record === undefined ? undefined : await TraceFile.open(flags.record);
  const clock = input.kube?.clock ?? new RealClock();
  const [found] = await Promise.all([
    input.kube ?? findTarget({ ...input, clock, io }, traceFile),
    loadTransports(),
  ]);
  if (found.kind === 'diagnostics') {
    await write(io.stderr, formatDiagnostics(found.diagnostics));
    return EXIT.usage;
  }
  await statusFile?.begin();
  const secrets = manifestSecrets(input.manifest);
  await tellOfSecrets(flags, io);
  const { session, header } = createSession(input, clock, found.target, secrets);
  const endRecording = recordSession(session, header, traceFile);
  const command = input.ci === undefined ? 'kprobe run' : 'kprobe ci';
  const about = { command, flags, header, sources: input.sources, io: input.ci?.io ?? io };
  const writeReports = await recordReports(session, about);
  metrics?.follow(session);
  const shown = { run: session, actions: sessionActions(session) };
  const renderer = await createRunRenderer({ flags, paths, io, clock, header, ...shown });
  session.onLine((line, summary) => {
    renderer.line(line, summary);
    if (line.kind === 'status') statusFile?.update(summary);
  });
  const end = await run(input, io, { clock, session, secrets, found, quit: renderer.quit });
  const exitCode = exitCodeOfEnd(end, io.signal);
  const problem = endRecording({ ...end, exitCode });
  await renderer.end({ ...end, exitCode }, session.summary);
  await statusFile?.end();
  await writeReports({ ...end, exitCode });
  metrics?.close();
  await write(io.stderr, problem);
  return exitCode;
}

function createSession(
  { flags, manifest }: StartInput,
  clock: Clock,
  target: Target,
  secrets: KnownSecrets,
) {
  const { host: hostIP, kubeletVersion, kubeletAge = LONG, withSecrets = false } = flags;
  const session = new Session({
    ...target,
    ...{ clock, hostIP, kubeletAge, kubeletVersion, secrets, withSecrets },
    runsHooks: (container) => flags.runHooks === true || !isSimulated(target, container),
  });
  const about = {
    kubelet: kubeletVersion,
    target: target.name,
    realRestarts: target.realRestarts,
    startedAt: new Date(session.origin).toISOString(),
    kubeletAge: kubeletAge / 1000,
  };
  return { session, header: traceHeader(about, manifest.pods) };
}

interface StartedRun {
  readonly clock: Clock;
  readonly session: Session;
  readonly found: FoundTarget;
  readonly secrets: KnownSecrets;
  readonly quit: Promise<void> | undefined;
}

/** Starts the session, and waits until the run has reached its goal. */
async function run(input: StartInput, io: Io, started: StartedRun) {
  const { clock, session, found, quit } = started;
  const { flags, manifest } = input;
  session.start(manifest.pods.map(({ pod }) => pod));
  for (const text of runNotes(flags, manifest, found)) session.note('info', text);
  if (input.ci !== undefined) {
    return input.ci.judge({ clock, session, target: found.target, signal: io.signal });
  }
  const stopWatching = flags.watch === true ? watch(input, started, io) : undefined;
  const end = await waitForGoal({
    clock,
    session: input.kube?.judged(session) ?? session,
    goal: goalOf(flags, quit === undefined ? 'settled' : 'open'),
    signal: io.signal,
    ...omitUndefined({ timeout: flags.timeout, maxRestarts: flags.maxRestarts }),
    ...omitUndefined({ quit, gone: input.kube?.follow(session) }),
  });
  stopWatching?.();
  return end;
}

async function checkedFiles(flags: RunFlags): Promise<RunFlags> {
  const { statusFile, record } = flags;
  await checkReports(flags);
  if (statusFile === undefined || record === undefined) return flags;
  if (resolve(statusFile) !== resolve(record)) return flags;
  throw new UsageError(`--status-file and --record both name ${record}: give each a file`);
}

/** Finds the target; without one, discards the trace file. */
async function findTarget(input: RunTargetInput, traceFile?: TraceFile): Promise<ContainerTarget> {
  let found: ContainerTarget | undefined;
  try {
    found = await orAborted(input.io.signal, runTarget(input));
    return found;
  } finally {
    if (found?.kind !== 'target') traceFile?.discard();
  }
}

/** Applies changed manifests; one with errors changes nothing and is reported. */
function watch(input: StartInput, { session, secrets, found }: StartedRun, io: Io): () => void {
  const { paths, sources, flags } = input;
  const { warnings = [], check } = found;
  const shown = new Set(warnings.map(withField));
  return watchManifests(paths, flags, io, sources, (changed) => {
    const manifest = load(changed, input);
    const objections = hasErrors(manifest.diagnostics) ? [] : (check?.(manifest.pods) ?? []);
    const diagnostics = [...manifest.diagnostics, ...objections];
    if (hasErrors(diagnostics)) {
      const [first] = diagnostics.filter(({ severity }) => severity === 'error');
      const what = first === undefined ? '' : formatDiagnostic({ ...first, source: '' });
      session.note('warning', `the changed manifest has errors and is not applied: ${what}`);
      return;
    }
    for (const objection of objections.filter((each) => !shown.has(withField(each)))) {
      shown.add(withField(objection));
      session.note('info', formatDiagnostic({ ...objection, source: '' }));
    }
    manifestSecrets(manifest, secrets);
    session.update(manifest.pods.map(({ pod }) => pod));
  });
}

/** The user's actions on a live run. */
function sessionActions(session: Session): RunActions {
  return {
    trigger: (pod, container, probe) =>
      session.trigger(pod, container, probe)
        ? undefined
        : `${container}/${probe} is not probed now`,
    restart: (pod, container) => session.restart(pod, container),
  };
}
