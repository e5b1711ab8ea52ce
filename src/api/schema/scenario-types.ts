// Written by scripts/generate-types.mjs.

import type { Pod } from './types.js';

/** The types of a scenario file. */

export interface Scenario {
  readonly name: string;
  readonly until: string;
  readonly kubeletUp?: string;
  readonly pod?: Pod;
  readonly containers?: Readonly<Record<string, ScenarioContainer>>;
  readonly actions?: readonly ScenarioAction[];
}
export type ScenarioAction = { readonly at: string; readonly do: string; readonly pod?: Pod };
export interface ScenarioAnswer {
  readonly until?: string;
  readonly takes?: string;
  readonly exit?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly error?: string;
}
export interface ScenarioBehavior {
  readonly readyAfter?: string;
  readonly hangsAt?: readonly string[];
  readonly latency?: string;
  readonly failRate?: string;
}
export interface ScenarioContainer extends ScenarioBehavior {
  readonly probes?: Readonly<Record<string, ScenarioBehavior>>;
  readonly runs?: readonly ScenarioRun[];
}
export interface ScenarioGrpcAnswer {
  readonly until?: string;
  readonly takes?: string;
  readonly status?: string;
  readonly refused?: boolean;
}
export interface ScenarioHttpAnswer {
  readonly until?: string;
  readonly takes?: string;
  readonly status?: number;
  readonly body?: string;
  readonly refused?: boolean;
}
export interface ScenarioRun extends ScenarioBehavior {
  readonly startError?: string;
  readonly exitAfter?: string;
  readonly exitCode?: number;
  readonly stopTakes?: string;
  readonly stopExitCode?: number;
  readonly probes?: Readonly<Record<string, ScenarioBehavior>>;
  readonly exec?: Readonly<Record<string, readonly ScenarioAnswer[]>>;
  readonly http?: Readonly<Record<string, readonly ScenarioHttpAnswer[]>>;
  readonly tcp?: Readonly<Record<string, readonly ScenarioTcpAnswer[]>>;
  readonly grpc?: Readonly<Record<string, readonly ScenarioGrpcAnswer[]>>;
}
export interface ScenarioTcpAnswer {
  readonly until?: string;
  readonly takes?: string;
  readonly refused?: boolean;
}
