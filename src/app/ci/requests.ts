import type { Container, HTTPGetAction, Pod } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import type { ProbeOutcome, ProbeTransports } from '../../kubelet/ports.js';
import { newRequestForHTTPGetAction } from '../../kubelet/prober/http-request.js';

/** Milliseconds between an answer and the next request, for each client; they differ so that the clients do not go in step. */
const PAUSES = [4, 7, 11, 16];
/** Seconds that a request may take. */
const PATIENCE = 30;

const NOT_ACCEPTED: ReadonlySet<ProbeOutcome['reason']> = new Set([
  'refused',
  'reset',
  'noRoute',
  'noHost',
]);

/** Counts of requests by their ends. */
export interface RequestCounts {
  readonly answered: number;
  /** Accepted, and never answered. */
  readonly lost: number;
  /** Not accepted: the server listens no more. The kernel resets connections that it had not taken by then. */
  readonly refused: number;
}

/** An endpoint that requests go to: that of a probe. */
export interface Endpoint {
  readonly pod: Pod;
  readonly container: Container;
  readonly action: HTTPGetAction;
}

/** Returns the endpoint of a pod's users: the one that its readiness depends on, or else that of another probe. */
export function endpointOf(pod: Pod): Endpoint | undefined {
  for (const probe of ['readinessProbe', 'livenessProbe', 'startupProbe'] as const) {
    for (const container of pod.spec.containers) {
      const action = container[probe]?.httpGet;
      if (action !== undefined) return { pod, container, action };
    }
  }
  return undefined;
}

/** Sends requests until they are refused or `stop` is called; resolves with what became of them. */
export class Requests {
  readonly #counts = { answered: 0, lost: 0, refused: 0 };
  readonly #clients: readonly Promise<void>[];
  #isOver = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly podIP: string,
    private readonly ports: { readonly clock: Clock; readonly transports: ProbeTransports },
  ) {
    this.#clients = PAUSES.map((pause) => this.#client(pause));
  }

  async stop(): Promise<RequestCounts> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    return this.#counts;
  }

  async #client(pause: number): Promise<void> {
    while (!this.#isOver) {
      await this.#send();
      await sleep(this.ports.clock, pause);
    }
  }

  async #send(): Promise<void> {
    const { pod, container, action } = this.endpoint;
    const { clock, transports } = this.ports;
    const options = { container, podIP: this.podIP, userAgentFragment: 'probe' } as const;
    const request = newRequestForHTTPGetAction(action, options);
    if (!request.ok) return;
    const target = { pod, container, containerID: '' };
    const begin = clock.now();
    const { statusCode, reason } = await transports.http(target, request.value, PATIENCE);
    if (statusCode !== undefined) this.#counts.answered++;
    else if (NOT_ACCEPTED.has(reason)) this.#counts.refused++;
    // A request that began when all was over belongs to nobody.
    else if (!this.#isOver || clock.now() > begin) this.#counts.lost++;
  }
}
