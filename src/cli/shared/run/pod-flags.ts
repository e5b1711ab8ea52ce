import type { EngineName } from '../../../runtime/container/engine-kind.js';
import type { KubeletFlags } from '../kubelet/kubelet-flags.js';
import type { OutputFlags } from './run-outputs.js';

type Names = ReadonlyMap<string, string>;
type Ports = ReadonlyMap<number, number>;

/** Options that do nothing without --create. */
export const CREATE_REQUIRES = {
  network: ['create'],
  replace: ['create'],
  image: ['create'],
  volume: ['create'],
  allowHostPath: ['create'],
  allowPrivileged: ['create'],
} as const;

/** Flags for pods and their target; `kprobe ci` has some of them. */
export interface PodFlags extends OutputFlags, KubeletFlags {
  readonly host: string;
  readonly validate: boolean;
  /** True tries changes against all servers, false against no server. */
  readonly try?: boolean;
  /** Milliseconds. */
  readonly kubeletAge?: number | undefined;
  readonly container?: string | undefined;
  readonly port?: Ports | undefined;
  readonly docker?: readonly string[] | undefined;
  readonly create?: true | undefined;
  readonly runtime?: EngineName | undefined;
  readonly via?: 'host' | 'exec' | 'port-forward' | 'proxy' | undefined;
  readonly restart?: 'simulated' | 'real' | undefined;
  readonly network?: string | undefined;
  readonly keep?: true | undefined;
  readonly adopt?: true | undefined;
  readonly replace?: true | undefined;
  readonly image?: Names | undefined;
  readonly volume?: Names | undefined;
  readonly strict?: true | undefined;
  readonly runHooks?: true | undefined;
  readonly allowHostPath?: true | undefined;
  readonly allowPrivileged?: true | undefined;
  readonly allowLocalExec?: true | undefined;
  readonly allowHost?: true | undefined;
  readonly allowSharedPort?: true | undefined;
  readonly exclude?: readonly string[] | undefined;
}
