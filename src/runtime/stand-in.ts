import type { Container, Pod } from '../api/index.js';
import type { RunCommand } from './local-exec.js';
import type { Run } from './run.js';

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
