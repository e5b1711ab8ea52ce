import type { Pod } from '../../api/index.js';
import { type Clock, orTimeout } from '../../clock/clock.js';
import { isRestartableInitContainer } from '../restart-policy.js';

interface Turn {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/**
 * Who waits for whom when a pod with sidecars ends: sidecars for the regular containers, and each for those after it.
 * Ports terminationOrdering (pkg/kubelet/kuberuntime/kuberuntime_termination_order.go).
 */
export class TerminationOrdering {
  readonly #turns = new Map<string, Turn>();
  readonly #prereqs = new Map<string, readonly Promise<void>[]>();

  constructor(
    private readonly clock: Clock,
    pod: Pod,
    running: ReadonlySet<string>,
  ) {
    const add = (name: string): Promise<void> => {
      const turn = newTurn();
      this.#turns.set(name, turn);
      if (!running.has(name)) turn.end();
      return turn.ended;
    };
    const main = pod.spec.containers.map(({ name }) => add(name));
    let later: Promise<void>[] = [];
    for (const container of [...(pod.spec.initContainers ?? [])].reverse()) {
      const ended = add(container.name);
      if (!isRestartableInitContainer(container)) continue;
      this.#prereqs.set(container.name, [...main, ...later]);
      later = [ended];
    }
  }

  /** Waits until those before it have ended, or the grace period has; returns the seconds that took. */
  async waitForTurn(name: string, gracePeriod: number): Promise<number> {
    const start = this.clock.now();
    const prereqs = this.#prereqs.get(name) ?? [];
    if (prereqs.length > 0) {
      await orTimeout(this.clock, Promise.all(prereqs), gracePeriod * 1000);
    }
    return (this.clock.now() - start) / 1000;
  }

  containerTerminated(name: string): void {
    this.#turns.get(name)?.end();
  }
}

function newTurn(): Turn {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}
