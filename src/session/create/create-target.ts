import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { allContainers, type Pod } from '../../api/index.js';
import { type Diagnostic, hasErrors } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { connectEngine } from '../../runtime/container/connect-engine.js';
import { EngineRuntime } from '../../runtime/container/create/engine-runtime.js';
import { PodRoutes } from '../../runtime/container/create/pod-routes.js';
import {
  claimSession,
  type EngineSession,
  findSessions,
  releaseSession,
  removeContainersAndVolumes,
} from '../../runtime/container/create/sessions.js';
import type { Engine } from '../../runtime/container/engine.js';
import { EngineExecs } from '../../runtime/container/engine-execs.js';
import { type EnginePlace, enginePlace } from '../../runtime/container/engine-place.js';
import { NetnsConnectors } from '../../runtime/container/netns.js';
import { type Host, localNode } from '../../runtime/host.js';
import { ownerOf } from '../../runtime/process-owner.js';
import { counted } from '../../text/count.js';
import { UsageError } from '../../usage-error.js';
import type { ContainerTarget, EngineTargetOptions } from '../targets/attach-target.js';
import { engineTransports } from '../targets/checked-transports.js';
import type { Target } from '../targets/local-target.js';
import { allProbedPorts, probedPorts } from '../targets/probed-ports.js';
import { createPreflight, type PreflightFlags } from './create-preflight.js';
import { rejectUnusedReplacements, type Replacements } from './replacements.js';

export interface CreateTargetOptions extends EngineTargetOptions, PreflightFlags {
  /** The engine's network; its bridge, if it has one, when absent. */
  readonly network?: string;
  readonly within: boolean;
  readonly keep: boolean;
  /** Already applied to `pods`. */
  readonly replacements: Replacements;
  /** Asks the user when there are leftovers; undefined is no answer. */
  readonly onLeftover: (pods: readonly string[]) => Promise<'adopt' | 'replace' | undefined>;
  readonly pid: number;
}

/**
 * Creates pods from their manifests in an engine. Starts nothing yet, and removes only what the user says.
 *
 * @throws UsageError when an earlier run left something of the pods, and the user has not said what to do with it
 * @throws RuntimeError when the engine cannot be reached
 */
export async function createTarget(options: CreateTargetOptions): Promise<ContainerTarget> {
  const { clock, host, pods } = options;
  rejectUnusedReplacements(pods, options.replacements);
  const engine = await connectEngine(options.engine, clock, host);
  const network = options.network ?? (await defaultNetwork(engine));
  const isIsolated = network === 'none';
  const within = options.within || isIsolated;
  const check = (all: readonly LoadedPod[]): readonly Diagnostic[] =>
    createPreflight(all, {
      ...options,
      config: options,
      isIsolated,
      volumes: options.replacements.volumes,
      machine: { hasFile: existsSync, hasAppArmor: hasAppArmor() },
    });
  const diagnostics = check(pods);
  if (hasErrors(diagnostics)) return { kind: 'diagnostics', diagnostics };
  const place = await enginePlace(engine);
  if (place.kind === 'remote') refuseRemote(options, place.host);
  if (within) await checkEntry(options, network);
  const left = await leftovers(options, engine);
  const owner = await ownerOf(options.pid);
  if (left.adopted !== undefined) await claimSession(left.adopted, owner);
  const run = { network, owner, place, within, adopted: left.adopted };
  const notes = [describe(options, network, within), ...left.notes];
  const target = targetOf(options, engine, run);
  return { kind: 'target', target, notes, warnings: diagnostics, check };
}

/** Ports IsEnabled (opencontainers/runc libcontainer/apparmor). */
function hasAppArmor(): boolean {
  try {
    return readFileSync('/sys/module/apparmor/parameters/enabled', 'latin1').startsWith('Y');
  } catch {
    return false;
  }
}

/** Throws a UsageError where probes or mounts would take this machine for the engine's. */
function refuseRemote({ pods, address }: CreateTargetOptions, host: string): void {
  const mounts = pods.some(({ pod }) => pod.spec.volumes?.some((volume) => volume.hostPath));
  if (!mounts && allProbedPorts(pods, address).length === 0) return;
  const needed = mounts ? 'hostPath volumes' : 'network probes';
  throw new UsageError(
    `--create: ${needed} need an engine on this machine, and this one is at ${host}`,
  );
}

/** Throws a UsageError when probes would have to enter the pods' networks, and this process may not. */
async function checkEntry(options: CreateTargetOptions, network: string): Promise<void> {
  const isolated = options.pods.filter(({ pod }) => pod.spec.hostNetwork !== true);
  if (allProbedPorts(isolated, options.address).length === 0) return;
  const connectors = new NetnsConnectors(options.nodePath);
  const problem = await connectors.check(options.pid);
  connectors.close();
  if (problem === undefined) return;
  throw new UsageError(`network ${network}, probes from within: ${problem} (run kprobe as root)`);
}

async function defaultNetwork({ commands }: Engine): Promise<string> {
  const names = await commands.networks();
  return names.find((name) => name === 'bridge' || name === 'podman') ?? 'none';
}

interface Leftovers {
  /** The session that this run takes over. */
  readonly adopted?: string | undefined;
  readonly notes: readonly string[];
}

/** Adopts or removes what killed runs have left of these pods, as the user chooses. */
async function leftovers(options: CreateTargetOptions, engine: Engine): Promise<Leftovers> {
  const uids = new Set(options.pods.map(({ pod }) => pod.metadata.uid));
  const dead = (await findSessions(engine, options.host)).filter((session) => !session.isAlive);
  const same = dead.filter(({ pods }) => [...pods.keys()].some((uid) => uids.has(uid)));
  const others = dead.filter((session) => !same.includes(session));
  const notes = others.length === 0 ? [] : [`${describeAll(others)}: kprobe down removes it`];
  if (same.length === 0) return { notes };
  const names = [...new Set(same.flatMap(({ pods }) => [...pods.values()]))];
  switch (await options.onLeftover(names)) {
    case 'adopt':
      return {
        adopted: adoptable(same, uids),
        notes: [...notes, `took over what was left: ${describeAll(same)}`],
      };
    case 'replace':
      for (const { id } of same) await removeSession(engine, id);
      return { notes: [...notes, `removed what was left of ${names.join(', ')}`] };
    case undefined:
      throw new UsageError(
        `${describeAll(same)}: add --adopt to take it over, or --replace to remove it first (kprobe down also removes it)`,
      );
  }
}

function adoptable(same: readonly EngineSession[], uids: ReadonlySet<string>): string {
  const [only, another] = same;
  if (only === undefined || another !== undefined) {
    throw new UsageError(`${same.length} runs have left the same pod: add --replace`);
  }
  if ([...only.pods.keys()].some((uid) => !uids.has(uid))) {
    throw new UsageError(`${describeAll(same)}, more than this manifest has: add --replace`);
  }
  return only.id;
}

function describeAll(sessions: readonly EngineSession[]): string {
  const names = [...new Set(sessions.flatMap(({ pods }) => [...pods.values()]))].join(', ');
  const count = sessions.reduce((sum, { containers }) => sum + containers, 0);
  return `an earlier run of kprobe left ${names === '' ? 'volumes' : `${names} (${counted(count, 'container')})`}`;
}

async function removeSession(engine: Engine, session: string): Promise<void> {
  await removeContainersAndVolumes(engine, session);
  await releaseSession(session);
}

interface SessionOfRun extends Pick<Leftovers, 'adopted'> {
  readonly place: EnginePlace;
  readonly network: string;
  readonly within: boolean;
  readonly owner: string;
}

function targetOf(options: CreateTargetOptions, engine: Engine, run: SessionOfRun): Target {
  const { clock, host, address, nodePath } = options;
  const { within, adopted, place } = run;
  const session = adopted ?? randomBytes(4).toString('hex');
  const connectors = new NetnsConnectors(nodePath);
  const routes = new PodRoutes(connectors, within, place.kind === 'here');
  return {
    name: 'created',
    realRestarts: options.pods.flatMap(({ pod }) => allContainers(pod.spec).map((c) => c.name)),
    transports: engineTransports(options, engine, routes),
    createRuntime: (listener) =>
      new EngineRuntime({
        ...options,
        ...run,
        engine,
        listener,
        session,
        portsOf,
        routes,
        config: options,
        execs: new EngineExecs({ engine, clock, host }),
        node: localNode(address),
        adopts: adopted !== undefined,
        onClose: () => {
          connectors.close();
          void releaseSession(session);
        },
      }),
  };
}

function portsOf({ spec }: Pod): readonly number[] {
  const containers = allContainers(spec);
  const declared = containers.flatMap(({ ports = [] }) =>
    ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP').map((port) => port.containerPort),
  );
  const probed = containers.flatMap((container) => probedPorts(container).map(({ port }) => port));
  return [...new Set([...declared, ...probed])];
}

function describe({ engine, keep }: CreateTargetOptions, network: string, within: boolean): string {
  const probed = within
    ? "probed from within the pod's network"
    : 'probed at published ports of 127.0.0.1';
  const end = keep ? 'left when kprobe ends' : 'removed when kprobe ends';
  return `made in ${engine}, network ${network}, ${probed}; ${end}`;
}

/**
 * Removes the pods that runs of kprobe have left in an engine; with `all`, also those of a kprobe that is still running.
 * Resolves with the names of the pods that it removed, and of those that a running kprobe still uses.
 *
 * @throws RuntimeError when the engine cannot be reached
 */
export async function down(engine: Engine, host: Host, all: boolean) {
  const sessions = await findSessions(engine, host);
  const removed = sessions.filter(({ isAlive }) => all || !isAlive);
  const kept = sessions.filter((session) => !removed.includes(session));
  for (const { id } of removed) await removeSession(engine, id);
  return { removed: namesOf(removed), kept: namesOf(kept) };
}

function namesOf(sessions: readonly EngineSession[]): string[] {
  return sessions.flatMap(({ id, pods }) => {
    const names = [...new Set(pods.values())];
    return names.length > 0 ? names : [`volumes of ${id}`];
  });
}
