import { availableParallelism } from 'node:os';

import {
  allContainers,
  type ConfigMap,
  type Pod,
  runsToCompletion,
  type Secret,
} from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import type { ProbeTransports } from '../../kubelet/ports.js';
import type { EngineListener } from '../../kubelet/traced-runtime.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { LocalExec } from '../../probe/local-exec.js';
import { createTransports, mappedPorts } from '../../probe/transports.js';
import { localBackings, PersistentProcess } from '../../runtime/backing.js';
import { type Host, localNode } from '../../runtime/host.js';
import { LocalRuntime } from '../../runtime/local-runtime.js';
import { isListening, portHolder } from '../../runtime/port-holder.js';
import type { TargetRuntime } from '../session.js';
import type { ProcessChoice } from './choose-containers.js';
import { problemOf } from './permissions.js';
import { probePortsOf } from './probed-ports.js';

export interface TargetOptions {
  readonly clock: Clock;
  readonly host: Host;
  /** The address on which the containers listen. */
  readonly address: string;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** Version in the User-Agent, such as `1.36`. */
  readonly kubeletVersion: string;
}

export interface LocalTargetOptions extends TargetOptions {
  /** Container port → local port. */
  readonly ports: ReadonlyMap<number, number>;
  readonly execAllowed: boolean;
  readonly processes?: readonly ProcessChoice[];
  /** Restarts of the processes are simulated: they live on. */
  readonly isKeptAlive?: boolean;
}

/** The probed target: servers on this machine, a process, running containers, containers that kprobe creates, or a cluster's pod. */
export interface Target {
  readonly name: 'attached' | 'process' | 'containers' | 'created' | 'pod';
  /** Names of the containers that are restarted for real. */
  readonly realRestarts: readonly string[];
  readonly createRuntime: (listener: EngineListener) => TargetRuntime;
  readonly transports: ProbeTransports;
}

/** Probes what listens on this machine, and processes that kprobe starts, as the containers of pods. Threads that make attempts run `attemptProgram`. */
export async function localTarget(
  options: LocalTargetOptions,
  pods: readonly Pod[],
  attemptProgram: URL,
): Promise<Target> {
  const { processes = [], clock } = options;
  const name = processes.length === 0 ? 'attached' : 'process';
  // An init container ends by itself: there is no restart to simulate.
  const isRestarted = ({ pod, container }: ProcessChoice): boolean =>
    options.isKeptAlive !== true || runsToCompletion(pod.spec, container);
  const targets = processes.map((choice) => ({
    ...choice,
    podUID: choice.pod.metadata.uid,
    persistent: isRestarted(choice) ? undefined : new PersistentProcess(clock),
  }));
  const backingFor = localBackings(targets);
  return {
    name,
    realRestarts: processes.filter(isRestarted).map(({ container }) => container),
    transports: await localTransports(options, pods, attemptProgram),
    createRuntime: (listener) =>
      new LocalRuntime({ ...runtimeOptions(options), name, listener, backingFor }),
  };
}

/** Returns the options of a runtime whose commands, if any may run, run on this machine. */
export function runtimeOptions(options: LocalTargetOptions) {
  const { clock, host, address, execAllowed } = options;
  return {
    clock,
    host,
    address,
    node: localNode(address),
    config: options,
    ...(execAllowed && { exec: new LocalExec(clock, host) }),
  };
}

/**
 * Attempts per second from which threads make them, and the number that one thread makes. Of 2,400 per second on a busy
 * machine, the main thread made 600 to 1,200, and one more thread 2,000 to 2,400. At 600 per second, it gains nothing.
 */
const MIN_THREADED_RATE = 1000;
const RATE_PER_THREAD = 2500;

async function localTransports(
  { clock, kubeletVersion, address, ports }: LocalTargetOptions,
  pods: readonly Pod[],
  program: URL,
): Promise<ProbeTransports> {
  const rate = pods.reduce((sum, pod) => sum + attemptRate(pod), 0);
  if (rate < MIN_THREADED_RATE) {
    return createTransports({ clock, kubeletVersion, dial: mappedPorts(address, ports) });
  }
  const count = Math.min(availableParallelism(), Math.ceil(rate / RATE_PER_THREAD));
  const { threadedTransports } = await import('../../probe/threaded-transports.js');
  return threadedTransports(program, count, { kubeletVersion, address, ports }, clock);
}

/** Returns the attempts per second of a pod's network probes. */
function attemptRate({ spec }: Pod): number {
  return allContainers(spec)
    .flatMap(({ readinessProbe, livenessProbe }) => [readinessProbe, livenessProbe])
    .filter((probe) => probe !== undefined && probe.exec === undefined)
    .reduce((sum, probe) => sum + 1 / (probe?.periodSeconds ?? 10), 0);
}

interface PortsInUseOptions extends Pick<LocalTargetOptions, 'address' | 'ports'> {
  readonly pods: readonly LoadedPod[];
  readonly processes: readonly ProcessChoice[];
}

/** Finds the probes whose port answers before their commands start: they would probe another process. */
export async function portsInUse(options: PortsInUseOptions): Promise<readonly Diagnostic[]> {
  const { pods, processes, address, ports } = options;
  const answered = new Map<number, boolean>();
  const found: Diagnostic[] = [];
  const probed = pods.flatMap((loaded) =>
    processes
      .filter(({ pod }) => pod === loaded.pod)
      .flatMap(({ container }) => probePortsOf(loaded, container, address)),
  );
  for (const { loaded, handler, field, port } of probed) {
    const local = ports.get(port) ?? port;
    const known = answered.get(local);
    const isHeld = known ?? (await isListening(address, local));
    answered.set(local, isHeld);
    // Report a port once, at its first probe.
    if (!isHeld || known !== undefined) continue;
    const message = `port ${local} is in use${ownerText(address, local)}: the ${handler} would probe that, not the command`;
    const hint =
      'stop it, or map the port to a free one with -p LOCAL:CONTAINER; --allow-shared-port starts the command anyway';
    found.push(problemOf(loaded, { field, message, hint }));
  }
  return found;
}

function ownerText(address: string, port: number): string {
  const holder = portHolder(address, port);
  return holder === undefined ? '' : ` by ${holder.name} (pid ${holder.pid})`;
}
