import { createInterface } from 'node:readline/promises';

import { allContainers, containersWithPath, runsToCompletion } from '../../../api/index.js';
import type { Clock } from '../../../clock/clock.js';
import { containerProbes } from '../../../kubelet/prober/probe-of.js';
import type { KubeletConfig } from '../../../kubelet/release.js';
import type { LoadedManifest } from '../../../manifest/pods/load-manifest.js';
import { formatDiagnostic } from '../../../report/format-diagnostic.js';
import { engineWords } from '../../../runtime/container/engine-kind.js';
import type { ContainerTarget } from '../../../session/targets/attach-target.js';
import { type ProcessChoice, processTargets } from '../../../session/targets/choose-containers.js';
import { localTarget, portsInUse, type Target } from '../../../session/targets/local-target.js';
import { allProbedPorts, rejectUnusedPorts } from '../../../session/targets/probed-ports.js';
import { passedOverText } from '../../../text/count.js';
import { escapeControl } from '../../../text/escape.js';
import { hasRealRestarts } from '../../../trace/real-restarts.js';
import { UsageError } from '../../../usage-error.js';
import { awaitAnswer, type Io, type RunLimits } from '../io.js';
import type { PodFlags } from './pod-flags.js';
import { choicesOf, replacementsOf } from './read-pods.js';

interface FindTargetInput {
  readonly flags: PodFlags & RunLimits;
  readonly commandLine: readonly string[] | undefined;
  readonly manifest: LoadedManifest;
  readonly kubelet: KubeletConfig;
  readonly clock: Clock;
  readonly io: Io;
}

/** Returns the target that the flags ask for; starts nothing of the manifest. */
export async function findTarget(input: FindTargetInput): Promise<ContainerTarget> {
  const { flags, commandLine, manifest } = input;
  const engineFlag = flags.create === undefined ? '--docker' : '--create';
  const usesEngine = flags.create === true || flags.docker !== undefined;
  if (usesEngine && commandLine !== undefined) {
    throw new UsageError(`${engineFlag} and a command after -- cannot be combined: choose one`);
  }
  rejectUnusedPorts(allProbedPorts(manifest.pods, flags.host), flags.port);
  if (!usesEngine) return processOrLocalTarget(input, targetOptions(input));
  const from = engineWords(flags.runtime ?? 'docker', input.io.env);
  return awaitAnswer(from, flags, input.io, (_, endLimit) => engineTarget(input, endLimit));
}

async function engineTarget(
  input: FindTargetInput,
  endLimit: () => void,
): Promise<ContainerTarget> {
  const { flags, manifest, io } = input;
  const engineOptions = {
    ...targetOptions(input),
    engine: flags.runtime ?? ('docker' as const),
    pods: manifest.pods,
    nodePath: process.execPath,
  };
  if (flags.create === true) {
    const { createTarget } = await import('../../../session/create/create-target.js');
    return createTarget({
      ...engineOptions,
      within: flags.via === 'exec',
      keep: flags.keep === true,
      hostPathAllowed: flags.allowHostPath === true,
      privilegedAllowed: flags.allowPrivileged === true,
      strict: flags.strict === true,
      replacements: replacementsOf(flags),
      onLeftover: (pods) => {
        endLimit();
        return leftoverChoice(pods, flags, io);
      },
      pid: process.pid,
      ...(flags.network !== undefined && { network: flags.network }),
    });
  }
  const { attachTarget } = await import('../../../session/targets/attach-target.js');
  return attachTarget({
    ...engineOptions,
    choices: choicesOf(flags, manifest),
    restarts: flags.restart === 'real',
    via: flags.via === 'exec' ? 'exec' : 'host',
  });
}

async function processOrLocalTarget(
  { flags, commandLine, manifest, io }: FindTargetInput,
  options: ReturnType<typeof targetOptions>,
): Promise<ContainerTarget> {
  const pods = manifest.pods.map(({ pod }) => pod);
  const processes = processTargets(pods, commandLine, flags.container);
  if (flags.allowSharedPort !== true) {
    const diagnostics = await portsInUse({ ...options, pods: manifest.pods, processes });
    if (diagnostics.length > 0) return { kind: 'diagnostics', diagnostics };
  }
  const attemptProgram = io.worker('attempt-worker');
  const isKeptAlive = flags.restart === 'simulated';
  const target = await localTarget({ ...options, processes, isKeptAlive }, pods, attemptProgram);
  const attached = `attached to ${flags.host}: restarts are simulated, the target is left alone`;
  const kept = `restarts are simulated: the command${processes.length > 1 ? 's are' : ' is'} left running`;
  const notes =
    processes.length === 0
      ? [attached]
      : [...(isKeptAlive ? [kept] : []), ...unstartedNotes(manifest, processes, flags)];
  return { kind: 'target', target, notes };
}

/** Returns a note about the containers with probes for which there is no command. */
function unstartedNotes(
  { pods }: LoadedManifest,
  processes: readonly ProcessChoice[],
  { host }: PodFlags,
): readonly string[] {
  const unstarted = pods.flatMap(({ pod }) =>
    allContainers(pod.spec).filter(
      (container) =>
        containerProbes(container).length > 0 &&
        !processes.some((each) => each.pod === pod && each.container === container.name),
    ),
  );
  if (unstarted.length === 0) return [];
  const names = unstarted.map(({ name }) => name).join(', ');
  return [
    `not started: ${names} (probes fail until something answers at their ports on ${host}; -- NAME=COMMAND starts a container)`,
  ];
}

function targetOptions({ flags, manifest, kubelet, clock, io }: FindTargetInput) {
  return {
    clock,
    host: io.host,
    address: flags.host,
    ports: flags.port ?? new Map<number, number>(),
    execAllowed: flags.allowLocalExec === true,
    configMaps: manifest.configMaps,
    secrets: manifest.secrets,
    kubeletVersion: kubelet.version,
  };
}

/** Decides about pods that an earlier run left: by the flags, or by asking at a terminal. */
async function leftoverChoice(pods: readonly string[], { adopt, replace }: PodFlags, io: Io) {
  if (adopt === true) return 'adopt';
  if (replace === true) return 'replace';
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return undefined;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  const names = escapeControl(pods.join(', '));
  try {
    const question = `An earlier run of kprobe left ${names}. Adopt it, remove it, or quit? [a/r/q] `;
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

export type FoundTarget = Extract<ContainerTarget, { kind: 'target' }>;

/** Reports whether restarts of a container are only simulated. */
export function isSimulated({ name, realRestarts }: Target, container: string): boolean {
  return !hasRealRestarts({ target: name, realRestarts }, container);
}

export function runNotes(
  flags: PodFlags,
  manifest: LoadedManifest,
  { target, notes, warnings = [] }: FoundTarget,
): readonly string[] {
  const passedOver = passedOverText(manifest.passedOver);
  return [
    ...[...manifest.diagnostics, ...warnings].map((diagnostic) =>
      formatDiagnostic({ ...diagnostic, source: '' }),
    ),
    ...(passedOver === undefined ? [] : [passedOver]),
    ...notes,
    ...(target.name === 'pod' ? [] : hookNotes(flags, target, manifest)),
    ...initNotes(target, manifest),
  ];
}

function hookNotes({ runHooks }: PodFlags, target: Target, { pods }: LoadedManifest): string[] {
  const hooks = pods.flatMap(({ pod: { spec } }) =>
    containersWithPath(spec, 'spec')
      .filter(({ container: { name } }) => isSimulated(target, name))
      .flatMap(({ container: { name, lifecycle = {} } }) =>
        (['postStart', 'preStop'] as const)
          .filter((hook) => (lifecycle[hook]?.exec ?? lifecycle[hook]?.httpGet) !== undefined)
          .map((hook) => `${hook} of ${name}`),
      ),
  );
  if (hooks.length === 0) return [];
  const names = hooks.join(', ');
  if (runHooks === true) return [`hooks run although restarts are simulated: ${names}`];
  return [`hooks do not run, since restarts are simulated: ${names} (--run-hooks runs them)`];
}

function initNotes(target: Target, { pods }: LoadedManifest): string[] {
  if (['created', 'pod'].includes(target.name)) return [];
  const inits = pods.flatMap(({ pod }) =>
    allContainers(pod.spec)
      .map(({ name }) => name)
      .filter((name) => runsToCompletion(pod.spec, name) && isSimulated(target, name)),
  );
  if (inits.length === 0) return [];
  return [`init containers do not run, they count as completed: ${inits.join(', ')}`];
}
