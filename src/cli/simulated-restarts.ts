import type { Summary } from '../trace/summary/summary.js';
import type { RunFlags } from './run-flags.js';

/** Whether a container's restarts only happen on paper, as the target and the flags have it. */
export function isSimulated(
  target: string,
  flags: RunFlags,
  { pods }: Summary,
  container: string,
): boolean {
  switch (target) {
    case 'created':
      return false;
    case 'containers':
      return flags.restart !== 'real';
    case 'process': {
      // The command stands for the container that was named, or for the only one.
      const names = pods.flatMap(({ object }) => object.spec.containers.map(({ name }) => name));
      return container !== (flags.container ?? names[0]);
    }
    default:
      return true;
  }
}
