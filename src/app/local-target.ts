import { availableParallelism } from 'node:os';

import { allContainers, type ConfigMap, type Pod, type Secret } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import type { ProbeTransports } from '../kubelet/ports.js';
import type { EngineListener } from '../kubelet/traced-runtime.js';
import { LocalExec } from '../probe/local-exec.js';
import { createTransports, mappedPorts } from '../probe/transports.js';
import { configSource } from '../runtime/environment/config.js';
import { type Host, localNode } from '../runtime/host.js';
import { LocalRuntime } from '../runtime/local-runtime.js';
import { localStandIns } from '../runtime/stand-in.js';
import type { ProcessChoice } from './container-choices.js';
import type { TargetRuntime } from './session.js';

export interface LocalTargetOptions {
  readonly clock: Clock;
  readonly host: Host;
  /** The address on which the containers listen. */
  readonly address: string;
  /** Container port → local port. */
  readonly ports: ReadonlyMap<number, number>;
  readonly execAllowed: boolean;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  readonly process?: ProcessChoice | undefined;
  /** As in `1.36`. */
  readonly kubeletVersion: string;
}

/** The probed target: servers on this machine, a process, running containers, containers that kprobe creates, or a cluster's pod. */
export interface Target {
  readonly name: 'attached' | 'process' | 'containers' | 'created' | 'pod';
  /** Names of the containers that are restarted for real. */
  readonly realRestarts: readonly string[];
  readonly createRuntime: (listener: EngineListener) => TargetRuntime;
  readonly transports: ProbeTransports;
}

/** Probes what listens on this machine, and at most one process, as the containers of pods. `attemptProgram` is that of `attempt-worker`. */
export async function localTarget(
  options: LocalTargetOptions,
  pods: readonly Pod[],
  attemptProgram: URL,
): Promise<Target> {
  const { clock, host, address, process: command } = options;
  const name = command === undefined ? 'attached' : 'process';
  const exec = options.execAllowed ? { exec: new LocalExec(clock, host) } : {};
  const standInFor = localStandIns(
    command && {
      podUID: command.pod.metadata.uid,
      container: command.container,
      argv: command.argv,
    },
  );
  return {
    name,
    realRestarts: command === undefined ? [] : [command.container],
    transports: await localTransports(options, pods, attemptProgram),
    createRuntime: (listener) =>
      new LocalRuntime({
        ...{ name, clock, host, address, listener, standInFor },
        node: localNode(address),
        config: configSource(options.configMaps, options.secrets),
        ...exec,
      }),
  };
}

/**
 * Attempts a second from which threads make them, and that a thread makes. With one thread in all, 2,400 a second beside
 * other programs came to 600 to 1,200; with another for attempts, to 2,000 to 2,400. 600 a second take as long either way.
 */
const THREADS_FROM = 1000;
const OF_A_THREAD = 2500;

async function localTransports(
  { clock, kubeletVersion, address, ports }: LocalTargetOptions,
  pods: readonly Pod[],
  program: URL,
): Promise<ProbeTransports> {
  const rate = pods.reduce((sum, pod) => sum + attemptRate(pod), 0);
  if (rate < THREADS_FROM) {
    return createTransports({ clock, kubeletVersion, dial: mappedPorts(address, ports) });
  }
  const count = Math.min(availableParallelism(), Math.ceil(rate / OF_A_THREAD));
  const { threadedTransports } = await import('../probe/threaded-transports.js');
  return threadedTransports(program, count, { kubeletVersion, address, ports });
}

/** Returns the attempts a second of a pod's network probes. */
function attemptRate({ spec }: Pod): number {
  return allContainers(spec)
    .flatMap(({ readinessProbe, livenessProbe }) => [readinessProbe, livenessProbe])
    .filter((probe) => probe !== undefined && probe.exec === undefined)
    .reduce((sum, probe) => sum + 1 / (probe?.periodSeconds ?? 10), 0);
}
