import type { Duplex } from 'node:stream';

import type { Clock } from '../clock/clock.js';
import { type ByteString, toText } from '../go/byte-string.js';
import type { AttemptDetail, AttemptTimings, ProbeTarget } from '../kubelet/ports.js';
import { Deadline } from './deadline.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface TransportOptions {
  readonly clock: Clock;
  /** As in `1.36`, the default. */
  readonly kubeletVersion?: string;
  /** Where to dial for what the kubelet would dial; requests keep naming the latter. */
  readonly dial?: (target: ProbeTarget, host: string, port: number) => Address;
  /** Connects by other means than a socket of ours, to the address that `dial` gave; undefined where none are needed. */
  readonly connect?: (
    target: ProbeTarget,
    host: string,
    port: number,
  ) => Duplex | Promise<Duplex> | undefined;
  /** Follows redirects to other hosts as well. The kubelet never does. */
  readonly followNonLocalRedirects?: boolean;
}

type Step = 'lookup' | 'connect' | 'tls' | 'firstByte';

/** One attempt under way: its span, and what becomes known of it. */
export class Attempt {
  readonly deadline: Deadline;
  /** The first address that was dialled. */
  address = '';
  /** Heads as they were sent and came, of each hop. */
  readonly requests: ByteString[] = [];
  readonly responses: ByteString[] = [];
  body: Uint8Array | undefined;
  readonly #timings: Partial<Record<Step, number>> = {};
  readonly #begin: number;

  constructor(
    readonly options: TransportOptions,
    readonly target: ProbeTarget,
    milliseconds?: number,
  ) {
    this.#begin = options.clock.now();
    this.deadline = new Deadline(options.clock, milliseconds);
  }

  /** A step was reached; the first time counts. */
  reached(step: Step): void {
    this.#timings[step] ??= this.#elapsed();
  }

  /** Closes what is open, and tells what was seen. */
  end(): AttemptDetail {
    this.deadline.end();
    const timings: AttemptTimings = { ...this.#timings, total: this.#elapsed() };
    return {
      address: this.address,
      ...(this.requests.length > 0 ? { request: toText(this.requests.join('')) } : {}),
      ...(this.responses.length > 0 ? { response: toText(this.responses.join('')) } : {}),
      ...(this.body ? { body: this.body } : {}),
      timings,
    };
  }

  #elapsed(): number {
    return this.options.clock.now() - this.#begin;
  }
}
