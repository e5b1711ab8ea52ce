import type { Pod } from '../../src/api/index.js';
import type { EngineListener } from '../../src/kubelet/traced-runtime.js';
import { FakeRuntime } from './fake-runtime.js';

/** Reports its containers' ends at once, as runtimes do. */
export class ListenedRuntime extends FakeRuntime {
  listener: EngineListener | undefined;

  override exit(id: string, exitCode: number): void {
    const isOver = this.container(id).state === 'exited';
    super.exit(id, exitCode);
    if (!isOver) this.listener?.onExit(id, { exitCode });
  }

  /** Starts a container as its engine does by its own policy. */
  restart(id: string, pod: Pod, startedAt: number): void {
    this.add({ id, state: 'running', startedAt, restartCount: 1 }, pod);
    this.listener?.onFound(id, { pod, container: 'app', running: true });
  }

  close = (): Promise<void> => Promise.resolve();
}
