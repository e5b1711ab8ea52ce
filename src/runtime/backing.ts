import {
  type Container,
  type ContainerStateWaiting,
  omitUndefined,
  type Pod,
  runsToCompletion,
  type Time,
} from '../api/index.js';
import { type Clock, sleep } from '../clock/clock.js';
import type { ExecResult, Inspection } from '../kubelet/ports.js';
import type { EngineListener, Exit } from '../kubelet/traced-runtime.js';

export type Argv = readonly [file: string, ...args: string[]];

/** A container that kprobe did not make: starts its runs and executes commands in it. */
export interface ExternalContainer {
  nextID(): string;
  /** Returns why it waits for others to start it; undefined where kprobe may start it. */
  waitingState?(): ContainerStateWaiting | undefined;
  /** When the run began that `launch` takes over; undefined where it begins there. */
  readonly startedAt?: Time | undefined;
  launch(): Promise<Run>;
  readonly exec: RunCommand;
}

/** The place of a container in its pod. */
export interface PodContainer {
  readonly pod: Pod;
  readonly container: Container;
}

/** Takes a container that somebody else started; `first` is given for one that ran before kprobe began. */
export type OnStarted = (container: ExternalContainer, first?: PodContainer) => Promise<void>;

/** Containers that kprobe did not make. */
export interface ExternalContainers {
  find(pod: Pod, container: Container): ExternalContainer | undefined;
  /** Begins to report; `onStarted` takes a container that somebody else started. */
  follow(listener: EngineListener, onStarted: OnStarted): void;
  /** Returns the addresses of a pod's external containers; the runtime's address where it is absent or returns none. */
  podIPs?(uid: string): readonly string[];
  /** Rejects while their state is unknown. */
  status(): Promise<void>;
  /** Reads their state now. */
  refresh(): Promise<void>;
  /** Ends kprobe's commands in the containers, which go on running. */
  close?(): Promise<void>;
}

/** The backing of a container: what is probed in place of a container that a kubelet would make. */
export type Backing =
  /** Whatever answers at the container's ports; only its runs are simulated. */
  | { readonly kind: 'attached' }
  /** A process that kprobe starts; no shell sees the command. */
  | {
      readonly kind: 'process';
      readonly argv: Argv;
      readonly persistent?: PersistentProcess | undefined;
    }
  | { readonly kind: 'external'; readonly container: ExternalContainer }
  /** Nothing: the container completes as soon as it is started. */
  | { readonly kind: 'completed' };

export type BackingFor = (pod: Pod, container: Container) => Backing;

interface ProcessTarget {
  readonly podUID: string;
  readonly container: string;
  readonly argv: Argv;
  /** The process, if restarts of the container do not end it. */
  readonly persistent?: PersistentProcess | undefined;
}

/** Returns processes for the targets; other containers are attached, other init containers completed. */
export function localBackings(targets: readonly ProcessTarget[] = []): BackingFor {
  return (pod, container) => {
    const target = targets.find(
      (each) => each.podUID === pod.metadata.uid && each.container === container.name,
    );
    if (target !== undefined) {
      const { argv, persistent } = target;
      return { kind: 'process', argv, persistent };
    }
    return { kind: runsToCompletion(pod.spec, container.name) ? 'completed' : 'attached' };
  };
}

export interface RunExit extends Exit {
  readonly finishedAt: Time;
  /** The termination message; may be empty. */
  readonly message: string;
}

/** A run of a container that has begun. */
export interface Run {
  /** When the run began, if that was before kprobe launched it. */
  readonly startedAt?: Time | undefined;
  /** Present where another kubelet runs the container: true when that kubelet counts it as started. */
  readonly started?: boolean;
  readonly ended: Promise<RunExit>;
  /** Reads what its processes do; undefined where that cannot be seen. */
  readonly inspect?: () => Inspection;
  /** Sends TERM, and KILL after the grace period. May be called again with a shorter one. */
  stop(gracePeriodSeconds: number): void;
  /** Stops what would outlive kprobe; resolves when it has ended. */
  close(gracePeriodSeconds: number): Promise<unknown>;
}

/** 128 + SIGTERM: the exit code of a simulated end. */
const TERMINATED = 143;

/** The end, as containerd reports it, of a container whose command could not be started. */
export const START_ERROR = { exitCode: 128, reason: 'StartError' };

/** An end that nobody has seen, as the kubelet reports it. */
export const LOST = { exitCode: 137, reason: 'ContainerStatusUnknown' };

/** A run without a process: it lasts until it is stopped or its container ends. */
export interface AttachedRun extends Run {
  hasEnded: boolean;
  end(end: RunExit): void;
}

/** Returns a simulated run: stopping it leaves the server at the ports alone. */
export function attachedRun(clock: Clock): AttachedRun {
  let resolve: (end: RunExit) => void = () => undefined;
  const ended = new Promise<RunExit>((settle) => {
    resolve = settle;
  });
  const run: AttachedRun = {
    ended,
    hasEnded: false,
    end(end) {
      run.hasEnded = true;
      resolve(end);
    },
    stop: () =>
      run.end({ exitCode: TERMINATED, finishedAt: clock.now(), message: '', simulated: true }),
    close: () => Promise.resolve(),
  };
  return run;
}

/** A process that outlives simulated restarts of its container; one that has ended is started again. */
export class PersistentProcess {
  #run: Run | undefined;
  /** The container whose output the process writes now. */
  containerID = '';

  constructor(private readonly clock: Clock) {}

  async launch(containerID: string, start: () => Promise<Run>): Promise<Run> {
    this.containerID = containerID;
    this.#run ??= await start();
    const real = this.#run;
    const run = attachedRun(this.clock);
    void real.ended.then((ended) => {
      if (this.#run === real) this.#run = undefined;
      run.end(ended);
    });
    const { inspect } = real;
    return { ...run, ...omitUndefined({ inspect }), close: (grace) => real.close(grace) };
  }
}

export function completedRun(clock: Clock): Run {
  const end = (): RunExit => ({ exitCode: 0, finishedAt: clock.now(), message: '' });
  const ended = sleep(clock, 0).then(end);
  return { ended, stop: () => undefined, close: () => Promise.resolve() };
}

export interface LocalExecOptions extends ContainerContext {
  /** Seconds that the command may take; 0 is no limit. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended or kprobe ends: the command ends then, too. */
  readonly signal: AbortSignal;
}

/** Runs a command; never rejects. */
export type RunCommand = (
  command: readonly string[],
  options: LocalExecOptions,
) => Promise<ExecResult>;

export interface LocalExec {
  readonly run: RunCommand;
  /** Kills running commands; resolves when no process of any command is left. */
  close(): Promise<void>;
}

/** Environment and directory of a container's commands on this machine. */
export interface ContainerContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
