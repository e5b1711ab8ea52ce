import type { PortMap } from '../shared/options.js';

/** What the command line says; times are in milliseconds. */
export interface OnceFlags {
  readonly filename?: readonly string[];
  readonly container?: string;
  readonly probe?: readonly string[];
  readonly http?: readonly string[];
  readonly https?: readonly string[];
  readonly tcp?: readonly string[];
  readonly grpc?: readonly string[];
  readonly exec?: boolean;
  readonly header?: readonly string[];
  readonly userAgent?: string;
  readonly service?: string;
  readonly probeTimeout?: number;
  readonly host: string;
  readonly port?: PortMap;
  readonly validate: boolean;
  readonly allowLocalExec?: boolean;
  readonly allowHost?: boolean;
  readonly kubeletVersion: string;
  readonly repeat?: number;
  readonly untilSuccess?: boolean;
  readonly interval?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly timeout?: number;
  readonly failOn: 'failure' | 'warning';
  readonly output?: 'json' | 'junit';
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}
