import type { KubeletFlags } from '../kubelet/kubelet-flags.js';
import type { FlagsAmong } from '../options.js';
import type { OutputFlags } from './run-outputs.js';

/** Options that do nothing without --create. */
export const CREATE_REQUIRES = {
  network: ['create'],
  replace: ['create'],
  image: ['create'],
  volume: ['create'],
  allowHostPath: ['create'],
  allowPrivileged: ['create'],
} as const;

type SharedPodFlags = FlagsAmong<
  | 'container'
  | ('port' | 'create' | 'runtime' | 'network' | 'replace' | 'image' | 'volume' | 'exclude')
  | ('allowHostPath' | 'allowPrivileged' | 'allowLocalExec' | 'allowHost' | 'allowSharedPort')
>;

/** Flags for pods and their target; `kprobe ci` has some of them. */
export interface PodFlags extends OutputFlags, KubeletFlags, SharedPodFlags {
  readonly host: string;
  readonly validate: boolean;
  /** True tries changes against all servers, false against no server. */
  readonly try?: boolean;
  /** Milliseconds. */
  readonly kubeletAge?: number | undefined;
  readonly docker?: readonly string[] | undefined;
  readonly via?: 'host' | 'exec' | 'port-forward' | 'proxy' | undefined;
  readonly restart?: 'simulated' | 'real' | undefined;
  readonly keep?: true | undefined;
  readonly adopt?: true | undefined;
  readonly strict?: true | undefined;
  readonly runHooks?: true | undefined;
}
