import type { Clock, Timer } from '../../clock/clock.js';

/** Milliseconds for which a budget lasts. */
const PERIOD = 1000;
/** Lines, and their bytes, that are handed on in a period. */
const MAX_LINES = 1000;
const MAX_LINE_BYTES = 1024 * 1024;
/** Bytes that are read in a period; who writes more has to wait for the next one. */
const MAX_READ = 8 * 1024 * 1024;

/** How much output a process may make us handle. It is renewed each second while it is spent. */
export class OutputBudget {
  #lines = 0;
  #lineBytes = 0;
  #read = 0;
  #timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onRenewed: () => void,
  ) {}

  /** Whether a line of so many bytes may be handed on. */
  takeLine(bytes: number): boolean {
    if (this.#lines >= MAX_LINES || this.#lineBytes + bytes > MAX_LINE_BYTES) return false;
    this.#lines++;
    this.#lineBytes += bytes;
    return true;
  }

  /** Counts what was read; false when that is enough for now. */
  takeRead(bytes: number): boolean {
    this.#timer ??= this.clock.setTimeout(() => this.#renew(), PERIOD);
    this.#read += bytes;
    return this.#read < MAX_READ;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #renew(): void {
    this.#timer = undefined;
    this.#lines = this.#lineBytes = this.#read = 0;
    this.onRenewed();
  }
}
