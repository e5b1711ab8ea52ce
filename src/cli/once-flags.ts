import type { PortMap } from './options.js';

/** What the command line says; times are in milliseconds. */
export interface OnceFlags {
  readonly filename?: readonly string[];
  readonly container?: string;
  readonly probe?: readonly string[];
  readonly http?: string;
  readonly https?: string;
  readonly tcp?: string;
  readonly grpc?: string;
  readonly exec?: boolean;
  readonly header?: readonly string[];
  readonly probeTimeout?: number;
  readonly host: string;
  readonly port?: PortMap;
  readonly allowLocalExec?: boolean;
  readonly allowHost?: boolean;
  readonly kubeletVersion: string;
  readonly output?: 'json';
}
