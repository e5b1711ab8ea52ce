import type { Pod } from '../api/index.js';
import type { ProbeOutcome } from '../kubelet/ports.js';
import type { KubeletConfig } from '../kubelet/release.js';
import type { Behavior } from './behavior.js';

/** A pod and the script of its containers. All durations are in milliseconds. */
export interface Scenario {
  readonly name: string;
  /** Length of the run, from the pod's addition. */
  readonly until: number;
  /** The clock's time when the kubelet starts, and with it its relists. */
  readonly kubeletStart?: number;
  /** Simulated time of the kubelet before the pod is added. */
  readonly kubeletUp: number;
  /** The kubelet's age before the simulation. */
  readonly kubeletAge?: number;
  /** The default kubelet when absent. */
  readonly kubelet?: KubeletConfig;
  /** Time from a sync to the relist that it requests. */
  readonly relistLatency?: number;
  readonly pod: Pod;
  /** The object of a manifest that the pod comes from. */
  readonly source?: { readonly kind: string; readonly name: string };
  /** Runs by container name; the last run repeats. */
  readonly containers: Readonly<Record<string, readonly ScriptedRun[]>>;
  readonly actions: readonly Action[];
}

/** A run of a container; times count from its start. */
export interface ScriptedRun {
  /** The runtime refuses to start it, with this message. */
  readonly startError?: string;
  readonly startTakes?: number;
  /** Age at its exit; absent when it runs until it is stopped. */
  readonly exitAfter?: number;
  /** The exit comes up to this much earlier or later, at random. */
  readonly exitVaries?: number;
  readonly exitCode: number;
  /** Time from TERM to the end; after the grace period it is killed, with exit code 137. */
  readonly stopTakes: number;
  readonly stopExitCode: number;
  /** Results by command, its arguments joined with spaces; other commands exit 0. */
  readonly exec: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** Scripted answers by endpoint; other endpoints succeed. */
  readonly network?: Readonly<Record<string, readonly NetworkAnswer[]>>;
  /** Behavior of endpoints without scripted answers. */
  readonly behaviors?: Readonly<Record<string, Behavior>>;
  /** Answers to the requests of clients. */
  readonly requests?: Behavior;
}

/** A command's result while the container is younger than `until`. */
export interface ScriptedAnswer {
  readonly until?: number;
  /** The command is killed at the probe's timeout. */
  readonly takes: number;
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: string;
}

/** An answer over the network while the container is younger than `until`. */
export interface NetworkAnswer {
  readonly until?: number;
  readonly takes: number;
  readonly response: NetworkResponse;
}

export type NetworkResponse =
  /** 200, a connection, SERVING. */
  | { readonly kind: 'ok' }
  /** An answer that fails the probe: status 500, or NOT_SERVING. */
  | { readonly kind: 'fails' }
  /** 503, NOT_SERVING. */
  | { readonly kind: 'notReady' }
  /** Connection refused. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  | { readonly kind: 'grpc'; readonly status: string }
  | { readonly kind: 'recorded'; readonly outcome: ProbeOutcome };

export type Action =
  | { readonly at: number; readonly do: 'delete' }
  | { readonly at: number; readonly do: 'update'; readonly pod: Pod };

/** Default durations. They differ, so that causes and effects do not coincide. */
export const START_TAKES = 3;
export const EXEC_TAKES = 7;
export const NETWORK_TAKES = 2;
const STOP_TAKES = 11;

/** Milliseconds that a kubelet has been up where its age makes no difference: a day. */
export const KUBELET_AGE = 24 * 3600 * 1000;
/** The kubelet relists every second: by default 370 ms before the pod is added. */
export const KUBELET_UP = 600_370;

export const DEFAULT_RUN: ScriptedRun = {
  exitCode: 0,
  stopTakes: STOP_TAKES,
  stopExitCode: 143,
  exec: {},
};

export const DEFAULT_ANSWER: ScriptedAnswer = {
  takes: EXEC_TAKES,
  exit: 0,
  stdout: '',
  stderr: '',
};
