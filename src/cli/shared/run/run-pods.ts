import { isSea } from 'node:sea';
import { setFlagsFromString } from 'node:v8';

import type { Clock } from '../../../clock/clock.js';
import type { KubeletConfig } from '../../../kubelet/release.js';
import { manifestSecrets } from '../../../manifest/pods/manifest-secrets.js';
import { loadTransports } from '../../../probe/transports.js';
import { formatDiagnostics } from '../../../report/format-diagnostic.js';
import type { KnownSecrets } from '../../../secrets/known-secrets.js';
import type { TrialScope } from '../../../session/evidence.js';
import { Session } from '../../../session/session.js';
import type { Target } from '../../../session/targets/local-target.js';
import { headerFacts } from '../../../trace/trace-record.js';
import { EXIT } from '../exit-code.js';
import { type CommandInput, type Io, orAborted, type RunLimits, write } from '../io.js';
import { traceHeader } from '../output/trace-file.js';
import { isSimulatedIn, type RunActions } from '../output-style.js';
import { reportRefused } from '../reports/reports.js';
import { findTarget, type FoundTarget, isSimulated, runNotes } from './find-target.js';
import type { PodFlags } from './pod-flags.js';
import type { ReadPods } from './read-pods.js';
import { type CheckedEnd, orDiscarded, type RunFiles, runWithOutputs } from './run-outputs.js';

interface RunPodsInput extends CommandInput<PodFlags & RunLimits>, ReadPods {
  readonly command: 'kprobe run' | 'kprobe ci';
  readonly io: Io;
  readonly reportIo?: Io;
  readonly files: RunFiles;
  readonly clock: Clock;
  readonly kubelet: KubeletConfig;
  /** The target, where the flags do not determine it. */
  readonly found?: FoundTarget | undefined;
  readonly run: (ready: ReadyRun) => Promise<CheckedEnd>;
}

export interface ReadyRun {
  readonly clock: Clock;
  readonly session: Session;
  readonly found: FoundTarget;
  readonly secrets: KnownSecrets;
  /** Settles when the user quits. */
  readonly quit: Promise<void> | undefined;
  readonly start: () => void;
}

/** Milliseconds that the kubelet has run: long enough that no worker waits a random time before its first attempt. */
const LONG = 10 * 365 * 24 * 3600 * 1000;

/** Pods up to which a run saves memory; with thousands, collections of garbage would take too much CPU time. */
const SAVES_MEMORY_UP_TO = 100;

/** Runs pods on the target that the flags name, with all outputs; resolves with the exit code. */
export async function runPods(input: RunPodsInput): Promise<number> {
  const { command, flags, manifest, io, reportIo, files, clock } = input;
  const found = input.found ?? orAborted(io.signal, findTarget(input));
  const [target] = await orDiscarded(files, Promise.all([found, loadTransports()]));
  if (target.kind === 'diagnostics') {
    files.traceFile?.discard();
    await write(io.stderr, formatDiagnostics(target.diagnostics));
    await reportRefused({ command, flags, io: reportIo ?? io }, target.diagnostics);
    return EXIT.usage;
  }
  const secrets = manifestSecrets(manifest);
  const { session, header } = createSession(input, target.target, secrets);
  const start = (): void => {
    session.start(manifest.pods.map(({ pod }) => pod));
    for (const text of runNotes(flags, manifest, target)) session.note('info', text);
  };
  const ready = { clock, session, found: target, secrets, start };
  const actions = sessionActions(session, flags);
  const run = (quit: ReadyRun['quit']) => {
    // Only the UI has something to quit.
    if (manifest.pods.length <= SAVES_MEMORY_UP_TO) saveMemory({ isUI: quit !== undefined });
    return input.run({ ...ready, quit });
  };
  return runWithOutputs({ ...input, session, header, actions, run });
}

function saveMemory({ isUI }: { isUI: boolean }): void {
  // With these flags, V8 rejects cached code, which the chunks of the single executable need.
  if (isSea()) return;
  // Optimized for size, the UI takes 10.3 % of a core in place of 8.1 (20 probes of 1 s).
  if (!isUI) setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}

function createSession(
  { flags, manifest, clock, kubelet }: RunPodsInput,
  target: Target,
  secrets: KnownSecrets,
) {
  const { host: hostIP, kubeletAge = LONG, withSecrets } = flags;
  const restarts = { target: target.name, realRestarts: target.realRestarts };
  const session = new Session({
    ...target,
    clock,
    hostIP,
    kubeletAge,
    kubelet,
    secrets,
    withSecrets,
    trials: trialScope(flags, target),
    isSimulated: flags.hints === false ? undefined : isSimulatedIn(restarts),
    runsHooks: (container) => flags.runHooks === true || !isSimulated(target, container),
  });
  const facts = {
    ...headerFacts(kubelet),
    ...restarts,
    startedAt: new Date(session.origin).toISOString(),
    kubeletAge: kubeletAge / 1000,
  };
  return { session, header: traceHeader(facts, manifest.pods) };
}

/** Returns the servers against which changes are tried: by default those that kprobe starts and ends. */
function trialScope({ hints, try: isTried }: PodFlags, { name }: Target): TrialScope {
  if (hints === false || isTried === false) return 'none';
  if (isTried === true) return 'all';
  return name === 'process' || name === 'created' ? 'started' : 'none';
}

function sessionActions(session: Session, { hints, try: isTried }: PodFlags): RunActions {
  const triesOnKey = hints !== false && isTried === undefined;
  return {
    ...(triesOnKey && { try: (...probe) => session.tryChanges(...probe) }),
    trigger: (pod, container, probe) =>
      session.trigger(pod, container, probe)
        ? undefined
        : `${container}/${probe} is not probed now`,
    restart: (pod, container) => session.restart(pod, container),
  };
}
