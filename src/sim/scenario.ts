import type { Pod } from '../api/index.js';
import type { ProbeOutcome } from '../kubelet/ports.js';
import type { Behaviour } from './behaviour.js';

/** A pod, and a script of what its containers do. All durations are in milliseconds. */
export interface Scenario {
  readonly name: string;
  /** How long after the pod's addition the run lasts. */
  readonly until: number;
  /** How long the kubelet has run when the pod is added. */
  readonly kubeletUp: number;
  /** How long it had run before that already. */
  readonly kubeletAge?: number;
  /** How long after a sync the relist comes that it asks for: in virtual time nothing passes by itself. */
  readonly relistLatency?: number;
  readonly pod: Pod;
  /** The object of a manifest that the pod comes from. */
  readonly source?: { readonly kind: string; readonly name: string };
  /** By container name; one entry for each run, the last repeats. */
  readonly containers: Readonly<Record<string, readonly ScriptedRun[]>>;
  readonly actions: readonly Action[];
}

/** One run of a container; times count from its start. */
export interface ScriptedRun {
  /** The runtime refuses to start it, with this message. */
  readonly startError?: string;
  /** How long the runtime takes to start it. */
  readonly startTakes?: number;
  /** It ends by itself after so long; never when absent. */
  readonly exitAfter?: number;
  /** So much earlier or later, at random. */
  readonly exitVaries?: number;
  readonly exitCode: number;
  /** How long it takes to end after TERM; past the grace period it is killed, with 137. */
  readonly stopTakes: number;
  readonly stopExitCode: number;
  /** Commands, by their arguments joined with spaces. One that is not named exits 0. */
  readonly exec: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** What it answers over the network, by endpoint; one that is not named is up. */
  readonly network?: Readonly<Record<string, readonly NetworkAnswer[]>>;
  /** What it does where nothing is scripted, by endpoint. */
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
}

/** What a command answers while the container is younger than `until`. */
export interface ScriptedAnswer {
  readonly until?: number;
  /** Past the probe's timeout the command is killed. */
  readonly takes: number;
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The runtime itself fails. */
  readonly error?: string;
}

/** What is answered over the network while the container is younger than `until`. */
export interface NetworkAnswer {
  readonly until?: number;
  readonly takes: number;
  readonly does: NetworkDoing;
}

export type NetworkDoing =
  /** What the protocol has for success: 200, a connection, SERVING. */
  | { readonly kind: 'ok' }
  /** What it has for failure: 500, NOT_SERVING. */
  | { readonly kind: 'fails' }
  /** What it has for not yet: 503, NOT_SERVING. */
  | { readonly kind: 'unready' }
  /** Nothing listens. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  | { readonly kind: 'grpc'; readonly status: string }
  /** What a probe made of it once. */
  | { readonly kind: 'recorded'; readonly outcome: ProbeOutcome };

/** Something done to the pod from outside. */
export type Action =
  | { readonly at: number; readonly do: 'delete' }
  | { readonly at: number; readonly do: 'update'; readonly pod: Pod };

/** What nothing scripts still takes time, so that no two things that follow from one another coincide. */
export const START_TAKES = 3;
export const EXEC_TAKES = 7;
export const NETWORK_TAKES = 2;
const STOP_TAKES = 11;

/** The kubelet relists each second from its start: by default 370 ms before the pod is added. */
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
