import type { Container, Pod, Time } from '../api/index.js';
import { type Clock, sleep } from '../clock/clock.js';
import type { ExecResult } from '../kubelet/ports.js';

export type Argv = readonly [file: string, ...args: string[]];

/** A container that is not kprobe's own: where its runs come from, and how commands are run in it. */
export interface EngineStandIn {
  /** The id of its next run. */
  nextID(): string;
  launch(): Promise<Run>;
  readonly exec: RunCommand;
}

/** What stands for a container on this machine. */
export type StandIn =
  /** Whatever answers at its ports; only its runs are simulated. */
  | { readonly kind: 'attached' }
  /** A process that kprobe starts; no shell sees the command. */
  | { readonly kind: 'process'; readonly argv: Argv }
  /** A container of an engine. */
  | { readonly kind: 'engine'; readonly container: EngineStandIn }
  /** Nothing: it has done its work as soon as it is started. */
  | { readonly kind: 'completed' };

export type StandInFor = (pod: Pod, container: Container) => StandIn;

/** The one container that a command stands for. */
export interface ProcessTarget {
  readonly podUID: string;
  readonly container: string;
  readonly argv: Argv;
}

/** The command for the container that it stands for; of the others, those that run on are attached. */
export function localStandIns(target?: ProcessTarget): StandInFor {
  return (pod, container) => {
    if (pod.metadata.uid === target?.podUID && container.name === target.container) {
      return { kind: 'process', argv: target.argv };
    }
    const endsByItself =
      container.restartPolicy !== 'Always' &&
      (pod.spec.initContainers ?? []).some(({ name }) => name === container.name);
    return { kind: endsByItself ? 'completed' : 'attached' };
  };
}

export interface RunEnd {
  readonly exitCode: number;
  readonly finishedAt: Time;
  /** In place of `Completed` and `Error`. */
  readonly reason?: string;
  /** The termination message, or nothing. */
  readonly message: string;
}

/** One run of what stands for a container; it has begun. */
export interface Run {
  /** When it began, if that was not just now. */
  readonly startedAt?: Time;
  readonly ended: Promise<RunEnd>;
  /** Asks it to end, and makes it when the grace period is over. May be called again with a shorter one. */
  stop(gracePeriodSeconds: number): void;
  /** kprobe ends: stops what would stay behind; resolves when nothing would. */
  close(gracePeriodSeconds: number): Promise<unknown>;
}

/** 128 + SIGTERM: the exit code of a simulated end. */
export const TERMINATED = 143;

/** The end, as containerd reports it, of a container whose command could not be started. */
export const START_ERROR = { exitCode: 128, reason: 'StartError' };

/** A run on paper: it ends when it is told to, and what answers at the ports goes on. */
export function attachedRun(clock: Clock): Run {
  let end: (end: RunEnd) => void = () => undefined;
  const ended = new Promise<RunEnd>((resolve) => {
    end = resolve;
  });
  const stop = (): void => end({ exitCode: TERMINATED, finishedAt: clock.now(), message: '' });
  return { ended, stop, close: () => Promise.resolve() };
}

/** A run that is over as soon as it has begun. */
export function completedRun(clock: Clock): Run {
  const end = (): RunEnd => ({ exitCode: 0, finishedAt: clock.now(), message: '' });
  const ended = sleep(clock, 0).then(end);
  return { ended, stop: () => undefined, close: () => Promise.resolve() };
}

export interface LocalExecOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** 0 is none. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended: the command ends with it. */
  readonly signal: AbortSignal;
}

/** Runs a command; it resolves, always, when its result is known. */
export type RunCommand = (
  command: readonly string[],
  options: LocalExecOptions,
) => Promise<ExecResult>;

/** Runs commands on this machine. */
export interface LocalExec {
  readonly run: RunCommand;
  /** Ends what is running; resolves when nothing of any command is left. */
  close(): Promise<void>;
}

/** What a container's commands run in on this machine. */
export interface ContainerContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
