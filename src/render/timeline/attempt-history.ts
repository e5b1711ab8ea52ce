import type { AttemptView } from '../../trace/summary/probe-view.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';

/** Every attempt of a trace: the summary only remembers the latest. */
export class AttemptHistory {
  readonly #attempts = new Map<string, AttemptView[]>();

  line(line: TraceLine, { pods }: Summary): void {
    if (line.kind !== 'attemptDone') return;
    const attempt = pods
      .find(({ key }) => key === line.pod)
      ?.containers.find(({ name }) => name === line.container)
      ?.probes.find(({ type }) => type === line.probe)
      ?.attempts.at(-1);
    if (attempt === undefined) return;
    const key = `${line.pod} ${line.container} ${line.probe}`;
    const known = this.#attempts.get(key);
    if (known === undefined) this.#attempts.set(key, [attempt]);
    else known.push(attempt);
  }

  of(pod: string, container: string, probe: string): readonly AttemptView[] {
    return this.#attempts.get(`${pod} ${container} ${probe}`) ?? [];
  }
}
