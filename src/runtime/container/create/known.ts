import type { RuntimeContainerState } from '../../../kubelet/ports.js';
import type { ContainerOutput } from './container-output.js';
import type { ContainerLabels, SandboxLabels } from './labels.js';

/** How a container ended, once that was told. */
export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
}

/** A container that kprobe has made, and what it remembers of it. */
export interface KnownContainer {
  readonly id: string;
  readonly labels: ContainerLabels;
  readonly policy: 'File' | 'FallbackToLogsOnError';
  /** It was started, and its end has not been told. */
  running: boolean;
  /** Its end has been told: an engine whose disk is full goes on to list it as running. */
  ended?: true;
  /** Why it could not be started, and when that was. */
  failed?: { readonly message: string; readonly at: number };
  /** Its last words, read once. */
  message?: string;
  output?: ContainerOutput;
}

export interface KnownSandbox {
  readonly id: string;
  readonly labels: SandboxLabels;
  readonly hostNetwork: boolean;
}

/** The state of a container, from what the engine calls it. */
export function stateOf(
  text: string,
  { failed, ended }: Pick<KnownContainer, 'failed' | 'ended'> = {},
): RuntimeContainerState {
  if (failed !== undefined || ended === true) return 'exited';
  switch (text) {
    case 'created':
    case 'configured':
    case 'initialized':
      return 'created';
    case 'running':
    case 'paused':
    case 'stopping':
    case 'restarting':
      return 'running';
    default:
      return 'exited';
  }
}
