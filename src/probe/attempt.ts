import type { Duplex } from 'node:stream';

import type { Clock, Timer } from '../clock/clock.js';
import { type ByteString, outputOf, toText } from '../go/byte-string.js';
import { IoError } from '../go/io-error.js';
import type { AttemptDetail, AttemptTimings, ProbeOutcome, ProbeTarget } from '../kubelet/ports.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface TransportOptions {
  readonly clock: Clock;
  /** Version in the User-Agent, such as `1.36`, which is the default. */
  readonly kubeletVersion?: string;
  /** Returns the address to dial for one that the kubelet would dial; requests keep naming the latter. */
  readonly dial?: (target: ProbeTarget, host: string, port: number) => Address | Promise<Address>;
  /** Connects to an address that `dial` gave, where a plain socket will not do; undefined where it will. */
  readonly connect?: (
    target: ProbeTarget,
    host: string,
    port: number,
  ) => Duplex | Promise<Duplex> | undefined;
  /** Milliseconds by which the end of a connection of `connect` may come late. */
  readonly closeGrace?: number;
  /** Follows redirects to other hosts as well. The kubelet never does. */
  readonly followNonLocalRedirects?: boolean;
}

/** Milliseconds of lateness from which a timer counts as held up: kprobe was busy, or was stopped. */
const MIN_TIMER_DELAY = 5;

/** The time limit of an attempt. Its callbacks run once: at the timeout, or when the attempt has ended. */
export class Deadline {
  expired = false;
  /** True when its timer was late: a command that ended after that may have taken too long. */
  wasLate = false;
  /** Returns the milliseconds after the timeout in which the end of the connection still counts, but no data. */
  grace: () => number = () => 0;
  #isInGrace = false;
  #due: number;
  /** Milliseconds that an attempt may get again for the time that kprobe itself was held up. */
  #spare: number;
  readonly #callbacks = new Set<() => void>();
  #timer: Timer | undefined;
  #ended = false;

  constructor(
    private readonly clock: Clock,
    milliseconds = Infinity,
  ) {
    this.#due = clock.now() + milliseconds;
    this.#spare = milliseconds;
    if (milliseconds !== Infinity) this.#setTimer(milliseconds);
  }

  /** Milliseconds until the timeout. */
  get left(): number {
    return this.#due - this.clock.now();
  }

  /** Calls back at the end, or at once when it has ended. The returned function takes the callback off again. */
  onEnd(callback: () => void): () => void {
    if (this.#ended) callback();
    else this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer?.cancel();
    for (const callback of this.#callbacks) callback();
    this.#callbacks.clear();
  }

  #setTimer(milliseconds: number): void {
    this.#timer = this.clock.setTimeout(() => this.#onTimer(), milliseconds);
  }

  #onTimer(): void {
    const { left } = this;
    // A timer may fire a fraction of a millisecond early; a timeout never does.
    if (left > 0) this.#setTimer(left);
    else if (left > -MIN_TIMER_DELAY || this.#spare <= 0) this.#timeUp();
    else this.#extend(Math.min(-left, this.#spare));
  }

  /** Gives the attempt more time, because kprobe was busy and not the target: Node reads what has arrived before the new timer fires. */
  #extend(milliseconds: number): void {
    this.wasLate = true;
    this.#spare -= milliseconds;
    this.#due = this.clock.now() + milliseconds;
    this.#setTimer(milliseconds);
  }

  /** Must be called when data arrives: data after the deadline ends the grace. */
  onData(): void {
    if (this.#isInGrace) this.#expire();
  }

  #timeUp(): void {
    const grace = this.grace();
    if (grace === 0 || this.#isInGrace) return this.#expire();
    this.#isInGrace = true;
    this.#timer = this.clock.setTimeout(() => this.#expire(), grace);
  }

  #expire(): void {
    if (this.#ended) return;
    this.expired = true;
    this.end();
  }
}

/** Bytes of a target's text that an attempt keeps: Go accepts headers of 10 MB, and a URL may be as long. */
const MAX_TEXT = 64 * 1024;

/** Leaves out the middle of a long text: its end says what failed. */
export function shortened(text: ByteString): ByteString {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT / 2)}...${text.slice(-MAX_TEXT / 2)}`;
}

/** Returns the failure of an IoError; throws any other error, which is a bug. */
export function failureOf(error: unknown): ProbeOutcome {
  if (!(error instanceof IoError)) throw error;
  return { result: 'failure', ...outputOf(shortened(error.message)), reason: error.reason };
}

type Step = 'lookup' | 'connect' | 'tls' | 'firstByte';

/** An attempt in progress: its deadline, and what it reports. */
export class Attempt {
  readonly deadline: Deadline;
  /** The first address that was dialed. */
  address = '';
  /** The heads of each hop, as they were sent and received. */
  readonly requests: ByteString[] = [];
  readonly responses: ByteString[] = [];
  body: Uint8Array | undefined;
  readonly #timings: Record<Step, number | undefined> = {
    lookup: undefined,
    connect: undefined,
    tls: undefined,
    firstByte: undefined,
  };
  readonly #begin: number;

  constructor(
    readonly options: TransportOptions,
    readonly target: ProbeTarget,
    milliseconds?: number,
  ) {
    this.#begin = options.clock.now();
    this.deadline = new Deadline(options.clock, milliseconds);
    this.deadline.grace = () =>
      this.#timings.firstByte === undefined ? 0 : (options.closeGrace ?? 0);
  }

  /** Records the time of a step; the first time counts. */
  reached(step: Step): void {
    this.#timings[step] ??= this.#elapsed();
  }

  end(): AttemptDetail {
    this.deadline.end();
    const timings: AttemptTimings = { ...this.#timings, total: this.#elapsed() };
    return {
      address: this.address,
      ...(this.requests.length > 0 && { request: toText(shortened(this.requests.join(''))) }),
      ...(this.responses.length > 0 && { response: toText(shortened(this.responses.join(''))) }),
      ...(this.body ? { body: this.body } : {}),
      timings,
    };
  }

  /** Milliseconds, to the microsecond. */
  #elapsed(): number {
    return Math.round((this.options.clock.now() - this.#begin) * 1000) / 1000;
  }
}
