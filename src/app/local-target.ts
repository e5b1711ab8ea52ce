import type { ConfigMap, Pod, Secret } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import type { ProbeTransports } from '../kubelet/ports.js';
import type { EngineListener } from '../kubelet/traced-runtime.js';
import { LocalExec } from '../probe/local-exec.js';
import { createTransports } from '../probe/transports.js';
import { configSource } from '../runtime/environment/config.js';
import type { Host } from '../runtime/host.js';
import { localNode } from '../runtime/host.js';
import { LocalRuntime } from '../runtime/local-runtime.js';
import { type Argv, localStandIns } from '../runtime/stand-in.js';
import type { TargetRuntime } from './session.js';

export interface LocalTargetOptions {
  readonly clock: Clock;
  readonly host: Host;
  /** Where the containers answer. */
  readonly address: string;
  /** Container port → local port. */
  readonly ports: ReadonlyMap<number, number>;
  readonly execAllowed: boolean;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** The command that stands for a container. */
  readonly process?: { readonly pod: Pod; readonly container: string; readonly argv: Argv };
  /** As in `1.36`. */
  readonly kubeletVersion: string;
}

/** What stands for the containers: what answers, a process, containers that were there, or that kprobe makes. */
export type TargetName = 'attached' | 'process' | 'containers' | 'created';

export interface Target {
  readonly name: TargetName;
  readonly createRuntime: (listener: EngineListener) => TargetRuntime;
  readonly transports: ProbeTransports;
}

/** What answers on this machine, and at most one process, as the containers of pods. */
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
        name,
        clock,
        host,
        address,
        listener,
        standInFor,
        node: localNode(address),
        config: configSource(options.configMaps, options.secrets),
        ...exec,
      }),
  };
}
