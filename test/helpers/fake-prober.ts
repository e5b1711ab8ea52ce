import { type Clock, sleep } from '../../src/clock/clock.js';
import type { ProbeAnswer, Prober } from '../../src/kubelet/prober/prober.js';

/** `error`: the attempt could not be made. */
export type Answer = 'success' | 'failure' | 'error';

/** A prober that answers as it is told, the same again when nothing new is said. */
export class FakeProber implements Prober {
  /** When each attempt began. */
  readonly attempts: number[] = [];

  constructor(
    private readonly clock: Clock,
    /** Taken one after the other; the last one stays. */
    public answers: Answer[] = ['success'],
    /** Milliseconds that each attempt takes. */
    public takes = 0,
  ) {}

  async probe(): Promise<ProbeAnswer> {
    this.attempts.push(this.clock.now());
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? 'success';
    if (this.takes > 0) await sleep(this.clock, this.takes);
    if (answer === 'error') {
      const outcome = { result: 'unknown', output: '', error: 'no' } as const;
      return { result: 'failure', error: 'no', outcome, tries: 3 };
    }
    return { result: answer, outcome: { result: answer, output: '' }, tries: 1 };
  }
}
