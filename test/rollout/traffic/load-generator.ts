import { Agent, request } from 'node:http';
import { connect } from 'node:net';

import type { Clock, Random } from '../../../src/clock/clock.js';

interface LoadOptions {
  readonly clock: Clock;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
  readonly keepAlive: boolean;
  readonly random: Random;
  /** The ports that new connections may go to now, as a node's rules would have them. */
  readonly ports: () => readonly number[];
}

export interface LoadResult {
  readonly answered: number;
  readonly refused: number;
  readonly cut: number;
  /** Milliseconds by which the latest request was sent too late. */
  readonly late: number;
  /** Milliseconds of the longest answer. */
  readonly longest: number;
}

/** Sends requests at an even rate to a Service of several ports: a connection chooses one of them at random. */
export async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const { clock, rate, seconds, keepAlive, random, ports } = options;
  const agent = new Agent({ keepAlive, maxFreeSockets: 1000 });
  agent.createConnection = () => {
    const open = ports();
    return connect(open[Math.floor(random() * open.length)] ?? 1, '127.0.0.1');
  };
  const begin = clock.now();
  const ends: Promise<Sent>[] = [];
  let late = 0;
  for (let sent = 0; sent < rate * seconds; sent++) {
    const due = begin + (sent * 1000) / rate;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, due - clock.now()));
    late = Math.max(late, clock.now() - due);
    ends.push(send(agent, clock));
  }
  const all = await Promise.all(ends);
  agent.destroy();
  const count = (kind: Sent['kind']): number => all.filter((each) => each.kind === kind).length;
  const longest = Math.max(...all.map(({ took }) => took));
  return {
    answered: count('answered'),
    refused: count('refused'),
    cut: count('cut'),
    late,
    longest,
  };
}

interface Sent {
  readonly kind: 'answered' | 'refused' | 'cut';
  readonly took: number;
}

function send(agent: Agent, clock: Clock): Promise<Sent> {
  const begin = clock.now();
  return new Promise((resolve) => {
    const sent = request({ agent, host: 'service' }, (response) => {
      response.resume();
      response.on('end', () => resolve({ kind: 'answered', took: clock.now() - begin }));
      response.on('error', () => resolve({ kind: 'cut', took: 0 }));
    });
    sent.on('error', ({ code }: NodeJS.ErrnoException) => {
      resolve({ kind: code === 'ECONNREFUSED' ? 'refused' : 'cut', took: 0 });
    });
    sent.end();
  });
}
