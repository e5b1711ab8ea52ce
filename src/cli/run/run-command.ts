import { resolve } from 'node:path';

import type { Target } from '../../app/local-target.js';
import { preflight } from '../../app/preflight.js';
import { type Goal, type RunEnd, waitForGoal } from '../../app/run.js';
import { Session } from '../../app/session.js';
import { RealClock } from '../../clock/real-clock.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import { formatDiagnostic, formatDiagnostics } from '../../render/format-diagnostic.js';
import { passedOverText } from '../../render/text/count.js';
import { EXIT, exitCodeOfVerdict } from '../shared/exit-code.js';
import { type Io, orAborted } from '../shared/io.js';
import { readSources, refuseScenarios } from '../shared/read-sources.js';
import { createRunRenderer } from '../shared/run-renderer.js';
import type { RunActions } from '../shared/shown-run.js';
import { recordSession, TraceFile, traceHeader } from '../shared/trace-file.js';
import { UsageError } from '../shared/usage-error.js';
import type { RunFlags } from './run-options.js';
import {
  choicesOf,
  realRestarts,
  refuseIdleFlags,
  type RunTarget,
  runTarget,
  type RunTargetInput,
} from './run-target.js';
import { StatusFile } from './status-file.js';
import { watchManifests } from './watch-manifests.js';

export interface RunCommandInput {
  readonly paths: readonly string[];
  readonly flags: RunFlags;
  /** What stands after `--`. */
  readonly commandLine: readonly string[] | undefined;
}

export interface RunCommandEnd {
  readonly exitCode: number;
  /** For standard error. */
  readonly message: string;
}

/** The kubelet is taken to have been up for long: no worker waits at random before its first look. */
const LONG = 10 * 365 * 24 * 3600 * 1000;

/** `kprobe run`: reads, checks, and only then starts. */
export async function runCommand(input: RunCommandInput, io: Io): Promise<RunCommandEnd> {
  const { paths } = input;
  if (paths.length === 0) {
    throw new UsageError('no manifest given: name a file or a folder, or - for standard input');
  }
  refuseIdleFlags(input.flags);
  const sources = await readSources(paths, io);
  const manifest = load(sources, input.flags);
  if (hasErrors(manifest.diagnostics)) {
    refuseScenarios(sources);
    const message = formatDiagnostics(manifest.diagnostics) + wayOut(sources, input.flags);
    return { exitCode: EXIT.usage, message };
  }
  return start({ ...input, sources, manifest }, io);
}

/** A kubelet could run what only the API server has something against. */
function wayOut(sources: readonly ManifestSource[], flags: RunFlags): string {
  if (
    flags.validate === false ||
    hasErrors(load(sources, { ...flags, validate: false }).diagnostics)
  ) {
    return '';
  }
  return 'kprobe: the API server would refuse this; --no-validate runs it all the same\n';
}

/** Reads manifests, with what the target has to say against them among the diagnostics. */
function load(sources: readonly ManifestSource[], flags: RunFlags): LoadedManifest {
  const manifest = loadManifest(sources, { validate: flags.validate ?? true });
  const choices = hasErrors(manifest.diagnostics) ? [] : choicesOf(flags, manifest);
  const objections = preflight(manifest.pods, {
    execAllowed: flags.allowLocalExec ?? false,
    inEngine: ({ metadata: { uid } }, container) =>
      flags.create === true ||
      choices.some((choice) => choice.podUID === uid && choice.container === container),
    host: flags.host,
    hostsAllowed: flags.allowHost ?? false,
  });
  return { ...manifest, diagnostics: [...manifest.diagnostics, ...objections] };
}

interface StartInput extends RunCommandInput {
  readonly sources: readonly ManifestSource[];
  readonly manifest: LoadedManifest;
}

async function start(input: StartInput, io: Io): Promise<RunCommandEnd> {
  const { flags, manifest } = input;
  refuseOneFileForTwo(flags);
  const statusFile =
    flags.statusFile === undefined ? undefined : await StatusFile.open(flags.statusFile);
  const traceFile = flags.record === undefined ? undefined : await TraceFile.open(flags.record);
  const clock = new RealClock();
  const found = await findTarget({ ...input, clock, io }, traceFile);
  if (found.kind === 'none') return found;
  await statusFile?.begin();
  const { target } = found;
  const pods = manifest.pods.map(({ pod }) => pod);
  const kubeletAge = flags.kubeletAge ?? LONG;
  const { host: hostIP, kubeletVersion } = flags;
  const session = new Session({ ...target, clock, hostIP, kubeletAge, kubeletVersion });
  const header = traceHeader({
    target: target.name,
    session,
    realRestarts: realRestarts(target.name, flags, pods),
    kubeletAge,
    kubeletVersion,
    pods: manifest.pods,
  });
  const endRecording = recordSession(session, header, traceFile);
  const renderer = await createRunRenderer({
    ...{ flags, io, clock, header },
    run: session,
    actions: sessionActions(session),
  });
  session.onLine((line, summary) => renderer.line(line, summary));
  session.onLine(({ kind }, summary) => {
    if (kind === 'status') statusFile?.update(summary);
  });
  session.start(pods);
  for (const text of [...notes(manifest), ...found.notes, ...initNotes(target, manifest)]) {
    session.note('info', text);
  }
  const stopWatching = flags.watch === true ? watch(input, session, io) : undefined;
  const end = await waitForGoal({
    clock,
    session,
    goal: goalOf(flags, renderer.quit !== undefined),
    signal: io.signal,
    ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
    ...(renderer.quit === undefined ? {} : { quit: renderer.quit }),
  });
  stopWatching?.();
  const exitCode = exitCodeOf(end, io.signal);
  const message = endRecording({ ...end, exitCode });
  await renderer.end({ ...end, exitCode }, session.summary);
  await statusFile?.end();
  return { exitCode, message };
}

function refuseOneFileForTwo({ statusFile, record }: RunFlags): void {
  if (statusFile === undefined || record === undefined) return;
  if (resolve(statusFile) !== resolve(record)) return;
  throw new UsageError(`--status-file and --record both name ${record}: give each a file`);
}

/** Where there is no target, there is nothing to record. */
async function findTarget(input: RunTargetInput, traceFile?: TraceFile): Promise<RunTarget> {
  let found: RunTarget | undefined;
  try {
    found = await orAborted(input.io.signal, runTarget(input));
    return found;
  } finally {
    if (found?.kind !== 'target') traceFile?.discard();
  }
}

function notes(manifest: LoadedManifest): string[] {
  const passedOver = passedOverText(manifest.passedOver);
  return [
    ...manifest.diagnostics.map((diagnostic) => formatDiagnostic({ ...diagnostic, source: '' })),
    ...(passedOver === undefined ? [] : [passedOver]),
  ];
}

/** Init containers that never run. */
function initNotes(target: Target, { pods }: LoadedManifest): string[] {
  if (target.name === 'created') return [];
  const inits = pods.flatMap(({ pod }) =>
    (pod.spec.initContainers ?? []).filter((c) => c.restartPolicy !== 'Always').map((c) => c.name),
  );
  if (inits.length === 0) return [];
  return [`nothing stands for init containers, they count as completed: ${inits.join(', ')}`];
}

function goalOf(flags: RunFlags, interactive: boolean): Goal {
  if (flags.until !== undefined) return { kind: 'until', condition: flags.until };
  if (flags.for !== undefined) return { kind: 'for', time: flags.for };
  return { kind: interactive ? 'open' : 'settled' };
}

/** Takes up changes; a manifest with errors changes nothing, but is told of. */
function watch({ paths, sources, flags }: StartInput, session: Session, io: Io): () => void {
  return watchManifests(paths, io, sources, (changed) => {
    const manifest = load(changed, flags);
    if (hasErrors(manifest.diagnostics)) {
      const [first] = manifest.diagnostics.filter(({ severity }) => severity === 'error');
      const what = first === undefined ? '' : formatDiagnostic({ ...first, source: '' });
      session.note('warning', `the changed manifest is not taken up: ${what}`);
      return;
    }
    session.update(manifest.pods.map(({ pod }) => pod));
  });
}

function exitCodeOf({ kind, verdict }: RunEnd, signal: AbortSignal): number {
  if (kind === 'timeout') return EXIT.timeout;
  if (kind === 'interrupted') return Number(signal.reason);
  return exitCodeOfVerdict(verdict);
}

/** A live run obeys. */
function sessionActions(session: Session): RunActions {
  return {
    trigger: (pod, container, probe) =>
      session.trigger(pod, container, probe)
        ? undefined
        : `${container}/${probe} has no worker now`,
    restart: (pod, container) => session.restart(pod, container),
  };
}
