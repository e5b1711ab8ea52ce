import type { EngineName } from '../../runtime/container/engine-kind.js';
import type { PortMap } from '../shared/options.js';
import type { ShowFlags } from '../show/show-flags.js';

export const UNTIL = ['ready', 'started', 'restarted', 'failed', 'succeeded'] as const;

/** What the command line says; times are in milliseconds. */
export interface RunFlags extends ShowFlags {
  readonly filename?: readonly string[];
  readonly container?: string;
  readonly host: string;
  readonly port?: PortMap;
  readonly allowLocalExec?: boolean;
  /** False takes also what the API server would refuse. */
  readonly validate?: boolean;
  readonly allowHost?: boolean;
  readonly kubeletAge?: number;
  readonly kubeletVersion: string;
  readonly watch?: boolean;
  readonly statusFile?: string;
  /** The file that keeps the trace. */
  readonly record?: string;
  readonly until?: (typeof UNTIL)[number];
  readonly for?: number;
  readonly timeout?: number;
  /** `NAME`, `CONTAINER=NAME`: containers that run already. */
  readonly docker?: readonly string[];
  readonly runtime?: EngineName;
  readonly via?: 'host' | 'exec';
  readonly restart?: 'simulated' | 'real';
  readonly create?: boolean;
  readonly network?: string;
  readonly keep?: boolean;
  readonly adopt?: boolean;
  readonly replace?: boolean;
  readonly allowHostPath?: boolean;
  readonly allowPrivileged?: boolean;
}
