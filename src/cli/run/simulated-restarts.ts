import type { Pod } from '../../api/index.js';
import type { RunFlags } from './run-flags.js';

/** The containers whose restarts are real, by name. */
export function realRestarts(target: string, flags: RunFlags, pods: readonly Pod[]): string[] {
  return pods
    .flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers])
    .map(({ name }) => name)
    .filter((name) => !isSimulated(target, flags, pods, name));
}

/** Whether a container's restarts only happen on paper, as the target and the flags have it. */
function isSimulated(
  target: string,
  flags: RunFlags,
  pods: readonly Pod[],
  container: string,
): boolean {
  switch (target) {
    case 'created':
      return false;
    case 'containers':
      return flags.restart !== 'real';
    case 'process': {
      // The command stands for the container that was named, or for the only one.
      const names = pods.flatMap(({ spec }) => spec.containers.map(({ name }) => name));
      return container !== (flags.container ?? names[0]);
    }
    default:
      return true;
  }
}
