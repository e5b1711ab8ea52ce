import type { Container } from '../api/index.js';
import type { ProbeType } from '../kubelet/event.js';
import type { Behaviour } from './behaviour.js';
import { probeEndpoints } from './endpoint.js';
import type { Spread } from './spread.js';

/** What is said of how a container, or one of its probes, is answered. */
export interface SaidBehaviour {
  readonly readyAfter?: Spread;
  readonly hangsAt?: readonly Spread[];
  readonly latency?: Spread;
  readonly failRate?: number;
}

export interface SaidOfRun {
  readonly container: SaidBehaviour;
  readonly probes: Readonly<Partial<Record<ProbeType, SaidBehaviour>>>;
}

export interface RunBehaviours {
  /** By endpoint. */
  readonly behaviours: Readonly<Record<string, Behaviour>>;
  /** Probes that ask the same, and were to be answered differently: who asks cannot be told apart. */
  readonly conflicts: readonly (readonly [ProbeType, ProbeType])[];
}

/** How each endpoint that a container's probes ask behaves. */
export function runBehaviours(container: Container, said: SaidOfRun): RunBehaviours {
  const behaviours: Record<string, Behaviour> = {};
  const owners = new Map<string, ProbeType>();
  const conflicts: [ProbeType, ProbeType][] = [];
  for (const [type, endpoint] of probeEndpoints(container)) {
    const own = said.probes[type];
    const owner = owners.get(endpoint);
    if (own !== undefined && owner !== undefined) conflicts.push([owner, type]);
    else if (own !== undefined) owners.set(endpoint, type);
    if (own === undefined && behaviours[endpoint] !== undefined) continue;
    behaviours[endpoint] = behaviourOf(said.container, own ?? {}, endpoint);
  }
  return { behaviours, conflicts };
}

function behaviourOf(whole: SaidBehaviour, own: SaidBehaviour, endpoint: string): Behaviour {
  // A connection is made by the kernel: an app that hangs or is slow does not keep it from that.
  const shared = endpoint.startsWith('tcp ') ? {} : whole;
  const hangsAt = own.hangsAt ?? shared.hangsAt;
  const latency = own.latency ?? shared.latency;
  const failRate = own.failRate ?? whole.failRate;
  return {
    ...(whole.readyAfter === undefined ? {} : { closedUntil: whole.readyAfter }),
    ...(own.readyAfter === undefined ? {} : { unreadyUntil: own.readyAfter }),
    ...(hangsAt === undefined ? {} : { hangsAt }),
    ...(latency === undefined ? {} : { latency }),
    ...(failRate === undefined ? {} : { failRate }),
  };
}
