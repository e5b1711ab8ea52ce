import type { Random } from '../../clock/clock.js';
import { draw, type Range, type Reply, replyOf, RunDraws } from '../../sim/behavior.js';
import { failingShare, type Faults, NO_FAULTS, slowness, workBetween } from '../../sim/faults.js';
import { type FailedRequest, type Loss, type LossCause, Losses } from './losses.js';
import { type PodFact, type ServedPod, servedPods, type ServerRun } from './pod-fact.js';
import { Proxy } from './proxy.js';

/** Requests to a Service. Times are in milliseconds. */
export interface TrafficLoad {
  /** Requests per second, evenly spaced. */
  readonly rate: number;
  readonly serviceTime: Range;
  /** Milliseconds after which the client gives up. */
  readonly timeout?: number | undefined;
  /** Clients reuse their connections. */
  readonly keepAlive: boolean;
  /** The app's reaction to TERM: it closes its connections, or serves until it ends. */
  readonly onTerm: 'close' | 'serve';
  /** Time from a change of an endpoint to the rules of each node. */
  readonly propagation: Range;
}

export interface TrafficOptions extends TrafficLoad {
  /** Milliseconds since the simulation began. */
  readonly from: number;
  readonly to: number;
  /** Nodes with clients, each with its kube-proxy. */
  readonly nodes: number;
  readonly random: Random;
  readonly faults?: Faults | undefined;
}

export interface TrafficResult {
  readonly requests: number;
  readonly failed: number;
  /** Answered, but late: the app hung or was slow. */
  readonly waited: number;
  readonly longestWait: number;
  readonly losses: readonly Loss[];
  readonly failedBySecond: ReadonlyMap<number, number>;
  /** Requests over kept connections to pods that proxies no longer chose. */
  readonly afterRemoval: number;
}

/** Sends requests to pods; `facts` are in the order of time. */
export function simulateTraffic(facts: readonly PodFact[], options: TrafficOptions): TrafficResult {
  return new Traffic(facts, options).run();
}

interface Client {
  readonly proxy: Proxy;
  readonly connections: Connections;
}

class Traffic {
  readonly #faults: Faults;
  readonly #pods: ReadonlyMap<string, ServedPod>;
  readonly #clients: readonly Client[];
  readonly #losses = new Losses();
  readonly #failedBySecond = new Map<number, number>();
  readonly #draws = new WeakMap<ServerRun, RunDraws>();
  #failed = 0;
  #waited = 0;
  #longestWait = 0;
  #afterRemoval = 0;

  constructor(
    facts: readonly PodFact[],
    private readonly options: TrafficOptions,
  ) {
    this.#faults = options.faults ?? NO_FAULTS;
    this.#pods = servedPods(facts);
    const isOpen = ({ run }: Connection, at: number): boolean =>
      run.endedAt > at && !(options.onTerm === 'close' && run.termAt <= at);
    this.#clients = Array.from({ length: options.nodes }, () => ({
      proxy: new Proxy(facts, options.propagation, options.random),
      connections: new Connections(isOpen),
    }));
  }

  run(): TrafficResult {
    const { rate, from, to, propagation, onTerm } = this.options;
    const requests = Math.ceil(((to - from) / 1000) * rate);
    for (let sent = 0; sent < requests; sent++) {
      const client = this.#clients[sent % this.#clients.length];
      if (client !== undefined) this.#send(client, from + (sent * 1000) / rate);
    }
    return {
      requests,
      failed: this.#failed,
      waited: this.#waited,
      longestWait: this.#longestWait,
      losses: this.#losses.list(propagation.to, onTerm === 'serve'),
      failedBySecond: this.#failedBySecond,
      afterRemoval: this.#afterRemoval,
    };
  }

  #send(client: Client, at: number): void {
    const { proxy, connections } = client;
    proxy.advanceTo(at);
    const kept = this.options.keepAlive ? connections.take(at) : undefined;
    if (kept !== undefined) {
      if (!proxy.chooses(kept.pod.name)) this.#afterRemoval++;
      return this.#ask(client, kept, at);
    }
    const pod = this.#choose(proxy.usable);
    if (pod === undefined) return this.#fail('noEndpoint', at);
    const run = pod.runs.findLast(({ startedAt }) => startedAt <= at);
    if (run === undefined || !this.#listens(run, at)) return this.#refuse(pod, run, at);
    this.#ask(client, { pod, run }, at);
  }

  #choose(usable: readonly string[]): ServedPod | undefined {
    const name = usable[Math.floor(this.options.random() * usable.length)];
    return name === undefined ? undefined : this.#pods.get(name);
  }

  #listens(run: ServerRun, at: number): boolean {
    if (run.endedAt <= at || (this.options.onTerm === 'close' && run.termAt <= at)) return false;
    const { closedUntil } = run.behavior;
    return closedUntil === undefined || this.#work(run, at) >= this.#drawsOf(run).of(closedUntil);
  }

  #refuse(pod: ServedPod, run: ServerRun | undefined, at: number): void {
    const isFirst = pod.runs.length === 0 || run === undefined || run === pod.runs[0];
    const ended = run !== undefined && Math.min(run.endedAt, run.termAt) <= at;
    const early = isFirst && !ended ? 'refusedBeforeListening' : 'refusedDuringRestart';
    const cause = pod.deletedAt <= at ? 'refusedAfterTerm' : early;
    this.#fail(cause, at, { pod, ...(run && { run }) });
  }

  #ask(client: Client, connection: Connection, at: number): void {
    const { pod, run } = connection;
    const { timeout = Infinity, serviceTime } = this.options;
    const { kind, takes } = this.#reply(run, at);
    const answerAt = at + takes;
    const facts = { pod, run, answerAt };
    if (run.endedAt < Math.min(answerAt, at + timeout)) {
      return this.#fail(cutCause(connection), at, { ...facts, failedAt: run.endedAt });
    }
    if (takes > timeout) return this.#fail('timedOut', at, { ...facts, failedAt: at + timeout });
    if (this.options.keepAlive) client.connections.keep(connection, answerAt);
    const isDown = this.#needsDownService(at);
    if (isDown || kind !== 'ok') {
      const error = isDown ? 'dependencyDown' : 'errorAnswer';
      return this.#fail(error, at, { ...facts, failedAt: answerAt });
    }
    if (takes <= serviceTime.to) return;
    this.#waited++;
    this.#longestWait = Math.max(this.#longestWait, takes);
  }

  #reply(run: ServerRun, at: number): Reply {
    const { serviceTime, random } = this.options;
    const usual = draw(serviceTime, random);
    const slow = slowness(this.#faults, at);
    const moment = { age: at - run.startedAt, work: this.#work(run, at), slowness: slow };
    return replyOf(run.behavior, moment, usual, this.#drawsOf(run), random);
  }

  #needsDownService(at: number): boolean {
    const share = failingShare(this.#faults, at);
    return share > 0 && this.options.random() < share;
  }

  #work({ startedAt }: ServerRun, at: number): number {
    return workBetween(this.#faults, startedAt, at);
  }

  #drawsOf(run: ServerRun): RunDraws {
    const known = this.#draws.get(run) ?? new RunDraws(this.options.random);
    this.#draws.set(run, known);
    return known;
  }

  #fail(cause: LossCause, sentAt: number, facts: Partial<FailedRequest> = {}): void {
    const failed = { failedAt: sentAt, answerAt: sentAt, ...facts, cause, sentAt };
    this.#failed++;
    const second = Math.floor(failed.failedAt / 1000);
    this.#failedBySecond.set(second, (this.#failedBySecond.get(second) ?? 0) + 1);
    this.#losses.add(failed);
  }
}

function cutCause({ pod, run }: Connection): LossCause {
  if (run.termAt > run.endedAt) return 'cutAtCrash';
  if (pod.deletedAt > run.endedAt) return 'cutAtRestart';
  return run.killed ? 'cutAtKill' : 'cutAtExit';
}

interface Connection {
  readonly pod: ServedPod;
  readonly run: ServerRun;
}

/** The connections of a client; the last used one is taken first. */
class Connections {
  readonly #idle: Connection[] = [];
  /** Connections in the order in which their answers are complete. */
  readonly #busy: { readonly connection: Connection; readonly until: number }[] = [];

  constructor(private readonly isOpen: (connection: Connection, at: number) => boolean) {}

  take(at: number): Connection | undefined {
    const done = this.#busy.findIndex(({ until }) => until > at);
    const free = this.#busy.splice(0, done === -1 ? this.#busy.length : done);
    this.#idle.push(...free.map(({ connection }) => connection));
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (this.isOpen(idle, at)) return idle;
    }
    return undefined;
  }

  /** Keeps a connection that is busy until a time. */
  keep(connection: Connection, until: number): void {
    let place = this.#busy.length;
    while ((this.#busy[place - 1]?.until ?? 0) > until) place--;
    this.#busy.splice(place, 0, { connection, until });
  }
}
