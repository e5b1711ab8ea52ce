import type { ConfigMap, Secret } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import type { ProbeTransports } from '../kubelet/ports.js';
import type { EngineListener } from '../kubelet/traced-runtime.js';
import { LocalExec } from '../probe/local-exec.js';
import { createTransports } from '../probe/transports.js';
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

/** Probes what listens on this machine, and at most one process, as the containers of pods. */
export function localTarget(options: LocalTargetOptions): Target {
  const { clock, host, address, ports, process: command, kubeletVersion } = options;
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
    transports: createTransports({
      clock,
      kubeletVersion,
      dial: (_, dialled, port) => ({
        host: dialled,
        port: dialled === address ? (ports.get(port) ?? port) : port,
      }),
    }),
    createRuntime: (listener) =>
      new LocalRuntime({
        ...{ name, clock, host, address, listener, standInFor },
        node: localNode(address),
        config: configSource(options.configMaps, options.secrets),
        ...exec,
      }),
  };
}
