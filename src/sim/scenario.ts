import type { Pod } from '../api/types/pod.js';

/** A pod, and a script of what its containers do. All durations are in milliseconds. */
export interface Scenario {
  readonly name: string;
  /** How long after the pod's addition the run lasts. */
  readonly until: number;
  /** How long the kubelet has run when the pod is added. */
  readonly kubeletUp: number;
  readonly pod: Pod;
  /** By container name; one entry for each run, the last repeats. */
  readonly containers: Readonly<Record<string, readonly ScriptedRun[]>>;
  readonly actions: readonly Action[];
}

/** One run of a container; times count from its start. */
export interface ScriptedRun {
  /** The runtime refuses to start it, with this message. */
  readonly startError?: string;
  /** It ends by itself after so long; never when absent. */
  readonly exitAfter?: number;
  readonly exitCode: number;
  /** How long it takes to end after TERM; past the grace period it is killed, with 137. */
  readonly stopTakes: number;
  readonly stopExitCode: number;
  /** Commands, by their arguments joined with spaces. One that is not named exits 0. */
  readonly exec: Readonly<Record<string, readonly ScriptedAnswer[]>>;
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

/** Something done to the pod from outside. */
export type Action =
  | { readonly at: number; readonly do: 'delete' }
  | { readonly at: number; readonly do: 'update'; readonly pod: Pod };

/** What nothing scripts still takes time, so that no two things that follow from one another coincide. */
export const START_TAKES = 3;
export const EXEC_TAKES = 7;
export const STOP_TAKES = 11;

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
